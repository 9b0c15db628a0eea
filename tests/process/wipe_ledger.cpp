#include "wipe_ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

/// What calls of OPENSSL_cleanse become, and what it is itself (ld(1), --wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" void __real_OPENSSL_cleanse(void* memory, size_t bytes);
extern "C" void __wrap_OPENSSL_cleanse(void* memory, size_t bytes);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpaes::core::testing {
namespace {

std::mutex mutex;
bool is_open = false;
std::vector<Bytes> wiped;

void note(const void* memory, size_t bytes) {
  const std::scoped_lock lock(mutex);
  if (!is_open) return;
  const auto* const from = static_cast<const uint8_t*>(memory);
  wiped.emplace_back(from, from + bytes);
}

void open(bool whether) {
  const std::scoped_lock lock(mutex);
  is_open = whether;
}

}  // namespace

void note_wipes(const std::function<void()>& work) {
  open(true);
  work();
  open(false);
}

size_t wipes_of(std::span<const uint8_t> bytes) {
  const std::scoped_lock lock(mutex);
  return static_cast<size_t>(std::ranges::count_if(
      wiped, [&](const Bytes& each) { return !std::ranges::search(each, bytes).empty(); }));
}

void expect_wipes(const WipeRow& row) {
  wiped.clear();
  for (const Secret& secret : row.secrets()) {
    ASSERT_GE(secret.bytes.size(), 8u) << secret.name << " could be there by chance";
    EXPECT_GE(wipes_of(secret.bytes), secret.places) << secret.name;
  }
}

}  // namespace warpaes::core::testing

extern "C" void __wrap_OPENSSL_cleanse(void* memory, size_t bytes) {
  warpaes::core::testing::note(memory, bytes);
  __real_OPENSSL_cleanse(memory, bytes);
}
