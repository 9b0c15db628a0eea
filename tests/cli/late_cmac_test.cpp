// CMAC in parts, by calls for whole messages: beside CMAC of the whole message.
#include "late_cmac.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace warpaes::cli {
namespace {

constexpr size_t kCall = 256 << 10;  // what a call has at most

std::vector<uint8_t> message_of(size_t bytes) {
  std::vector<uint8_t> message(bytes);
  for (size_t i = 0; i < bytes; i++) message[i] = static_cast<uint8_t>(i * 7 + i / 251);
  return message;
}

class LateCmacTest : public testing::TestWithParam<size_t> {
 protected:
  MacBlock whole(std::span<const uint8_t> message) const {
    MacBlock mac;
    (void)cmac_.encrypt({.input = message, .tag = mac});
    return mac;
  }

  const std::vector<uint8_t> key_ = message_of(GetParam());
  warpaes::Context context_;
  warpaes::Cipher cmac_{context_, Mode::cmac, key_};
};

TEST_P(LateCmacTest, CallsGoOnWhereTheLastOneEnded) {
  constexpr size_t kLengths[] = {16,
                                 17,
                                 4096,
                                 kCall - 16,
                                 kCall - 1,
                                 kCall,
                                 kCall + 1,
                                 kCall + 16,
                                 2 * kCall - 17,
                                 2 * kCall - 16,
                                 2 * kCall,
                                 2 * kCall + 5,
                                 3 * kCall + 33};
  for (const size_t bytes : kLengths) {
    const std::vector<uint8_t> message = message_of(bytes);
    const MacBlock expected = whole(message);
    for (const size_t part : {size_t{1000}, kCall - 16, kCall, 3 * kCall}) {
      const std::unique_ptr<CmacInParts> mac = cmac_of_calls(context_, cmac_, key_);
      for (size_t at = 0; at < bytes; at += part) {
        mac->add(std::span(message).subspan(at, std::min(part, bytes - at)));
      }
      EXPECT_EQ(mac->finish(), expected) << bytes << " bytes in parts of " << part;
    }
  }
}

TEST_P(LateCmacTest, SomethingIsAddedToTheLastBytes) {
  MacBlock added;
  std::iota(added.begin(), added.end(), uint8_t{77});
  for (const size_t bytes : {size_t{16}, size_t{21}, size_t{48}, kCall + 5}) {
    std::vector<uint8_t> message = message_of(bytes);
    LateCmac mac(context_, key_);
    for (size_t at = 0; at < bytes; at += 20) {
      mac.add(std::span(message).subspan(at, std::min<size_t>(20, bytes - at)));
    }
    add_to_block(message.data() + bytes - kBlockBytes, added.data());
    EXPECT_EQ(mac.finish(added), whole(message)) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Keys, LateCmacTest, testing::Values(16, 24, 32));

}  // namespace
}  // namespace warpaes::cli
