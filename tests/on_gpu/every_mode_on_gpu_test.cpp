// Every mode that the library lists, in device memory: one message, and batches in every layout with one key
// and with a key for each message, at once and in CUDA graphs; each against OpenSSL and against the calls on
// host memory. No call touches a byte that is not its own, and one that is refused touches none.
#include "batches_on_device.hpp"
#include "captured_call.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

class EveryModeOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    context_ = std::make_unique<TestContext>("cuda");
    on_host_ = std::make_unique<TestContext>("auto");
  }
  void expect_message(const DeviceCall& call, const ModeMessage& message, const ImageOptions& options);
  /// The same message in host memory: the two calls share their arguments' meaning.
  void expect_host_agrees(const DeviceCall& call, const ModeMessage& message,
                          const ImageOptions& options) const;
  void expect_batches(const DeviceCall& call, const BatchShape& shape, size_t variant);

  std::unique_ptr<TestContext> context_, on_host_;
  RefusedCalls refused_;
};

void EveryModeOnGpu::expect_message(const DeviceCall& call, const ModeMessage& message,
                                    const ImageOptions& options) {
  const TestCipher cipher(*context_, call.mode->mode, message.key);
  const MessageOnDevice placed(call, cipher.get(), message, options);
  if (refused_.has(call, message, Form::message, [&] { return placed.run(cipher.get(), nullptr); })) {
    EXPECT_TRUE(placed.is_untouched());
    return;
  }
  EXPECT_EQ(placed.run(cipher.get(), nullptr), WARPAES_OK) << warpaes_last_error();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(placed.is_right());
  placed.reset();
  const CapturedCall graph([&](cudaStream_t stream) { return placed.run(cipher.get(), stream); });
  graph.replay();
  EXPECT_TRUE(placed.is_right()) << "replayed";
  if (call.direction == WARPAES_DIRECTION_ENCRYPT || !call.mode->can_refuse()) return;
  placed.damage();
  graph.replay();
  EXPECT_TRUE(placed.is_refused()) << "damaged";
}

void EveryModeOnGpu::expect_host_agrees(const DeviceCall& call, const ModeMessage& message,
                                        const ImageOptions& options) const {
  const TestCipher cipher(*on_host_, call.mode->mode, message.key);
  const MessageImage image(message, call.direction, options);
  Bytes memory = image.before();
  const MessageCall arguments = image.arguments(memory.data());
  const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
  EXPECT_EQ(run(cipher.get(), &arguments.message), WARPAES_OK) << warpaes_last_error();
  EXPECT_TRUE(memory == image.after());
}

/// Around a block, a warp's share and a multiprocessor's; apart and in place, aligned and not; with keys,
/// nonces, tags, strings and data units of all lengths by turns.
TEST_F(EveryModeOnGpu, OneMessageIsTheHostFormsAndOpenssls) {
  for (const DeviceCall& call : device_calls()) {
    size_t variant = 0;
    for (const size_t length : {0u, 1u, 16u, 17u, 511u, 4'099u, 70'001u, 2'000'003u}) {
      if (length > extent_of_tests().longest_message) continue;
      const size_t quick = std::max(call.quick_length(length), std::min<size_t>(length, 300));
      const MessageShape shape = varied_shape(*call.mode, quick, variant++);
      const ModeMessage message = message_of(*call.mode, shape);
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(call.name() + ", " + std::to_string(message.plaintext.size()) + " bytes" +
                     (in_place ? ", in place" : ""));
        const ImageOptions options = {.in_place = in_place, .misaligned = variant % 3};
        expect_message(call, message, options);
        expect_host_agrees(call, message, options);
      }
    }
  }
}

/// RFC 5297 section 7: up to 126, of which a nonce is one. Their addresses take more than one launch to
/// store.
TEST_F(EveryModeOnGpu, SivHasAnyNumberOfStrings) {
  for (const warpaes_direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    const DeviceCall call = device_call(WARPAES_MODE_SIV, direction);
    for (const size_t strings : {0u, 2u, 17u, 126u}) {
      SCOPED_TRACE(call.name() + ", " + std::to_string(strings) + " strings");
      MessageShape shape = {.length = 50, .aad_length = strings % 3 * 17, .aad_strings = strings};
      if (strings < 126) shape.nonce_length = strings % 2 * 12;
      const ModeMessage message = message_of(*call.mode, shape);
      expect_message(call, message, {.misaligned = strings % 3});
      expect_host_agrees(call, message, {});
    }
  }
}

/// So long that all warps share it in GCM. In other modes a lane or a warp has all of it.
TEST_F(EveryModeOnGpu, AdditionalDataMayBeLong) {
  for (const DeviceCall& call : device_calls()) {
    if (!call.mode->has_aad()) continue;
    size_t variant = 0;
    for (const size_t length : {0u, 5'000u}) {
      for (const size_t aad_length : {9'001u, 70'001u, 1'000'000u}) {
        const bool is_shared = call.mode->mode == WARPAES_MODE_GCM;
        if (aad_length > (is_shared ? extent_of_tests().longest_message : 10'000)) continue;
        MessageShape shape = varied_shape(*call.mode, call.quick_length(length), variant++);
        shape.aad_length = aad_length;
        const ModeMessage message = message_of(*call.mode, shape);
        SCOPED_TRACE(call.name() + ", " + std::to_string(message.plaintext.size()) + " bytes with " +
                     std::to_string(aad_length));
        expect_message(call, message, {.misaligned = variant % 3});
      }
    }
  }
}

/// So long that all multiprocessors have work, at a length that no tile divides.
TEST_F(EveryModeOnGpu, LongMessagesOfChainedModesAreDecrypted) {
  const size_t length = std::min<size_t>((48 << 20) + 16, extent_of_tests().longest_message);
  for (const warpaes_mode mode : {WARPAES_MODE_CBC, WARPAES_MODE_CFB}) {
    const DeviceCall call = device_call(mode, WARPAES_DIRECTION_DECRYPT);
    const ModeMessage message = message_of(*call.mode, {.length = length});
    for (const bool in_place : {false, true}) {
      SCOPED_TRACE(call.name() + (in_place ? ", in place" : ""));
      expect_message(call, message, {.in_place = in_place});
    }
  }
}

/// At once and captured. The arguments stay while other messages come: what is replayed reads keys, nonces,
/// texts and tags anew, and judges what is there then.
void EveryModeOnGpu::expect_batches(const DeviceCall& call, const BatchShape& shape, size_t variant) {
  constexpr size_t kLength = 150;
  MessageShape like = varied_shape(*call.mode, kLength, variant);
  like.data_unit = like.unused_bits = 0;  // not in batches
  const std::vector<ModeMessage> first = messages_for(*call.mode, shape, extent_of_tests().messages, like);
  like.seed += 1000;
  std::vector<ModeMessage> second = messages_for(*call.mode, shape, extent_of_tests().messages, like);
  if (!shape.key_each) {
    for (ModeMessage& each : second) {
      each.key = first.front().key;
      seal_by_openssl(each);
    }
  }
  const TestCipher cipher(*context_, call.mode->mode, shape.key_each ? Bytes() : first.front().key);
  BatchOnDevice batch(call, cipher.get(), first, shape);
  batch.hold(first);
  if (refused_.has(call, first.front(), Form::batch, [&] { return batch.run(cipher.get(), nullptr); })) {
    EXPECT_TRUE(batch.is_untouched());
    return;
  }
  EXPECT_EQ(batch.run(cipher.get(), nullptr), WARPAES_OK) << warpaes_last_error();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(batch.is_right());
  const CapturedCall graph([&](cudaStream_t stream) { return batch.run(cipher.get(), stream); });
  for (size_t round = 0; round < extent_of_tests().replays; round++) {
    batch.hold(first, batch.what_can_be_wrong());
    graph.replay();
    EXPECT_TRUE(batch.is_right()) << "with what can be wrong, replay " << round;
    batch.hold(second);
    graph.replay();
    EXPECT_TRUE(batch.is_right()) << "with other messages, replay " << round;
  }
}

TEST_F(EveryModeOnGpu, BatchesInEveryLayoutUnderOneKey) {
  for (const DeviceCall& call : device_calls()) {
    size_t variant = 0;
    for (const Layout layout : kLayouts) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(call.name() + ", " + name_of(layout) + (in_place ? ", in place" : ""));
        expect_batches(call, {layout, in_place, false}, variant++);
      }
    }
  }
}

TEST_F(EveryModeOnGpu, BatchesInEveryLayoutWithAKeyEach) {
  for (const DeviceCall& call : device_calls()) {
    size_t variant = 0;
    for (const Layout layout : kLayouts) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(call.name() + ", " + name_of(layout) + (in_place ? ", in place" : ""));
        expect_batches(call, {layout, in_place, true}, variant++);
      }
    }
  }
}

/// Batches of fewer messages than multiprocessors may have a kernel of their own, also on the emulated GPU,
/// which has three of them. Each batch has three kinds of what can be wrong.
TEST_F(EveryModeOnGpu, SmallBatchesLeaveWrongMessagesAlone) {
  for (const DeviceCall& call : device_calls()) {
    for (const bool key_each : {false, true}) {
      SCOPED_TRACE(call.name() + (key_each ? ", a key each" : ""));
      const BatchShape shape{Layout::kPointers, false, key_each};
      const auto messages = messages_for(*call.mode, shape, 6, {.length = 150});
      const TestCipher cipher(*context_, call.mode->mode, key_each ? Bytes() : messages.front().key);
      BatchOnDevice batch(call, cipher.get(), messages, shape);
      batch.hold(messages);
      const auto run = [&] { return batch.run(cipher.get(), nullptr); };
      if (refused_.has(call, messages.front(), Form::batch, run)) continue;
      for (size_t from = 0; from < static_cast<size_t>(Wrong::kOverlap); from += 3) {
        batch.hold(messages, batch.what_can_be_wrong(from));
        EXPECT_EQ(run(), WARPAES_OK) << warpaes_last_error();
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_TRUE(batch.is_right()) << "with what can be wrong from kind " << from << " on";
      }
    }
  }
}

/// No message at all is nothing to do.
TEST_F(EveryModeOnGpu, AnEmptyBatchIsDone) {
  for (const DeviceCall& call : device_calls()) {
    SCOPED_TRACE(call.name());
    const TestCipher cipher(*context_, call.mode->mode, key_from(1, *call.mode));
    auto batch = sized<warpaes_batch>();
    const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device
                                                                 : warpaes_decrypt_batch_device;
    const auto run_it = [&] { return run(cipher.get(), &batch, nullptr, 0, nullptr); };
    if (refused_.has(call, message_of(*call.mode, {.length = 64}), Form::batch, run_it)) continue;
    EXPECT_EQ(run_it(), WARPAES_OK) << warpaes_last_error();
  }
}

}  // namespace
}  // namespace warpaes::core::testing
