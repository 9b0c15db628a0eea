// Staging when a copy fails or device memory is short, with host memory posing as the device's: what is tried
// again, what the output holds then, and what of a call stays in memory.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "failure.hpp"
#include "operations/operation.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/span_job.hpp"
#include "staging_fixture.hpp"

namespace warpaes::core {
namespace {

/// GCM's when the context was made, and the rest now. The CPU does not take a faulty GPU's place unnoticed.
TEST_F(Staging, ANewModesFirstKeyWaitsForItsSelfTest) {
  posing::device().fails_self_test = true;
  const Context automatic({});
  for (const Context* const context : std::initializer_list<const Context*>{&gpu_, &automatic}) {
    EXPECT_NO_THROW(Cipher(*context, WARPAES_MODE_GCM, raw_key_));
    for (const warpaes_mode mode : {WARPAES_MODE_CTR, WARPAES_MODE_CMAC, WARPAES_MODE_KW}) {
      try {
        const Cipher cipher(*context, mode, raw_key_);
        ADD_FAILURE() << mode_row(mode).name;
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), WARPAES_ERROR_SELF_TEST);
      }
    }
  }
  EXPECT_NO_THROW(Cipher(cpu_, WARPAES_MODE_CTR, raw_key_));
}

/// That there was no memory for its self-test says nothing against the CPU's engine. A context that was made
/// without it would do without it for good.
TEST_F(Staging, AContextIsNotMadeWithoutAnEngineThatLackedMemory) {
  posing::device().cpu_lacks_memory = true;
  try {
    const Context automatic({});
    ADD_FAILURE();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_HOST_MEMORY);
  }
  posing::device().cpu_lacks_memory = false;
  const Context automatic({});
  EXPECT_NE(automatic.state().engine_on(Memory::host), nullptr);
}

/// After a fork, and when the GPU has been lost, an automatic context works on the CPU alone.
TEST_F(Staging, ALostGpuKeepsNoKeyFromTheCpu) {
  const Context automatic({});
  posing::device().lost = posing::device().fails_self_test = true;
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_CTR, WARPAES_MODE_CMAC, WARPAES_MODE_KW}) {
    EXPECT_NO_THROW(Cipher(automatic, mode, raw_key_)) << mode_row(mode).name;
  }
  EXPECT_THROW(Cipher(gpu_, WARPAES_MODE_CTR, raw_key_), Failure);
}

/// Inverts bytes, a multiple of eight, in host memory or in what poses as a device's.
SpanTask inverting(const std::function<void()>& collected) {
  return {.work =
              [](const Engine&, const SpanPart& part) {
                const auto invert = [part] {
                  for (uint64_t i = 0; i < part.bytes; i += sizeof(uint64_t)) {
                    uint64_t word = 0;
                    std::memcpy(&word, part.input + i, sizeof(word));
                    word = ~word;
                    std::memcpy(part.output + i, &word, sizeof(word));
                  }
                };
                part.stream == nullptr ? invert() : posing::launch(part.stream, invert);
              },
          .collect = [collected](const Engine&, uint64_t, uint64_t, const uint8_t*) { collected(); }};
}

/// A piece whose result could not be taken after the GPU had failed was done once more by the CPU, though in
/// place its input was no longer there.
TEST_F(Staging, APieceInPlaceIsNeverDoneTwice) {
  Context automatic({});
  automatic.state().speeds.set(WorkKind::stream, {.with_gpu_pageable = 1e12});
  const Bytes input = random_bytes(16 * kMiB, 21);
  Bytes expected = input;
  for (uint8_t& byte : expected) byte = ~byte;
  int completed = 0, refused = 0;
  for (int copy = 2; copy < 14; copy++) {
    for (const int collection : {0, 1, 2, 3, 1000}) {  // there are fewer than the last
      posing::device().memory_limit = 6 * kMiB;        // for small pieces
      posing::device().copies_until_failure = copy;
      Bytes memory = input;
      std::atomic<int> left = collection;
      const SpanTask task = inverting([&] {
        if (left-- == 0) throw std::bad_alloc();
      });
      try {
        run_span(automatic, {memory.data(), memory.data(), memory.size(), 16}, task);
        completed++;
        ASSERT_TRUE(memory == expected) << "copy " << copy << ", collection " << collection;
      } catch (const std::exception&) {
        refused++;
        ASSERT_TRUE(memory == Bytes(memory.size(), 0)) << "copy " << copy << ", collection " << collection;
      }
    }
  }
  EXPECT_GT(completed, 0);
  EXPECT_GT(refused, 0);
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

TEST_F(Staging, NothingOfACallStaysInDeviceMemory) {
  SealedMessages batch(100, 10000, 3);
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  ctr_by(gpu_key_, random_bytes(3 * kMiB, 6));
  EXPECT_GT(posing::device().memory_used, 0u);  // transfers are kept
  EXPECT_EQ(posing::dirty_bytes(), 0u);
  ctr_by(gpu_key_, random_bytes(16 * kMiB + 1, 7));  // another size: the old memory is given up
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
  automatic.state().speeds.set(WorkKind::stream,
                               {.with_gpu_pageable = 1e12});  // as if measured with a fast GPU
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

TEST_F(Staging, AFailedDecryptionSaysSoForEachMessage) {
  SealedMessages batch(8, kMiB, 0);
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  posing::device().copies_until_failure = 2;
  EXPECT_THROW(batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_DECRYPT)), Failure);
  EXPECT_EQ(batch.statuses, std::vector<int32_t>(8, WARPAES_ERROR_CUDA));
  EXPECT_TRUE(batch.plaintext == Bytes(batch.plaintext.size(), 0));
}

/// Nothing is written then, and no status may say that a message was done.
TEST_F(Staging, ACallThatCannotBeginSaysSoForEachMessage) {
  SealedMessages batch(100, 1000, 0);
  batch_host(cpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  const Bytes before = batch.plaintext = Bytes(batch.plaintext.size(), 0x55);
  posing::device().memory_limit = 1000;
  EXPECT_THROW(batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_DECRYPT)), Failure);
  EXPECT_EQ(batch.statuses, std::vector<int32_t>(100, WARPAES_ERROR_DEVICE_MEMORY));
  EXPECT_TRUE(batch.plaintext == before);
}

TEST_F(Staging, AMessageThatCannotBeginSaysSo) {
  SealedMessages message(1, 8 * kMiB, 0);
  batch_host(cpu_key_, message.arguments(WARPAES_DIRECTION_ENCRYPT));
  message.sealed[0] ^= 1;
  message.statuses = {WARPAES_OK};
  posing::device().memory_limit = 1000;
  EXPECT_THROW(batch_host(gpu_key_, message.arguments(WARPAES_DIRECTION_DECRYPT)), Failure);
  EXPECT_EQ(message.statuses, std::vector<int32_t>{WARPAES_ERROR_DEVICE_MEMORY});
}

/// Slots are used again, so what a wrong message leaves unset would be another one's of an earlier piece.
TEST_F(Staging, AWrongMessageAmongScatteredOnesHarmsNoOther) {
  posing::device().memory_limit = 6 * kMiB;  // for small pieces
  for (const warpaes_mode mode : {WARPAES_MODE_CBC_PKCS7, WARPAES_MODE_ECB_PKCS7, WARPAES_MODE_CBC}) {
    for (const uint64_t limit : {uint64_t{40'000}, UINT64_MAX}) {
      SCOPED_TRACE(std::to_string(mode) + ", limit " + std::to_string(limit));
      const CipherMessages given{.count = 400, .bytes = 40'000, .gap = 16};
      CipherMessages by_gpu = given, by_cpu = given;
      const auto encrypt = [&](const Key& key, CipherMessages& messages) {
        Batch batch = messages.arguments({mode, kEncrypt}, true);
        for (uint64_t m = 0; m < messages.count; m++) messages.lengths[m] = 40'000 - 16 * m;
        for (const size_t wrong : {150u, 250u, 350u, 399u}) messages.inputs[wrong] = nullptr;
        batch.bytes = limit;
        batch_host(key, batch);
      };
      encrypt(gpu_key_, by_gpu);
      encrypt(cpu_key_, by_cpu);
      EXPECT_TRUE(by_gpu.memory == by_cpu.memory);
      EXPECT_EQ(by_gpu.statuses, by_cpu.statuses);
      EXPECT_EQ(by_gpu.statuses[350], WARPAES_ERROR_NULL_POINTER);
      EXPECT_EQ(by_gpu.output_lengths, by_cpu.output_lengths);
    }
  }
}

TEST_F(Staging, NoBufferHasNearlyTwoToThe64Bytes) {
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 99, SIZE_MAX - 4095, SIZE_MAX / 2 + 1}) {
    try {
      const HostBuffer buffer(gpu_, bytes);
      FAIL() << bytes;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_HOST_MEMORY);
    }
  }
}

}  // namespace
}  // namespace warpaes::core
