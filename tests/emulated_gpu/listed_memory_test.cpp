// What the kernels for lists of long messages leave in memory, and when they begin to read it, on the
// emulated GPU. From sums of GHASH the hash key can be computed, and so from tags if the encrypted first
// counter of their message is known: with the hash key, tags can be forged.
#include <functional>
#include <span>
#include <unordered_set>
#include <utility>

#include "emulated_gpu/emulated_grid.hpp"
#include "emulated_machine.hpp"
#include "listed_fixture.hpp"

namespace warpaes::core::listed {
namespace {

/// Looks for words in the shared memory of each thread block that has ended.
struct Searched {
  static inline std::unordered_set<uint32_t> words;
  static inline size_t blocks, found;

  static void look_at(std::span<const uint8_t> memory) {
    blocks++;
    for (size_t at = 0; at + 4 <= memory.size(); at += 4) {
      uint32_t word = 0;
      std::memcpy(&word, memory.data() + at, 4);
      found += words.contains(word) ? 1 : 0;
    }
  }
};

/// Has the last launch of a call find zeros in the workspace until one of its threads has waited: a plan of
/// no groups, whereas another one could keep it busy for ever. How many launches there are is counted first.
struct LateWorkspace {
  static inline Memory* workspace;
  static inline uint32_t launches, last;

  static void launch(int, Stream, const std::function<void()>& work) {
    if (++launches == last) {
      Bytes contents = workspace->contents();
      std::fill_n(workspace->data(), contents.size(), uint8_t{0});
      emulated::predecessors = [contents] { std::ranges::copy(contents, workspace->data()); };
    }
    work();
  }
};

class ListedMemory : public EmulatedListed {
 protected:
  void TearDown() override {
    emulated::shared_memory_left = nullptr;
    emulated::predecessors = nullptr;
    emulated_launch = nullptr;
  }

  /// The hash key's words, and those of all messages' encrypted first counters, in both orders of bytes.
  std::unordered_set<uint32_t> secret_words() const {
    Bytes blocks(16, 0);
    for (size_t m = 0; m < count(); m++) {
      blocks.insert(blocks.end(), nonce(m), nonce(m) + 12);
      blocks.insert(blocks.end(), {0, 0, 0, 1});
    }
    const Bytes secrets = reference::ecb(secret_, true, blocks);
    std::unordered_set<uint32_t> words;
    for (size_t at = 0; at < secrets.size(); at += 4) {
      uint32_t word = 0;
      std::memcpy(&word, secrets.data() + at, 4);
      words.insert({word, reverse_bytes(word)});
    }
    return words;
  }

  /// What may stay are lengths, how they were dealt out, and what was there before.
  void expect_no_sums() {
    const size_t of_lengths = count() * sizeof(uint64_t) + sizeof(ListedPlan);
    const Bytes workspace = workspace_.contents();
    const auto dirty = [](uint8_t byte) { return byte != 0 && byte != kOfEarlierCalls; };
    const auto first = std::ranges::find_if(workspace, dirty);
    const auto last = std::find_if(workspace.rbegin(), workspace.rend(), dirty).base();
    EXPECT_LE(static_cast<size_t>(last - first), of_lengths) << "sums, or counts of warps";
    EXPECT_GT(last - first, 0) << "this test looks at what is no workspace";
  }
};

TEST_P(ListedMemory, HoldsNoSecretsAfterACall) {
  make(mixed_and_aligned(), 16);
  Searched::words = secret_words();
  Searched::blocks = Searched::found = 0;
  emulated::shared_memory_left = Searched::look_at;
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    hold(direction == WARPAES_DIRECTION_DECRYPT);
    tags_[0] ^= 1;
    run(direction);
    expect_no_sums();
    expect_shared_as_one(true);
  }
  EXPECT_GT(Searched::blocks, 0u);
  EXPECT_EQ(Searched::found, 0u) << "words of a secret in the shared memory of " << Searched::blocks
                                 << " thread blocks";
}

/// The kernel is started while the one that plans still runs.
TEST_P(ListedMemory, IsNotReadBeforeThePlanIsThere) {
  for (const auto& tensors : {mixed(), mixed_and_aligned()}) {
    make(tensors, 16);
    LateWorkspace::workspace = &workspace_;
    emulated_launch = LateWorkspace::launch;
    LateWorkspace::launches = LateWorkspace::last = 0;
    hold(false);
    run(WARPAES_DIRECTION_ENCRYPT);
    LateWorkspace::last = std::exchange(LateWorkspace::launches, 0);
    expect_encryption();
    EXPECT_EQ(LateWorkspace::launches, LateWorkspace::last);
    EXPECT_FALSE(emulated::predecessors) << "no thread has waited";
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, ListedMemory, engines_with_lists(), name_of_engine);

}  // namespace
}  // namespace warpaes::core::listed
