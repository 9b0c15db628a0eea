// What kernels leave in shared memory when they end, which CUDA does not clear before the next kernel: the
// tables of AES, which are no secret, and nothing that depends on keys or messages.
//
// Along with it, all that key_residue_test does with a key before it searches a GPU's memory is tried here,
// as it is the longest list of calls that there is.
#include <bit>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <unordered_set>

#include "device_calls.hpp"
#include "emulated_gpu/emulated_grid.hpp"
#include "kernels/grid/bitsliced_batches.hpp"
#include "primitives/sbox.hpp"
#include "work_with_a_key.hpp"

namespace warpaes::core::testing {
namespace {

/// The words that tables consist of, and what memory holds in which nothing was written.
std::unordered_set<uint32_t> public_words() {
  std::unordered_set<uint32_t> words{0xA5A5A5A5};
  for (size_t i = 0; i < 256; i++) {
    uint32_t of_sbox = 0;
    if (i % 4 == 0) std::memcpy(&of_sbox, kSBox.data() + i, sizeof of_sbox);
    words.insert(of_sbox);
    for (int bits = 0; bits < 32; bits += 8) {
      words.insert(std::rotl(kT0[i], bits));
      words.insert(std::rotl(kInverseT0[i], bits));
    }
  }
  return words;
}

/// Where a warp is in a batch, lengths and statuses are no secret. A word that is one of those by chance
/// occurs once in a million.
bool is_small_number(uint32_t word) { return word < 4096; }

/// A warp of kernels on bit planes for batches keeps where it is, and nothing else. Behind the last member is
/// padding, which C++ gives no value: nvcc's code leaves it as it was or sets it to zero (its stores to
/// shared memory show that), where a host's compiler may copy whatever the emulated thread's stack had there.
bool is_padding(size_t shared_bytes, size_t at) {
  constexpr size_t kUsed = offsetof(SlicedBatchScratch, within) + sizeof(SlicedBatchScratch::within);
  constexpr size_t kLongest = 32 * sizeof(SlicedBatchScratch);  // other kernels have more shared memory
  return shared_bytes <= kLongest && at % sizeof(SlicedBatchScratch) >= kUsed;
}

struct Left {
  std::mutex mutex;  // calls on host memory have threads of their own
  uint64_t blocks = 0, words = 0, secret_words = 0;
  uint32_t shared_bytes = 0;  // of the first thread block that left something
} left;

void look_at(std::span<const uint8_t> memory) {
  static const std::unordered_set<uint32_t> kPublic = public_words();
  uint64_t secret = 0;
  uint32_t last = 0;  // that was public: tables have one copy of a word for each lane, one behind the other
  for (size_t at = 0; at + 4 <= memory.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, memory.data() + at, 4);
    if (word == last || is_padding(memory.size(), at)) continue;
    if (kPublic.contains(word) || is_small_number(word)) {
      last = word;
    } else {
      secret++;
    }
  }
  const std::lock_guard lock(left.mutex);
  left.blocks++;
  left.words += memory.size() / 4;
  if (secret != 0 && left.secret_words == 0) left.shared_bytes = static_cast<uint32_t>(memory.size());
  left.secret_words += secret;
}

TEST(SharedMemory, HoldsTablesOnlyWhenKernelsHaveEnded) {
  emulated::shared_memory_left = look_at;
  for (const char* engine : {"cuda", "cuda/bitsliced"}) {
    SCOPED_TRACE(engine);
    work_with(bytes_from(5, 32), bytes_from(6, extent_of_tests().longest_message), engine);
  }
  emulated::shared_memory_left = nullptr;
  EXPECT_GT(left.blocks, 100u);
  EXPECT_EQ(left.secret_words, 0u) << "of " << left.words << " in " << left.blocks
                                   << " thread blocks; the first with any has " << left.shared_bytes
                                   << " bytes of shared memory";
}

}  // namespace
}  // namespace warpaes::core::testing
