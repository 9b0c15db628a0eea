// Tests what work leaves behind in the thread that did it. To be as visible as possible, the work leaves a
// pattern on the stack and in vector registers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "failure.hpp"
#include "memory_scan.hpp"
#include "modes/mode_table.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"
#include "pipeline/worker_threads.hpp"
#include "process/residue.hpp"

namespace warpaes::core::testing {
namespace {

/// A pattern that is never written down as it is, but by those who compute it.
class Pattern {
 public:
  uint64_t word() const { return ~hidden_; }
  [[gnu::noipa]] Needles needles() const {
    uint64_t bytes[4];
    std::fill_n(bytes, 4, word());
    Needles made;
    made.add({reinterpret_cast<const uint8_t*>(bytes), sizeof bytes});
    wipe_residue(StackDepth::own_thread);
    return made;
  }

 private:
  const uint64_t hidden_ = std::mt19937_64(std::random_device{}())();
};

/// Fills so much of the stack, and stays long enough for the other threads to come and work too. Nothing of
/// it is moved into its callers (noipa).
template <size_t Bytes>
[[gnu::noipa]] void litter(const Pattern& pattern) {
  uint64_t words[Bytes / 8];
  for (uint64_t& word : words) word = pattern.word();
  asm volatile("" ::"r"(words) : "memory");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

TEST(ThreadResidue, WorkersLeaveNothingOnTheirStacks) {
  const Pattern pattern;
  const Needles needles = pattern.needles();
  WorkerThreads workers(4);
  std::atomic<int> by_others = 0;
  const auto caller = std::this_thread::get_id();
  workers.share(60, [&](uint64_t) {
    litter<12'000>(pattern);
    if (std::this_thread::get_id() == caller) return;
    if (by_others++ == 0) {
      EXPECT_FALSE(find(needles).empty());
    }
  });
  EXPECT_GT(by_others, 0);
  wipe_residue(StackDepth::own_thread);  // the caller's own stack is the caller's to wipe
  EXPECT_EQ(describe(find(needles)), "");
}

TEST(ThreadResidue, TheStackBelowIsZeroedAsDeepAsItSays) {
  const Pattern pattern;
  const Needles needles = pattern.needles();
  litter<30'000>(pattern);
  EXPECT_FALSE(find(needles).empty());
  wipe_residue(StackDepth::own_thread);
  EXPECT_EQ(describe(find(needles)), "");
  litter<7000>(pattern);
  wipe_residue(StackDepth::callers_thread);
  EXPECT_EQ(describe(find(needles)), "");
}

/// Whatever lies below is not the key's alone, so a pattern shows how far the wipe goes.
TEST(ThreadResidue, CreatingAndDestroyingAKeyZeroesTheStackBelow) {
  const Pattern pattern;
  const Needles needles = pattern.needles();
  const Context context({.engine = "portable/t_tables", .threads = 1});
  std::optional<Key> key(std::in_place, context,
                         std::vector<uint8_t>(16, 1));  // after the engine's self-test
  key.reset();
  litter<7000>(pattern);
  EXPECT_FALSE(find(needles).empty());
  key.emplace(context, std::vector<uint8_t>(16, 1));
  EXPECT_EQ(describe(find(needles)), "") << "created";
  litter<7000>(pattern);
  EXPECT_FALSE(find(needles).empty());
  key.reset();
  EXPECT_EQ(describe(find(needles)), "") << "destroyed";
}

/// Leaves the pattern deeper down, where the frames of what is called next do not reach.
template <size_t Above, size_t Bytes>
[[gnu::noipa]] void litter_below(const Pattern& pattern) {
  uint8_t above[Above];
  asm volatile("" ::"r"(above) : "memory");
  litter<Bytes>(pattern);
  asm volatile("" ::"r"(above) : "memory");
}

struct ForgeryRow {
  warpaes_mode mode;
  const Engine* engine;
};

constexpr ForgeryRow kForgeries[] = {
    {WARPAES_MODE_GCM, &portable_t_tables},  {WARPAES_MODE_GCM_SIV, &portable_t_tables},
    {WARPAES_MODE_CCM, &portable_t_tables},  {WARPAES_MODE_EAX, &portable_t_tables},
    {WARPAES_MODE_OCB3, &portable_t_tables}, {WARPAES_MODE_CMAC, &portable_t_tables},
    {WARPAES_MODE_GCM, &openssl_evp}};

/// Somewhere there may be the tag that it should have had.
TEST(ThreadResidue, AForgeryThatIsFoundZeroesTheStackBelow) {
  const Pattern pattern;
  const Needles needles = pattern.needles();
  for (const ForgeryRow& row : kForgeries) {
    SCOPED_TRACE(std::string(mode_row(row.mode).name) + " on " + row.engine->name);
    const uint8_t raw_key[16] = {1}, nonce[12] = {2};
    const auto key = row.engine->prepare(KeySchedule(raw_key), 0);
    uint8_t data[24] = {3}, tag[16] = {4};
    int32_t status = -1;
    Batch forgery{.mode = row.mode,
                  .direction = WARPAES_DIRECTION_DECRYPT,
                  .messages = 1,
                  .bytes = sizeof data,
                  .input = data,
                  .nonce_bytes = 0,
                  .tags = tag,
                  .tag_bytes = sizeof tag,
                  .statuses = &status};
    if (row.mode != WARPAES_MODE_CMAC) {
      forgery.output = data;
      forgery.host_nonce = nonce;
      forgery.host_nonce_bytes = sizeof nonce;
    }
    const auto run = row.engine->modes[row.mode].run;
    litter_below<4000, 3500>(pattern);
    EXPECT_FALSE(find(needles).empty());
    if (run != nullptr) {
      run({.prepared = *key, .bits = 128}, forgery, nullptr, nullptr);
    } else {
      mode_row(row.mode).composed(*row.engine, {.prepared = *key, .bits = 128}, forgery);
    }
    EXPECT_EQ(status, WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(describe(find(needles)), "");
  }
}

TEST(ThreadResidue, AnOperationThatFindsAForgeryZeroesTheStackBelow) {
  const Pattern pattern;
  const Needles needles = pattern.needles();
  const uint8_t nonce[12] = {2}, tag[16] = {4};
  for (const char* const engine : {"openssl", "portable/t_tables"}) {
    const Context context({.engine = engine, .threads = 1});
    const Key key(context, std::vector<uint8_t>(16, 1));
    for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_EAX, WARPAES_MODE_OCB3}) {
      SCOPED_TRACE(std::string(mode_row(mode).name) + " on " + engine);
      Operation forgery(
          key, {.mode = mode, .direction = WARPAES_DIRECTION_DECRYPT, .iv = nonce, .tag_bytes = sizeof tag});
      uint8_t end[32];
      litter_below<4000, 3500>(pattern);
      EXPECT_FALSE(find(needles).empty());
      EXPECT_THROW(forgery.verify(tag, end, sizeof end), Failure);
      EXPECT_EQ(describe(find(needles)), "");
    }
  }
}

#if defined(__x86_64__)

/// Registers 0 to 15, of 16 bytes each.
TEST(ThreadResidue, VectorRegistersAreZeroed) {
  alignas(16) uint8_t pattern[16], found[16 * 16];
  std::memset(pattern, 0xa5, sizeof pattern);
  std::memset(found, 0xff, sizeof found);
  asm volatile(
      "movdqa %0, %%xmm0\n\tmovdqa %0, %%xmm1\n\tmovdqa %0, %%xmm7\n\tmovdqa %0, %%xmm8\n\tmovdqa %0, "
      "%%xmm15" ::"m"(pattern)
      : "xmm0", "xmm1", "xmm7", "xmm8", "xmm15");
  wipe_residue(StackDepth::callers_thread);
  asm volatile(
      "movdqu %%xmm0, (%0)\n\tmovdqu %%xmm1, 16(%0)\n\tmovdqu %%xmm7, 112(%0)\n\t"
      "movdqu %%xmm8, 128(%0)\n\tmovdqu %%xmm15, 240(%0)" ::"r"(found)
      : "memory");
  for (const size_t at : {0, 1, 7, 8, 15}) {
    EXPECT_EQ(std::count(found + 16 * at, found + 16 * at + 16, 0), 16) << "xmm" << at;
  }
}

TEST(ThreadResidue, TheUpperRegistersOfAvx512AreZeroed) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "this processor has no AVX-512";
  alignas(64) uint8_t pattern[64], found[2 * 64];
  std::memset(pattern, 0xa5, sizeof pattern);
  std::memset(found, 0xff, sizeof found);
  asm volatile("vmovdqu64 %0, %%zmm16\n\tvmovdqu64 %0, %%zmm31" ::"m"(pattern));
  wipe_residue(StackDepth::callers_thread);
  asm volatile("vmovdqu64 %%zmm16, (%0)\n\tvmovdqu64 %%zmm31, 64(%0)" ::"r"(found) : "memory");
  EXPECT_EQ(std::count(std::begin(found), std::end(found), 0), 128);
}

#endif

}  // namespace
}  // namespace warpaes::core::testing
