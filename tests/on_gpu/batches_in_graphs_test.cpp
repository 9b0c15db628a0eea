// Batches of wrapped keys, and batches with a key each, in CUDA graphs.
#include <memory>

#include "captured_call.hpp"
#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kMessages = 300;

Bytes counting(size_t bytes, uint8_t first) {
  Bytes made(bytes);
  for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(first + i * 7 + i / 256);
  return made;
}

Bytes piece(const Bytes& all, size_t index, size_t bytes) {
  const auto at = all.begin() + static_cast<ptrdiff_t>(index * bytes);
  return {at, at + static_cast<ptrdiff_t>(bytes)};
}

class BatchesInGraphs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
  }
};

/// Wrapped, and unwrapped where they are then; one that has been damaged meanwhile is refused.
TEST_F(BatchesInGraphs, KeysAreWrappedAndUnwrapped) {
  constexpr size_t kBytes = 32, kWrapped = kBytes + 8;
  const TestContext context("cuda");
  const Bytes raw_key = counting(32, 9);
  const TestKey key(context, raw_key);
  const DeviceBytes plain(kBytes * kMessages), wrapped(kWrapped * kMessages), back(kBytes * kMessages),
      statuses(4 * kMessages);
  warpaes_key_wrap_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = kBytes;
  batch.input = plain.data();
  batch.output = wrapped.data();
  batch.output_stride = kWrapped;
  const CapturedCall wrap([&](cudaStream_t stream) {
    return warpaes_key_wrap_batch_device(key.get(), WARPAES_KW, WARPAES_ENCRYPT, &batch, stream);
  });
  batch.bytes = batch.input_stride = kWrapped;
  batch.input = wrapped.data();
  batch.output = back.data();
  batch.output_stride = kBytes;
  batch.statuses = reinterpret_cast<int32_t*>(statuses.data());
  const CapturedCall unwrap([&](cudaStream_t stream) {
    return warpaes_key_wrap_batch_device(key.get(), WARPAES_KW, WARPAES_DECRYPT, &batch, stream);
  });
  for (const uint8_t round : {1, 2}) {
    const Bytes text = counting(kBytes * kMessages, round);
    plain.write(text);
    wrap.replay();
    const Bytes found = wrapped.read(kWrapped * kMessages);
    for (size_t m = 0; m < kMessages; m++) {
      ASSERT_EQ(piece(found, m, kWrapped), reference::key_wrap(false, raw_key, piece(text, m, kBytes))) << m;
    }
    unwrap.replay();
    EXPECT_EQ(back.read(kBytes * kMessages), text);
    EXPECT_EQ(statuses.read(4 * kMessages), Bytes(4 * kMessages, 0));
    Bytes damaged = found;
    damaged[0] ^= 1;
    wrapped.write(damaged);
    unwrap.replay();
    EXPECT_EQ(back.read(kBytes), Bytes(kBytes, 0));
    EXPECT_EQ(statuses.read(4), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0}));
    EXPECT_EQ(back.read(kBytes, kBytes), piece(text, 1, kBytes));
  }
}

/// The keys are read when a replay comes to them.
TEST_F(BatchesInGraphs, KeysEachAreReadAnew) {
  constexpr size_t kBytes = 80, kKeyBytes = 24;
  const TestContext context("cuda");
  const DeviceBytes keys(kKeyBytes * kMessages), data(kBytes * kMessages), ivs(16 * kMessages);
  warpaes_cipher_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = kBytes;
  batch.input = batch.output = data.data();
  batch.ivs = ivs.data();
  batch.iv_stride = 16;
  const auto captured = [&](warpaes_direction direction) {
    return std::make_unique<CapturedCall>([&, direction](cudaStream_t stream) {
      return warpaes_cipher_batch_key_each_device(context.get(), keys.data(), kKeyBytes, kKeyBytes,
                                                  WARPAES_MODE_CBC, direction, &batch, stream);
    });
  };
  const auto encrypt = captured(WARPAES_ENCRYPT), decrypt = captured(WARPAES_DECRYPT);
  const Bytes initial = counting(16 * kMessages, 77), text = counting(kBytes * kMessages, 5);
  ivs.write(initial);
  for (const uint8_t round : {1, 2}) {
    const Bytes raw_keys = counting(kKeyBytes * kMessages, round);
    keys.write(raw_keys);
    data.write(text);
    encrypt->replay();
    const Bytes found = data.read(kBytes * kMessages);
    for (size_t m = 0; m < kMessages; m++) {
      ASSERT_EQ(piece(found, m, kBytes), reference::crypt("CBC", piece(raw_keys, m, kKeyBytes),
                                                          piece(initial, m, 16), piece(text, m, kBytes)))
          << m;
    }
    decrypt->replay();
    EXPECT_EQ(data.read(kBytes * kMessages), text);
  }
}

}  // namespace
}  // namespace warpaes::testing
