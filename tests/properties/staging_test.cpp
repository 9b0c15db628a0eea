// Host memory through device memory, with memory posing as the device's: what is cut, copied, retried and
// wiped, against OpenSSL's engine on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "failure.hpp"
#include "memory_posing_as_device.hpp"
#include "modes/mode_table.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/staged_pieces.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kMiB = 1 << 20;

Bytes random_bytes(size_t count, uint64_t seed) {
  std::mt19937_64 generator(seed);
  Bytes made(count + 8);
  for (size_t i = 0; i < count; i += 8) {
    const uint64_t word = generator();
    std::copy_n(reinterpret_cast<const uint8_t*>(&word), 8, made.data() + i);
  }
  made.resize(count);
  return made;
}

class Staging : public ::testing::Test {
 protected:
  Staging() { posing::device() = {}; }

  const Bytes raw_key_ = random_bytes(32, 1);
  Context cpu_{{.engine = "openssl"}}, gpu_{{.engine = "cuda"}};
  Key cpu_key_{cpu_, raw_key_}, gpu_key_{gpu_, raw_key_};
  const Bytes counter_ = Bytes(16, 0xff);

  Bytes ctr_by(const Key& key, const Bytes& input) {
    Bytes output(input.size());
    ctr_host(key, {counter_.data(), input.data(), output.data(), input.size()});
    return output;
  }
};

/// A batch of messages, the tag of each behind it.
struct SealedMessages {
  uint64_t messages, bytes, gap;
  Bytes nonces, aad, plaintext, sealed;
  std::vector<int32_t> statuses;

  SealedMessages(uint64_t count, uint64_t length, uint64_t between)
      : messages(count),
        bytes(length),
        gap(between),
        nonces(random_bytes(12 * count, 2)),
        aad(random_bytes(20 * count, 3)),
        plaintext(random_bytes(length * count, 4)),
        sealed(count * (length + 16 + between)),
        statuses(count, -1) {}

  Batch arguments(Direction direction) {
    const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
    const uint64_t stride = bytes + 16 + gap;
    return {.direction = direction,
            .messages = messages,
            .bytes = bytes,
            .input = encrypting ? plaintext.data() : sealed.data(),
            .input_stride = encrypting ? bytes : stride,
            .output = encrypting ? sealed.data() : plaintext.data(),
            .output_stride = encrypting ? stride : bytes,
            .host_nonce = nullptr,
            .host_nonce_bytes = 0,
            .nonces = nonces.data(),
            .nonce_stride = 12,
            .aad = aad.data(),
            .aad_bytes = 20,
            .aad_stride = 20,
            .tags = sealed.data() + bytes,
            .tag_stride = stride,
            .tag_bytes = 16,
            .statuses = statuses.data()};
  }
};

TEST_F(Staging, ManyPiecesAreOneRun) {
  const Bytes input = random_bytes(2 * kPieceBytes + 5, 5);
  EXPECT_TRUE(ctr_by(gpu_key_, input) == ctr_by(cpu_key_, input));
  EXPECT_EQ(posing::device().engine_calls, 3);
  EXPECT_LE(posing::device().memory_used, 2 * kPieceBytes);

  Bytes blocks = input, expected(kPieceBytes + 16);
  ecb_host(cpu_key_, WARPAES_DIRECTION_DECRYPT, {input.data(), expected.data(), expected.size()});
  ecb_host(gpu_key_, WARPAES_DIRECTION_DECRYPT, {blocks.data(), blocks.data(), expected.size()});
  blocks.resize(expected.size());
  EXPECT_TRUE(blocks == expected);
}

TEST_F(Staging, ABatchOf64MiBIsOneEngineCallEachWay) {
  SealedMessages batch(4096, 16384, 0);
  const Bytes plaintext = batch.plaintext;
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  EXPECT_EQ(posing::device().engine_calls, 1);
  std::fill(batch.plaintext.begin(), batch.plaintext.end(), uint8_t{0});
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_DECRYPT));
  EXPECT_EQ(posing::device().engine_calls, 2);
  EXPECT_TRUE(batch.plaintext == plaintext);
}

TEST_F(Staging, BatchesOfAllShapesAreTheCpus) {
  for (const uint64_t bytes : {0u, 1u, 15u, 16u, 1000u, 70000u}) {
    for (const uint64_t messages : {0u, 1u, 2u, 33u}) {
      for (const uint64_t gap : {0u, 1u, 100u, 5000u}) {
        SCOPED_TRACE(std::to_string(messages) + " x " + std::to_string(bytes) + ", gap " +
                     std::to_string(gap));
        SealedMessages by_gpu(messages, bytes, gap), by_cpu = by_gpu;
        batch_host(gpu_key_, by_gpu.arguments(WARPAES_DIRECTION_ENCRYPT));
        batch_host(cpu_key_, by_cpu.arguments(WARPAES_DIRECTION_ENCRYPT));
        ASSERT_TRUE(by_gpu.sealed == by_cpu.sealed);
        if (messages > 0) by_gpu.sealed[(messages - 1) * (bytes + 16 + gap) + bytes] ^= 1;
        by_cpu.sealed = by_gpu.sealed;
        batch_host(gpu_key_, by_gpu.arguments(WARPAES_DIRECTION_DECRYPT));
        batch_host(cpu_key_, by_cpu.arguments(WARPAES_DIRECTION_DECRYPT));
        ASSERT_TRUE(by_gpu.plaintext == by_cpu.plaintext);
        ASSERT_EQ(by_gpu.statuses, by_cpu.statuses);
        if (messages > 0) {
          ASSERT_EQ(by_gpu.statuses.back(), WARPAES_ERROR_AUTHENTICATION);
        }
      }
    }
  }
}

struct Work {
  warpaes_mode mode;
  Direction direction;
};
constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// Messages as rows, ragged and scattered.
struct CipherMessages {
  uint64_t count, bytes, gap;
  Bytes ivs = random_bytes(16 * count, 12), memory = random_bytes(count * (bytes + gap), 13);
  Bytes tags = Bytes(20 * count, 0x5a);
  std::vector<int32_t> statuses = std::vector<int32_t>(count, -1);
  std::vector<uint64_t> output_lengths = std::vector<uint64_t>(count, 5);
  std::vector<uint64_t> lengths = {};
  std::vector<const uint8_t*> inputs = {};
  std::vector<uint8_t*> outputs = {};

  Batch arguments(const Work& work, bool scattered) {
    const uint64_t stride = bytes + gap;
    const ModeRow& mode = mode_row(work.mode);
    Batch batch{.mode = work.mode,
                .direction = work.direction,
                .messages = count,
                .bytes = bytes,
                .input = memory.data(),
                .input_stride = stride,
                .output = mode.has_output ? memory.data() : nullptr,
                .output_stride = stride,
                .nonces = ivs.data(),
                .nonce_stride = 16,
                .nonce_bytes = mode.recommended_nonce,
                .tags = tags.data(),
                .tag_stride = 20,
                .tag_bytes = 16,
                .statuses = statuses.data()};
    if (mode.changes_length()) batch.output_lengths = output_lengths.data();
    if (!scattered) return batch;
    for (uint64_t m = 0; m < count; m++) {
      lengths.push_back(m * 37 % (bytes + 1));
      inputs.push_back(memory.data() + (count - 1 - m) * stride);
      outputs.push_back(memory.data() + (count - 1 - m) * stride);
    }
    batch.lengths = lengths.data();
    batch.inputs = inputs.data();
    batch.outputs = mode.has_output ? outputs.data() : nullptr;
    return batch;
  }
};

TEST_F(Staging, MessagesAreTheCpus) {
  const Bytes key_memory = random_bytes(600 * 29, 14);
  for (const Work& work :
       {Work{WARPAES_MODE_ECB, kDecrypt}, Work{WARPAES_MODE_CBC, kEncrypt}, Work{WARPAES_MODE_CBC, kDecrypt},
        Work{WARPAES_MODE_CFB, kEncrypt}, Work{WARPAES_MODE_OFB, kEncrypt}, Work{WARPAES_MODE_CTR, kEncrypt},
        Work{WARPAES_MODE_CMAC, kEncrypt}, Work{WARPAES_MODE_KW, kEncrypt}, Work{WARPAES_MODE_KWP, kEncrypt},
        Work{WARPAES_MODE_CBC_PKCS7, kEncrypt}, Work{WARPAES_MODE_CBC_PKCS7, kDecrypt},
        Work{WARPAES_MODE_CBC_CS3, kEncrypt}, Work{WARPAES_MODE_CFB8, kDecrypt}}) {
    for (const bool scattered : {false, true}) {
      for (const uint64_t count : {0u, 1u, 33u, 600u}) {
        for (const uint64_t bytes : {0u, 16u, 1008u}) {
          // There is no key to wrap, nothing to unpad, and nothing to steal from.
          const bool needs_bytes = !mode_row(work.mode).lengths(work.direction).or_none;
          if (needs_bytes && bytes == 0) continue;
          SCOPED_TRACE(std::to_string(count) + " x " + std::to_string(bytes));
          CipherMessages by_gpu{count, bytes, 24}, by_cpu = by_gpu;
          const int calls = posing::device().engine_calls;
          // Each third batch has a key each: 24 bytes, 29 apart.
          const bool key_each = (count + bytes) % 3 == 0;
          const KeyArray keys{key_memory.data(), 29, 24};
          if (key_each) {
            batch_key_each_host(gpu_, keys, by_gpu.arguments(work, scattered));
            batch_key_each_host(cpu_, keys, by_cpu.arguments(work, scattered));
          } else {
            batch_host(gpu_key_, by_gpu.arguments(work, scattered));
            batch_host(cpu_key_, by_cpu.arguments(work, scattered));
          }
          EXPECT_EQ(posing::device().engine_calls - calls, count > 0 ? 1 : 0) << "all messages together";
          ASSERT_TRUE(by_gpu.memory == by_cpu.memory);
          ASSERT_TRUE(by_gpu.tags == by_cpu.tags);
          ASSERT_EQ(by_gpu.statuses, by_cpu.statuses);
          ASSERT_EQ(by_gpu.output_lengths, by_cpu.output_lengths);
        }
      }
    }
  }
  EXPECT_EQ(posing::dirty_bytes(), 0u);
  EXPECT_EQ(posing::device().dirty_bytes_freed, 0u);
}

/// The GPU's kernel finds the nonce in device memory, where the context has no engine that takes it from the
/// host.
TEST_F(Staging, AMessageOfSivHasItsNonceOnTheDevice) {
  const Bytes nonce = random_bytes(20, 15), text = random_bytes(1000, 16);
  std::vector<Bytes> made;
  for (const Context* context : {&gpu_, &cpu_}) {
    const Cipher cipher(*context, WARPAES_MODE_SIV, random_bytes(64, 17));
    Bytes output(text.size()), tag(16);
    Message message{};
    message.direction = kEncrypt;
    message.input = text.data();
    message.bytes = text.size();
    message.output = output.data();
    message.nonce = nonce.data();
    message.nonce_bytes = nonce.size();
    message.tag = tag.data();
    message.tag_bytes = tag.size();
    run_message(cipher, message);
    output.insert(output.end(), tag.begin(), tag.end());
    made.push_back(output);
  }
  EXPECT_EQ(posing::device().engine_calls, 1);
  EXPECT_TRUE(made[0] == made[1]);
}

TEST_F(Staging, AFaultAmongMessagesLeavesNoHalfOutput) {
  for (const Work& work : {Work{WARPAES_MODE_CBC, kEncrypt}, Work{WARPAES_MODE_CMAC, kEncrypt}}) {
    const bool is_mac = work.mode == WARPAES_MODE_CMAC;
    for (int at = 0; at < 6; at++) {
      CipherMessages messages{40, kMiB / 4, 0};
      posing::device().memory_limit = 6 * kMiB;  // for small pieces: 2 MiB
      posing::device().copies_until_failure = at;
      EXPECT_THROW(batch_host(gpu_key_, messages.arguments(work, false)), Failure);
      const Bytes& output = is_mac ? messages.tags : messages.memory;
      for (uint64_t m = 0; m < messages.count; m++) {
        const auto first = output.begin() + static_cast<ptrdiff_t>(m * (is_mac ? 20 : kMiB / 4));
        ASSERT_TRUE(std::all_of(first, first + 16, [](uint8_t byte) { return byte == 0; }));
      }
      EXPECT_EQ(messages.statuses, std::vector<int32_t>(40, WARPAES_ERROR_CUDA));
      EXPECT_EQ(posing::dirty_bytes(), 0u);
    }
  }
}

TEST_F(Staging, ThreadsShareTheLanes) {
  const Bytes input = random_bytes(kMiB + 3, 11), expected = ctr_by(cpu_key_, input);
  std::vector<int> wrong(6, 0);
  std::vector<std::thread> threads;
  for (int& mine : wrong) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; round++) mine += ctr_by(gpu_key_, input) != expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(6, 0));
  EXPECT_EQ(posing::dirty_bytes(), 0u);
  EXPECT_EQ(posing::device().dirty_bytes_freed, 0u);
}

TEST_F(Staging, NothingOfACallStaysInDeviceMemory) {
  SealedMessages batch(100, 10000, 3);
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  ctr_by(gpu_key_, random_bytes(3 * kMiB, 6));
  EXPECT_GT(posing::device().memory_used, 0u);  // lanes are kept
  EXPECT_EQ(posing::dirty_bytes(), 0u);
  ctr_by(gpu_key_, random_bytes(kPieceBytes + 1, 7));  // another size: the old lane is given up
  EXPECT_EQ(posing::device().dirty_bytes_freed, 0u);
}

/// A parcel is what was gathered of nonces, tags and additional data, in pinned memory of the host.
TEST_F(Staging, NothingOfACallStaysInItsParcel) {
  {
    Context context({.engine = "cuda"});
    const Key key(context, raw_key_);
    SealedMessages batch(100, 100, 3);
    batch_host(key, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
    batch_host(key, batch.arguments(WARPAES_DIRECTION_DECRYPT));
  }
  EXPECT_EQ(posing::device().dirty_bytes_unpinned, 0u);
}

/// ECB of 5 bytes held from before and what makes a block of them is one run, the rest another: it fails when
/// the first block has been written.
TEST_F(Staging, AnUpdateThatFailsInItsSecondRunLeavesZeros) {
  const Bytes input = random_bytes(100, 15);
  Operation operation(gpu_key_, {.mode = WARPAES_MODE_ECB, .iv = {}});
  Bytes output(112, 0x55);
  operation.update(input.data(), 5, nullptr, 0);
  posing::device().copies_until_failure = 2;  // in and out of the first
  EXPECT_THROW(operation.update(input.data(), 91, output.data(), output.size()), Failure);
  EXPECT_TRUE(std::all_of(output.begin(), output.begin() + 96, [](uint8_t byte) { return byte == 0; }));
  EXPECT_TRUE(std::all_of(output.begin() + 96, output.end(), [](uint8_t byte) { return byte == 0x55; }));
}

TEST_F(Staging, LittleDeviceMemoryMeansSmallerPieces) {
  posing::device().memory_limit = 10 * kMiB;
  const Bytes input = random_bytes(kPieceBytes + 7, 8);
  EXPECT_TRUE(ctr_by(gpu_key_, input) == ctr_by(cpu_key_, input));
  EXPECT_EQ(posing::device().engine_calls, 17) << "pieces of 4 MiB, two lanes of which fit";

  SealedMessages by_gpu(500, 100000, 0), by_cpu = by_gpu;
  batch_host(gpu_key_, by_gpu.arguments(WARPAES_DIRECTION_ENCRYPT));
  batch_host(cpu_key_, by_cpu.arguments(WARPAES_DIRECTION_ENCRYPT));
  EXPECT_TRUE(by_gpu.sealed == by_cpu.sealed);
}

TEST_F(Staging, NoDeviceMemoryIsAnErrorIfForcedAndTheCpusWorkIfNot) {
  const Bytes input = random_bytes(20 * kMiB, 9);
  posing::device().memory_limit = kMiB / 2;
  Bytes output(input.size(), 0x55);
  try {
    ctr_host(gpu_key_, {counter_.data(), input.data(), output.data(), input.size()});
    FAIL() << "there was no memory";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_DEVICE_MEMORY);
  }
  EXPECT_TRUE(output == Bytes(input.size(), 0x55)) << "nothing had begun, so nothing may be written";

  Context automatic({});
  automatic.state().speed.gpu_pageable = 1e12;  // as if measured on a machine with a fast GPU
  std::call_once(automatic.state().speed_measured, [] {});
  ASSERT_EQ(automatic.engine_for(input.size()).memory, Memory::device);
  const Key key(automatic, raw_key_);
  EXPECT_TRUE(ctr_by(key, input) == ctr_by(cpu_key_, input));
  Bytes in_place = input;
  ctr_host(key, {counter_.data(), in_place.data(), in_place.data(), in_place.size()});
  EXPECT_TRUE(in_place == ctr_by(cpu_key_, input));
}

TEST_F(Staging, AFaultAtAnyCopyLeavesNoHalfOutput) {
  SealedMessages whole(40, kMiB / 4, 0);
  for (int at = 0; at < 12; at++) {
    SCOPED_TRACE("copy " + std::to_string(at));
    SealedMessages batch = whole;
    std::fill(batch.sealed.begin(), batch.sealed.end(), uint8_t{0x55});
    posing::device().memory_limit = 6 * kMiB;  // for small pieces: 2 MiB
    posing::device().copies_until_failure = at;
    EXPECT_THROW(batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT)), Failure);
    EXPECT_TRUE(
        std::all_of(batch.sealed.begin(), batch.sealed.end(), [](uint8_t byte) { return byte == 0; }));
    EXPECT_EQ(posing::dirty_bytes(), 0u);
  }
}

TEST_F(Staging, AFaultUnderAutomaticChoiceIsTheCpusWorkUnlessTheInputIsLost) {
  Context automatic({});
  automatic.state().speed.gpu_pageable = 1e12;
  std::call_once(automatic.state().speed_measured, [] {});
  const Key key(automatic, raw_key_);
  const Bytes input = random_bytes(2 * kPieceBytes, 10);

  posing::device().copies_until_failure = 3;
  EXPECT_TRUE(ctr_by(key, input) == ctr_by(cpu_key_, input));

  posing::device().copies_until_failure = 3;
  Bytes in_place = input;
  EXPECT_THROW(ctr_host(key, {counter_.data(), in_place.data(), in_place.data(), in_place.size()}), Failure);
  EXPECT_TRUE(in_place == Bytes(input.size(), 0));
}

TEST_F(Staging, AFailedDecryptionSaysSoForEachMessage) {
  SealedMessages batch(8, kMiB, 0);
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  posing::device().copies_until_failure = 2;
  EXPECT_THROW(batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_DECRYPT)), Failure);
  EXPECT_EQ(batch.statuses, std::vector<int32_t>(8, WARPAES_ERROR_CUDA));
  EXPECT_TRUE(batch.plaintext == Bytes(batch.plaintext.size(), 0));
}

TEST_F(Staging, TheChoiceIsMeasuredAndDependsOnWhatTheCpuCanShare) {
  Context automatic({.threads = 4});
  EXPECT_EQ(automatic.engine_for(1000).memory, Memory::host);
  EXPECT_EQ(automatic.state().speed.one_thread, 0) << "a short call measures nothing";
  automatic.engine_for(kPieceBytes);
  const HostSpeed& speed = automatic.state().speed;
  EXPECT_GT(speed.one_thread, 0);
  EXPECT_GT(speed.all_threads, 0);
  EXPECT_GT(speed.gpu_pageable, 0);
  EXPECT_GT(speed.gpu_pinned, 0);

  automatic.state().speed = {.one_thread = 5, .all_threads = 20, .gpu_pageable = 8, .gpu_pinned = 40};
  const auto memory_for = [&](uint64_t shares, bool pinned) {
    return automatic.engine_for({.bytes = kPieceBytes, .shares = shares, .pinned = pinned}).memory;
  };
  EXPECT_EQ(memory_for(UINT64_MAX, false), Memory::host);
  EXPECT_EQ(memory_for(UINT64_MAX, true), Memory::device);
  EXPECT_EQ(memory_for(1, false), Memory::device) << "one GCM message is one thread's work";
}

}  // namespace
}  // namespace warpaes::core
