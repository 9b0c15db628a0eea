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
Bytes wiped;               // of all wipes, one behind the other
std::vector<size_t> ends;  // where each of them ends

void note(const void* memory, size_t bytes) {
  const std::scoped_lock lock(mutex);
  if (!is_open) return;
  const auto* const from = static_cast<const uint8_t*>(memory);
  wiped.insert(wiped.end(), from, from + bytes);
  ends.push_back(wiped.size());
}

/// Has room from the beginning, as work may be one in which each allocation fails by turns.
void open(bool whether) {
  constexpr size_t kRoom = 16 << 20;
  const std::scoped_lock lock(mutex);
  is_open = whether;
  if (!whether) return;
  wiped.clear();
  ends.clear();
  wiped.reserve(kRoom);
  ends.reserve(kRoom / 1024);
}

}  // namespace

void note_wipes(const std::function<void()>& work) {
  open(true);
  work();
  open(false);
}

size_t wipes_of(std::span<const uint8_t> bytes) {
  const std::scoped_lock lock(mutex);
  size_t found = 0, begin = 0;
  for (const size_t end : ends) {
    found += std::ranges::search(std::span(wiped).subspan(begin, end - begin), bytes).empty() ? 0 : 1;
    begin = end;
  }
  return found;
}

void expect_wipes(const WipeRow& row) {
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
