// What the tool reads that is secret: it must have been wiped when it goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "secret_file.hpp"
#include "secret_key.hpp"
#include "wipe_ledger.hpp"

namespace warpaes::cli {
namespace {

using core::testing::Bytes;
using core::testing::Secret;
using core::testing::WipeRow;

const Bytes kSecret = {0x4b, 0x45, 0x59, 0x21, 0x9d, 0x03, 0xe7, 0x5a,
                       0x11, 0xc8, 0x6f, 0xb2, 0x70, 0x3c, 0xd4, 0x8e};

std::vector<Secret> keys() {
  core::testing::note_wipes([] { const SecretKey key(kSecret); });
  return {{"the key", kSecret}};
}

/// Where it was, while it lives in another place.
std::vector<Secret> moved_keys() {
  SecretKey key(kSecret);
  std::optional<SecretKey> moved;
  core::testing::note_wipes([&] { moved.emplace(std::move(key)); });
  EXPECT_EQ(Bytes(moved->bytes().begin(), moved->bytes().end()), kSecret);
  return {{"the key", kSecret}};
}

std::vector<Secret> contents_of_files() {
  core::testing::note_wipes([] {
    SecretBytes content(100);
    std::ranges::copy(kSecret, content.data());
    content.shrink(2);  // what is no longer looked at is there still
  });
  return {{"what was read", kSecret}};
}

constexpr WipeRow kRows[] = {
    {"Keys", keys},
    {"MovedKeys", moved_keys},
    {"ContentsOfFiles", contents_of_files},
};

class WipesOfTool : public ::testing::TestWithParam<WipeRow> {};

TEST_P(WipesOfTool, EachSecretIsWiped) { expect_wipes(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Tool, WipesOfTool, ::testing::ValuesIn(kRows),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpaes::cli
