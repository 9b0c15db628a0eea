// When all work is done and every key destroyed, no part of a key may be in device memory that a later
// allocation can get. The test allocates all of that memory without initialising it, and searches it for the
// key, its schedules, the hash key and the plaintext. It cannot see memory that the driver keeps for itself,
// which includes kernel parameters (docs/design/keys-on-the-device.md).
#include <openssl/rand.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "device_calls.hpp"
#include "device_memory_scan.hpp"
#include "evp_reference.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/key_schedule.hpp"
#include "work_with_a_key.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kBytes = 4 << 20;  // more than the kernels for small messages take

Bytes random_bytes(size_t bytes) {
  Bytes made(bytes);
  EXPECT_EQ(RAND_bytes(made.data(), static_cast<int>(bytes)), 1);
  return made;
}

void add_needles(std::vector<Needle>& needles, const uint32_t* words, size_t count) {
  for (size_t i = 0; i + 1 < count; i += 2) needles.push_back({words[i], words[i + 1]});
  for (size_t i = 1; i + 1 < count; i += 2) needles.push_back({words[i], words[i + 1]});
}

void add_needles(std::vector<Needle>& needles, const Bytes& bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  add_needles(needles, words.data(), words.size());
}

/// All that an attacker would like to find.
std::vector<Needle> needles_of(const Bytes& key, const Bytes& plaintext) {
  const KeySchedule schedule(key);
  const size_t words = 4 * static_cast<size_t>(schedule.rounds() + 1);
  std::vector<Needle> needles;
  add_needles(needles, key);
  add_needles(needles, schedule.encryption().word, words);
  add_needles(needles, schedule.decryption().word, words);
  Bytes hash_key = reference::ecb(key, true, Bytes(16, 0));
  add_needles(needles, hash_key);
  std::ranges::reverse(hash_key);  // as 64-bit words, high half first, it is kept for GHASH
  add_needles(needles, hash_key);
  add_needles(needles, Bytes(plaintext.begin(), plaintext.begin() + 64));
  // The schedules begin and end with the key.
  const auto same = [](const Needle& a, const Needle& b) {
    return a.first == b.first && a.second == b.second;
  };
  std::ranges::sort(needles, {}, [](const Needle& n) { return std::pair(n.first, n.second); });
  needles.erase(std::unique(needles.begin(), needles.end(), same), needles.end());
  return needles;
}

/// All free memory of the device, in pieces from large to small.
class AllFreeMemory {
 public:
  AllFreeMemory() {
    for (size_t bytes = size_t{1} << 30; bytes >= 512; bytes /= 8) {
      for (void* piece = nullptr; pieces_.size() < 100'000 && cudaMalloc(&piece, bytes) == cudaSuccess;) {
        pieces_.push_back({static_cast<uint8_t*>(piece), bytes});
        total_ += bytes;
      }
      cudaGetLastError();
    }
  }
  ~AllFreeMemory() {
    for (const Piece& piece : pieces_) cudaFree(piece.data);
  }
  AllFreeMemory(const AllFreeMemory&) = delete;
  AllFreeMemory& operator=(const AllFreeMemory&) = delete;

  uint64_t hits(std::span<const Needle> needles) const {
    uint64_t all = 0;
    for (const Piece& piece : pieces_) all += look_for(needles, piece.data, piece.bytes).hits;
    return all;
  }
  uint64_t total() const { return total_; }

 private:
  struct Piece {
    uint8_t* data;
    size_t bytes;
  };
  std::vector<Piece> pieces_;
  uint64_t total_ = 0;
};

class KeyResidue : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    look_for(needles_of(key_, plaintext_), nullptr, 0);  // its own memory, before all is taken
  }
  const Bytes key_ = random_bytes(32), plaintext_ = random_bytes(kBytes);
};

/// What is there is found: in the midst of memory, and at its ends.
TEST_F(KeyResidue, WhatIsThereIsFound) {
  const std::vector<Needle> needles = needles_of(key_, plaintext_);
  const DeviceBytes memory(kBytes);
  EXPECT_EQ(look_for(needles, memory.data(), kBytes).hits, 0u);
  for (const uint64_t at : {uint64_t{0}, uint64_t{4092}, kBytes - 8}) {
    EXPECT_EQ(cudaMemcpy(memory.data() + at, key_.data() + 8, 8, cudaMemcpyHostToDevice), cudaSuccess);
    const Finding found = look_for(needles, memory.data(), kBytes);
    EXPECT_EQ(found.hits, 1u);
    EXPECT_EQ(found.place, at);
    EXPECT_EQ(cudaMemset(memory.data() + at, 0, 8), cudaSuccess);
  }
}

/// The control: what somebody frees without wiping is still there for the next.
TEST_F(KeyResidue, WhatIsFreedUnwipedIsFound) {
  const std::vector<Needle> needles = needles_of(key_, plaintext_);
  constexpr size_t kSmall = 4096;
  const DeviceBytes neighbour(kSmall);  // keeps the driver's block of small allocations alive
  void* planted = nullptr;
  ASSERT_EQ(cudaMalloc(&planted, kSmall), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(planted, plaintext_.data(), kSmall, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaFree(planted), cudaSuccess);
  {
    const AllFreeMemory memory;
    EXPECT_GT(memory.hits(needles), 0u)
        << "the scan of " << memory.total() << " bytes would find nothing else";
  }
  ASSERT_EQ(cudaMalloc(&planted, kSmall), cudaSuccess);
  ASSERT_EQ(cudaMemset(planted, 0, kSmall), cudaSuccess);
  ASSERT_EQ(cudaFree(planted), cudaSuccess);
}

TEST_F(KeyResidue, NothingIsLeftOfAKeyThatIsGone) {
  const std::vector<Needle> needles = needles_of(key_, plaintext_);
  work_with(key_, plaintext_);
  const AllFreeMemory memory;
  EXPECT_EQ(memory.hits(needles), 0u) << "in " << memory.total() << " bytes";
  size_t free_bytes = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  RecordProperty("bytes_searched", std::to_string(memory.total()));
  RecordProperty("bytes_of_the_device", std::to_string(total));
  EXPECT_GT(memory.total(), total / 2) << "somebody else has the rest";
}

}  // namespace
}  // namespace warpaes::core::testing
