// Lengths that do not fit into 32 bits.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

constexpr uint64_t kPeriod = 64 << 20;
constexpr uint64_t kBytes = (uint64_t{1} << 32) + 17;
constexpr uint64_t kTurns = kBytes / kPeriod + 1;

/// 64 MiB of memory, seen again and again over more than 4 GiB of addresses.
class MemoryInTurns {
 public:
  MemoryInTurns() {
    const int file = memfd_create("memory in turns", 0);
    if (file < 0 || ftruncate(file, kPeriod) != 0) return;
    void* const range =
        mmap(nullptr, kTurns * kPeriod, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return;
    data_ = static_cast<uint8_t*>(range);
    for (uint64_t turn = 0; turn < kTurns; turn++) {
      complete_ = mmap(data_ + turn * kPeriod, kPeriod, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                       0) != MAP_FAILED;
      if (!complete_) break;
    }
    close(file);
  }
  ~MemoryInTurns() {
    if (data_) munmap(data_, kTurns * kPeriod);
  }
  MemoryInTurns(const MemoryInTurns&) = delete;
  MemoryInTurns& operator=(const MemoryInTurns&) = delete;

  uint8_t* data() const { return data_; }
  bool complete() const { return complete_; }

 private:
  uint8_t* data_ = nullptr;
  bool complete_ = false;
};

Bytes key_stream(const Bytes& key, uint64_t at, uint64_t bytes) {
  Bytes counter(16, 0);
  for (int i = 0; i < 8; i++) counter[15 - i] = static_cast<uint8_t>(at / 16 >> (8 * i));
  return reference::ctr(key, counter, Bytes(bytes, 0));
}

/// In place and on one thread, each turn adds its key stream to the memory: what is there in the end is the
/// sum of all of them, so that one wrong offset anywhere shows.
TEST(Beyond4GiB, CtrInPlaceIsOpenssls) {
  const MemoryInTurns memory;
  ASSERT_TRUE(memory.complete());
  const Bytes raw_key(16, 0x42), counter(16, 0);
  const TestContext context("openssl", 1);
  const TestKey key(context, raw_key);
  ASSERT_EQ(warpaes_ctr_crypt(key.get(), counter.data(), memory.data(), memory.data(), kBytes), WARPAES_OK)
      << warpaes_last_error();

  constexpr uint64_t kWindow = 1 << 16;
  for (const uint64_t at : {uint64_t{0}, kPeriod / 2, kPeriod - kWindow}) {
    Bytes expected(kWindow, 0);
    for (uint64_t turn = 0; turn < kTurns; turn++) {
      const uint64_t start = turn * kPeriod + at;
      const Bytes added = key_stream(raw_key, start, start < kBytes ? std::min(kWindow, kBytes - start) : 0);
      for (size_t i = 0; i < added.size(); i++) expected[i] ^= added[i];
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.data() + at)) << "at " << at;
  }
}

}  // namespace
}  // namespace warpaes::testing
