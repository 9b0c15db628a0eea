// Staging, that is to bring host memory through device memory in pieces, with host memory posing as the
// device's. The results must be those of OpenSSL's engine on the CPU. What happens when something fails is in
// staging_faults_test.cpp.
#include <chrono>
#include <thread>

#include "c_api/handles.hpp"
#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/staged_batch.hpp"
#include "staging_fixture.hpp"

namespace warpaes::core {
namespace {

/// A message in which each block waits for the one before it is the CPU's, however fast the GPU is, and
/// warpaes_cipher_get() says so.
TEST_F(Staging, ALongMessageThatChainsIsNotSaidToBeTheGpus) {
  warpaes_context automatic{Context({})};
  for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained}) {
    automatic.context.state().speeds.set(kind, {.with_gpu_pageable = 1e12});
  }
  const struct {
    std::vector<warpaes_mode> modes;
    Direction direction;
    const char* engine;
  } rows[] = {
      {{WARPAES_MODE_CBC, WARPAES_MODE_CBC_PKCS7, WARPAES_MODE_CBC_CS1, WARPAES_MODE_CFB, WARPAES_MODE_OFB,
        WARPAES_MODE_CMAC, WARPAES_MODE_GMAC, WARPAES_MODE_CCM, WARPAES_MODE_EAX, WARPAES_MODE_KW},
       kEncrypt,
       "openssl/evp"},
      {{WARPAES_MODE_CFB8, WARPAES_MODE_CFB1, WARPAES_MODE_EAX}, kDecrypt, "openssl/evp"},
      {{WARPAES_MODE_CTR, WARPAES_MODE_GCM, WARPAES_MODE_ECB}, kEncrypt, "cuda/posing"},
      {{WARPAES_MODE_CBC, WARPAES_MODE_CFB}, kDecrypt, "cuda/posing"},
  };
  for (const auto& [modes, direction, engine] : rows) {
    for (const warpaes_mode mode : modes) {
      const warpaes_cipher cipher{Cipher(automatic.context, mode, raw_key_)};
      warpaes_cipher_info info{};
      info.size = sizeof info;
      info.direction = direction;
      info.length = uint64_t{1} << 28;
      ASSERT_EQ(warpaes_cipher_get(&cipher, &info), WARPAES_OK) << warpaes_last_error();
      EXPECT_STREQ(info.engine, engine) << mode_row(mode).name;
    }
  }
}

TEST_F(Staging, ManyPiecesAreOneRun) {
  TransferSizes& sizes = gpu_.state().sizes;
  sizes.copied_piece = kMiB;
  sizes.piece = 2 * kMiB;
  for (const bool pinned : {false, true}) {
    posing::device() = {.host_memory_is_pinned = pinned,
                        .memory_used = posing::device().memory_used,
                        .pinned_used = posing::device().pinned_used};
    const uint64_t piece = pinned ? sizes.piece : sizes.copied_piece;
    const Bytes input = random_bytes(20 * piece + 5, 5);
    EXPECT_TRUE(ctr_by(gpu_key_, input) == ctr_by(cpu_key_, input));
    EXPECT_EQ(posing::device().engine_calls, 21);
    EXPECT_EQ(posing::device().memory_used, sizes.slots * piece);
  }
}

/// As soon as it is long enough that a context would ask how fast its GPU is.
TEST_F(Staging, ALongMessageOfGcmHasManyPieces) {
  TransferSizes& sizes = gpu_.state().sizes;
  sizes.least_for_gpu = sizes.piece = sizes.copied_piece = kMiB;
  sizes.least_piece = kMiB / 8;
  for (const auto& [bytes, pieces] : {std::pair{kMiB - 1, 1}, std::pair{kMiB, 8}, std::pair{20 * kMiB, 20}}) {
    SealedMessages by_gpu(1, bytes, 0), by_cpu = by_gpu;
    posing::device().engine_calls = 0;
    batch_host(gpu_key_, by_gpu.arguments(WARPAES_DIRECTION_ENCRYPT));
    EXPECT_EQ(posing::device().engine_calls, pieces);
    batch_host(cpu_key_, by_cpu.arguments(WARPAES_DIRECTION_ENCRYPT));
    EXPECT_TRUE(by_gpu.sealed == by_cpu.sealed);
  }
}

TEST_F(Staging, APieceOfABatchIsOneEngineCall) {
  SealedMessages batch(512, 16384, 0);
  gpu_.state().sizes.copied_piece = gpu_.state().sizes.least_piece = 4 * kMiB;
  const Bytes plaintext = batch.plaintext;
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_ENCRYPT));
  EXPECT_EQ(posing::device().engine_calls, 2);
  std::fill(batch.plaintext.begin(), batch.plaintext.end(), uint8_t{0});
  batch_host(gpu_key_, batch.arguments(WARPAES_DIRECTION_DECRYPT));
  EXPECT_EQ(posing::device().engine_calls, 4);
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
    run_message_on_host(cipher, message);
    output.insert(output.end(), tag.begin(), tag.end());
    made.push_back(output);
  }
  EXPECT_EQ(posing::device().engine_calls, 1);
  EXPECT_TRUE(made[0] == made[1]);
}

TEST_F(Staging, ThreadsShareTheTransfers) {
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

TEST_F(Staging, LittleDeviceMemoryMeansSmallerPiecesAndThenFewerSlots) {
  posing::device().host_memory_is_pinned = true;
  posing::device().memory_limit = 10 * kMiB;
  const Bytes input = random_bytes(64 * kMiB + 7, 8);
  EXPECT_TRUE(ctr_by(gpu_key_, input) == ctr_by(cpu_key_, input));
  EXPECT_EQ(posing::device().engine_calls, 33) << "pieces of 2 MiB, four of which fit";

  SealedMessages by_gpu(500, 100000, 0), by_cpu = by_gpu;
  batch_host(gpu_key_, by_gpu.arguments(WARPAES_DIRECTION_ENCRYPT));
  batch_host(cpu_key_, by_cpu.arguments(WARPAES_DIRECTION_ENCRYPT));
  EXPECT_TRUE(by_gpu.sealed == by_cpu.sealed);

  SealedMessages huge(2, 9'000'000, 0), huge_by_cpu = huge;
  batch_host(gpu_key_, huge.arguments(WARPAES_DIRECTION_ENCRYPT));
  batch_host(cpu_key_, huge_by_cpu.arguments(WARPAES_DIRECTION_ENCRYPT));
  EXPECT_TRUE(huge.sealed == huge_by_cpu.sealed) << "a message is one piece, and only one of them fits";
}

/// Pageable data goes through pinned memory, of which some systems give little.
TEST_F(Staging, LittlePinnedMemoryMeansSmallerPieces) {
  posing::device().pinned_limit = 10 * kMiB;
  const Bytes input = random_bytes(64 * kMiB + 7, 8);
  EXPECT_TRUE(ctr_by(gpu_key_, input) == ctr_by(cpu_key_, input));
  EXPECT_EQ(posing::device().engine_calls, 33) << "pieces of 2 MiB, three of which fit";
}

TEST_F(Staging, TheChoiceIsMeasuredAndDependsOnWhatTheCpuCanShare) {
  Context automatic({.threads = 4});
  TransferSizes& sizes = automatic.state().sizes;
  sizes.least_for_gpu = sizes.least_piece = kMiB / 16;
  EXPECT_EQ(automatic.engine_for(1000).memory, Memory::host);
  EXPECT_EQ(posing::device().engine_calls, 0) << "a short call measures nothing";
  int calls = 0;
  for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained}) {
    for (CallSize size = 0; size < kCallSizes; size++) {
      automatic.engine_for({.bytes = least_bytes(sizes, size), .kind = kind});
      EXPECT_GT(posing::device().engine_calls, calls) << "each is measured when it is first asked for";
      calls = posing::device().engine_calls;
      const HostSpeed& speed = automatic.state().speeds.of(automatic, kind, size);
      EXPECT_EQ(posing::device().engine_calls, calls) << "and only once";
      for (const double each :
           {speed.one_thread, speed.all_threads, speed.with_gpu_pageable, speed.with_gpu_pinned}) {
        EXPECT_GT(each, 0);
      }
    }
  }
  EXPECT_EQ(posing::dirty_bytes(), 0u);
}

TEST_F(Staging, TheGpuTakesPartWhereItWasMeasuredToHelp) {
  Context automatic({.threads = 4});
  automatic.state().speeds.set(
      WorkKind::stream, {.one_thread = 5, .all_threads = 20, .with_gpu_pageable = 8, .with_gpu_pinned = 40});
  automatic.state().speeds.set(WorkKind::chained,
                               {.one_thread = 1, .all_threads = 4, .with_gpu_pageable = 8});
  const auto memory_for = [&](uint64_t shares, bool pinned, WorkKind kind = WorkKind::stream) {
    return automatic.engine_for({.bytes = 4 * kMiB, .shares = shares, .pinned = pinned, .kind = kind}).memory;
  };
  EXPECT_EQ(memory_for(UINT64_MAX, false), Memory::host);
  EXPECT_EQ(memory_for(UINT64_MAX, true), Memory::device);
  EXPECT_EQ(memory_for(1, false), Memory::device) << "a message that chains is one thread's work";
  EXPECT_EQ(memory_for(UINT64_MAX, false, WorkKind::chained), Memory::device);
  EXPECT_EQ(memory_for(UINT64_MAX, true, WorkKind::chained), Memory::host) << "it failed with pinned memory";
  automatic.state().speeds.set(
      WorkKind::gcm,
      {.one_thread = 5, .all_threads = 20, .with_gpu_pageable = 20.9, .with_gpu_pinned = 21.1});
  EXPECT_EQ(memory_for(UINT64_MAX, false, WorkKind::gcm), Memory::host) << "not much faster";
  EXPECT_EQ(memory_for(UINT64_MAX, true, WorkKind::gcm), Memory::device);
}

/// The host copies its messages, so it does not matter that CUDA could copy them where they lie.
TEST_F(Staging, ARaggedBatchInPinnedMemoryIsAsOneInPageableMemory) {
  posing::device().host_memory_is_pinned = true;
  Context automatic({.threads = 2});
  TransferSizes& sizes = automatic.state().sizes;
  sizes.least_for_gpu = 1;
  sizes.piece = sizes.cpu_piece = 16'384;  // so that a GPU that took part would be in time to get some of it
  automatic.state().speeds.set(WorkKind::gcm, {.one_thread = 1, .all_threads = 2, .with_gpu_pinned = 3});
  const Key key(automatic, raw_key_);
  SealedMessages batch(600, 10'000, 0);
  Batch ragged = batch.arguments(WARPAES_DIRECTION_ENCRYPT);
  const HostWork regular{.bytes = 6'000'000, .pinned = true, .kind = WorkKind::gcm};
  ASSERT_EQ(automatic.engine_for(regular).memory, Memory::device);
  const std::vector<uint64_t> lengths(600, 9'999);
  ragged.lengths = lengths.data();
  posing::device().calls = 0;
  batch_host(key, ragged);
  EXPECT_EQ(posing::device().calls, 0) << "of whatever kind";
}

/// To look up a pointer takes the driver longer than a CPU needs for a short message.
TEST_F(Staging, WhereAShortMessageLiesIsNotAskedBeforeTheCpuDoesIt) {
  Context automatic({.threads = 2});
  automatic.state().speeds.set(WorkKind::stream, {.with_gpu_pageable = 1e12});
  const Key key(automatic, raw_key_);
  const Bytes input = random_bytes(automatic.state().sizes.least_for_gpu, 19);
  const Bytes shorter(input.begin(), input.end() - 1);
  EXPECT_TRUE(ctr_by(key, shorter) == ctr_by(cpu_key_, shorter));
  EXPECT_EQ(posing::device().pins_asked, 0);
  EXPECT_TRUE(ctr_by(key, input) == ctr_by(cpu_key_, input));
  EXPECT_GT(posing::device().pins_asked, 0);
}

/// A message whose length is above the limit is refused, and does not make a short batch a long call.
TEST_F(Staging, AWrongLengthMakesNoCallLong) {
  Context automatic({.threads = 2});
  const Key key(automatic, raw_key_);
  SealedMessages messages(600, 100, 0);
  Batch ragged = messages.arguments(WARPAES_DIRECTION_ENCRYPT);
  std::vector<uint64_t> lengths(600, 99);
  lengths[300] = uint64_t{1} << 40;
  ragged.lengths = lengths.data();
  batch_host(key, ragged);
  EXPECT_EQ(posing::device().calls, 0);
  EXPECT_EQ(messages.statuses[300], WARPAES_ERROR_LENGTH);
  EXPECT_EQ(messages.statuses[299], WARPAES_OK);
}

/// The limits that a caller gives for lengths say nothing about how much work there is.
TEST_F(Staging, TheCostOfAMessageIsThatOfItsOwnAdditionalData) {
  SealedMessages messages(600, 100, 0);
  Batch batch = messages.arguments(WARPAES_DIRECTION_ENCRYPT);
  const HostBatchKeys keys{cpu_, &cpu_key_, nullptr, nullptr};
  EXPECT_EQ(rows_job(keys, batch, false)->cpu_cost(), 120u);
  const std::vector<uint64_t> aad_lengths(600, 13);
  batch.aad_lengths = aad_lengths.data();
  batch.aad_bytes = uint64_t{1} << 36;
  EXPECT_EQ(gathered_job(keys, batch)->cpu_cost(), 113u);
}

/// That memory was short when a GPU was to be measured says nothing against the GPU.
TEST_F(Staging, AGpuThatLackedMemoryIsMeasuredLater) {
  const Context automatic({.threads = 2});
  posing::device().memory_limit = 1000;
  EXPECT_THROW(measure_host_speed(automatic, WorkKind::stream, 0), Failure) << "a file might keep it";
  EXPECT_EQ(automatic.engine_for(8 * kMiB).memory, Memory::host);
  posing::device().memory_limit = SIZE_MAX;
  posing::device().calls = 0;
  automatic.engine_for(8 * kMiB);
  EXPECT_EQ(posing::device().calls, 0) << "not at once, as each attempt takes time";
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  automatic.engine_for(8 * kMiB);
  EXPECT_GT(automatic.state().speeds.of(automatic, WorkKind::stream, 0).with_gpu_pageable, 0);
}

/// A GPU that fails when it is measured is left alone from then on.
TEST_F(Staging, AGpuThatFailsWhileItIsMeasuredTakesNoPart) {
  Context automatic({.threads = 2});
  automatic.state().sizes.piece = kMiB;
  posing::device().calls_until_failure = 20;
  EXPECT_EQ(automatic.engine_for(8 * kMiB).memory, Memory::host);
  EXPECT_EQ(automatic.state().speeds.of(automatic, WorkKind::stream, 0).with_gpu_pinned, 0);
}

}  // namespace
}  // namespace warpaes::core
