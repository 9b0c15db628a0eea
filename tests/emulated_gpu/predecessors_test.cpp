// A kernel is started while what comes before it on its stream still runs. So it may do only what needs no
// memory until it has waited. Here its predecessor brings the data, the nonce and the workspace as they shall
// be at the moment at which the kernel's first thread waits.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated_engines.hpp"
#include "emulated_gpu/emulated_grid.hpp"
#include "engines/batch.hpp"
#include "evp_reference.hpp"
#include "kernels/emulate.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using reference::Bytes;
constexpr uint8_t kTooEarly = 0x5a;

/// One message of GCM, of which a kernel finds nothing before it has waited.
class Message {
 public:
  Message(size_t bytes, size_t aad_bytes)
      : aad_(random_bytes(random_, aad_bytes)),
        text_(random_bytes(random_, bytes)),
        memory_(bytes, kTooEarly) {
    sealed_ = reference::gcm(key_, nonce_, aad_, text_, 16);
  }

  void expect_right(const Engine& engine, Direction direction, bool nonce_on_device) {
    const bool encrypt = direction == WARPAES_DIRECTION_ENCRYPT;
    Bytes nonce(12, kTooEarly), aad(aad_.size(), kTooEarly), tag(16, kTooEarly);
    int32_t status = -1;
    const ModeSupport& gcm = engine.modes[WARPAES_MODE_GCM];
    Bytes workspace(gcm.workspace_bytes(1, memory_.size()), kTooEarly);
    Batch batch{.direction = direction, .messages = 1, .bytes = memory_.size()};
    batch.input = batch.output = memory_.data();
    batch.aad = aad.data();
    batch.aad_bytes = aad.size();
    batch.tags = tag.data();
    batch.tag_bytes = 16;
    batch.statuses = &status;
    batch.nonces = nonce_on_device ? nonce.data() : nullptr;
    batch.host_nonce = nonce_on_device ? nullptr : nonce_.data();
    batch.host_nonce_bytes = batch.nonce_bytes = 12;
    emulated::predecessors = [&] {
      memory_ = encrypt ? text_ : sealed_.ciphertext;
      nonce = nonce_;
      aad = aad_;
      if (!encrypt) tag = sealed_.tag;
      // The first kernel of a message with long additional data finds a part of it cleared.
      if (aad_.size() < 8192) std::ranges::fill(workspace, uint8_t{0xee});
    };
    const auto key = engine.prepare(KeySchedule(key_), 0);
    gcm.run({*key, 128}, batch, workspace.data(), nullptr);
    EXPECT_FALSE(emulated::predecessors) << "no thread has waited";
    emulated::predecessors = nullptr;
    EXPECT_EQ(status, WARPAES_OK);
    EXPECT_TRUE(memory_ == (encrypt ? sealed_.ciphertext : text_));
    EXPECT_EQ(tag, sealed_.tag);
  }

 private:
  std::mt19937_64 random_{27};
  const Bytes key_ = random_bytes(random_, 16), nonce_ = random_bytes(random_, 12);
  const Bytes aad_, text_;
  Bytes memory_;
  reference::Sealed sealed_;
};

class Predecessors : public ::testing::TestWithParam<const Engine*> {};

/// Lengths for the kernels for a short message in one thread block and in several, for long messages, and for
/// those of both kinds of warps.
TEST_P(Predecessors, AreWaitedForBeforeMemoryIsUsed) {
  for (const size_t bytes : {1u, 100u, 4'000u, 20'000u, 70'000u}) {
    for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      for (const bool nonce_on_device : {false, true}) {
        SCOPED_TRACE(std::to_string(bytes) + " bytes, " + (nonce_on_device ? "nonce on the device, " : "") +
                     (direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt"));
        Message(bytes, 20).expect_right(*GetParam(), direction, nonce_on_device);
      }
    }
  }
}

/// The kernel that hashes it comes first.
TEST_P(Predecessors, AreWaitedForBeforeLongAdditionalDataIsRead) {
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    Message(100, 40'000).expect_right(*GetParam(), direction, false);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Predecessors, ::testing::ValuesIn(emulated_engines()),
                         [](const auto& test) { return std::string(test.param->kernel); });

/// A kernel that begins at once, and whose last thread ends without having waited.
struct Forgetful : kernels::WithoutKey {
  struct Arguments {};
  static constexpr kernels::KernelPolicy policy(const LaunchPolicy&, int) {
    return {.threads = 64, .tables = 1};
  }
  template <kernels::KernelPolicy kPolicy, int Rounds, class Thread>
  static void run(Thread& thread, const Arguments&) {
    if (thread.index() != 63) thread.await_predecessors();
  }
};
constexpr LaunchPolicy kPolicy = policy_for(90, true);

TEST(EmulatedKernel, ThreadThatDoesNotWaitForPredecessorsIsFound) {
  EXPECT_THROW((kernels::emulate<kPolicy, Forgetful>({}, 0, {1})), std::logic_error);
}

}  // namespace
}  // namespace warpaes::core
