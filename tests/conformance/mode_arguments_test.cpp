// What modes refuse before an engine is called or a byte is written, and what they accept.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

// An engine that only counts how often it is called: refused arguments must not reach it.
int calls = 0;
void counted_blocks(const EngineKey&, const BlockRun&, Stream) { calls++; }
void counted_counter(const EngineKey&, const CounterRun&, Stream) { calls++; }
void counted_gcm(const BatchKey&, const Batch&, void*, Stream) { calls++; }
size_t some_workspace(uint64_t messages, uint64_t) { return messages * 32; }

Engine counting_engine() {
  Engine engine = portable_t_tables;
  engine.encrypt_blocks = engine.decrypt_blocks = counted_blocks;
  engine.counter = counted_counter;
  engine.modes[WARPAES_MODE_GCM] = {.run = counted_gcm, .workspace_bytes = some_workspace};
  return engine;
}

alignas(16) uint8_t memory[4096];
constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();

class ModeArguments : public testing::Test {
 protected:
  /// @return OK if the engine was called once, and what it was refused with otherwise
  Status status_of(const std::function<void()>& call) {
    calls = 0;
    try {
      call();
      return WARPAES_OK;
    } catch (const Failure& failure) {
      EXPECT_EQ(calls, 0);
      EXPECT_STRNE(failure.what(), "");
      return failure.status();
    }
  }

  Status ecb_status(const BlockRun& run) {
    return status_of([&] { ecb(engine_, *key_, WARPAES_DIRECTION_ENCRYPT, run, nullptr); });
  }
  Status ctr_status(const CounterRun& run) {
    return status_of([&] { ctr(engine_, *key_, run, nullptr); });
  }
  Status gcm_status(const Batch& batch) {
    return status_of([&] { run_batch(engine_, {*key_, 128}, batch, memory + 2048, 2048, nullptr); });
  }

  /// Four messages of 100 bytes, decrypted from memory to memory + 600.
  static Batch right_batch() {
    return {.direction = WARPAES_DIRECTION_DECRYPT,
            .messages = 4,
            .bytes = 100,
            .input = memory,
            .input_stride = 128,
            .output = memory + 600,
            .output_stride = 128,
            .host_nonce = nullptr,
            .host_nonce_bytes = 0,
            .nonces = memory + 1200,
            .nonce_stride = 12,
            .aad = memory + 1300,
            .aad_bytes = 20,
            .aad_stride = 20,
            .tags = memory + 1400,
            .tag_stride = 16,
            .tag_bytes = 16,
            .statuses = reinterpret_cast<int32_t*>(memory + 1600)};
  }

  const Engine engine_ = counting_engine();
  const std::unique_ptr<EngineKey> key_ = portable_t_tables.prepare(KeySchedule(std::vector<uint8_t>(16)), 0);
};

TEST_F(ModeArguments, Ecb) {
  EXPECT_EQ(ecb_status({memory, memory + 64, 64}), WARPAES_OK);
  EXPECT_EQ(ecb_status({memory, memory, 64}), WARPAES_OK);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(ecb_status({nullptr, nullptr, 0}), WARPAES_OK);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(ecb_status({memory, memory + 64, 63}), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(ecb_status({nullptr, memory, 16}), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(ecb_status({memory, nullptr, 16}), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(ecb_status({memory, memory + 48, 64}), WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(ecb_status({memory + 1, memory, 64}), WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(ecb_status({memory, memory + 64, kHuge - 15}), WARPAES_ERROR_LENGTH);
}

TEST_F(ModeArguments, Ctr) {
  const uint8_t counter[16] = {};
  EXPECT_EQ(ctr_status({counter, memory, memory + 63, 63}), WARPAES_OK);
  EXPECT_EQ(ctr_status({counter, memory, memory, 63}), WARPAES_OK);
  EXPECT_EQ(ctr_status({counter, nullptr, nullptr, 0}), WARPAES_OK);
  EXPECT_EQ(ctr_status({nullptr, memory, memory, 63}), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(ctr_status({counter, nullptr, memory, 1}), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(ctr_status({counter, memory, memory + 62, 63}), WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(ctr_status({counter, memory, memory + 64, kHuge}), WARPAES_ERROR_LENGTH);
}

struct Change {
  const char* what;
  Status expected;
  void (*apply)(Batch& batch);
};

constexpr Change kChanges[] = {
    {"nothing", WARPAES_OK, [](Batch&) {}},
    {"no messages", WARPAES_OK, [](Batch& b) { b.messages = 0; }},
    {"no messages, no pointers", WARPAES_OK,
     [](Batch& b) {
       b = {};
       b.tag_bytes = 16;
     }},
    {"no bytes, no input", WARPAES_OK,
     [](Batch& b) {
       b.bytes = 0;
       b.input = nullptr;
       b.output = nullptr;
     }},
    {"no AAD", WARPAES_OK,
     [](Batch& b) {
       b.aad = nullptr;
       b.aad_bytes = 0;
     }},
    {"shared AAD", WARPAES_OK, [](Batch& b) { b.aad_stride = 0; }},
    {"in place", WARPAES_OK, [](Batch& b) { b.output = memory; }},
    {"one message, strides without meaning", WARPAES_OK,
     [](Batch& b) {
       b.messages = 1;
       b.input_stride = b.output_stride = b.tag_stride = b.nonce_stride = 0;
     }},
    {"one message, its nonce on the host", WARPAES_OK,
     [](Batch& b) {
       b.messages = 1;
       b.host_nonce = memory + 1200;
       b.host_nonce_bytes = 1;
       b.nonces = nullptr;
     }},
    {"input and output interleaved", WARPAES_OK,
     [](Batch& b) {
       b.input_stride = b.output_stride = 200;
       b.output = memory + 100;
     }},
    {"tags between the ciphertexts", WARPAES_OK,
     [](Batch& b) {
       b.tags = memory + 100;
       b.tag_stride = 128;
     }},
    {"encrypting without statuses", WARPAES_OK,
     [](Batch& b) {
       b.direction = WARPAES_DIRECTION_ENCRYPT;
       b.statuses = nullptr;
     }},
    {"no input", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.input = nullptr; }},
    {"no output", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.output = nullptr; }},
    {"no nonces", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.nonces = nullptr; }},
    {"AAD missing", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.aad = nullptr; }},
    {"no tags", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.tags = nullptr; }},
    {"no statuses", WARPAES_ERROR_NULL_POINTER, [](Batch& b) { b.statuses = nullptr; }},
    {"message too long", WARPAES_ERROR_LENGTH, [](Batch& b) { b.bytes = kGcmMaxBytes + 1; }},
    {"message longer than 64 bits", WARPAES_ERROR_LENGTH, [](Batch& b) { b.bytes = kHuge; }},
    {"AAD too long", WARPAES_ERROR_LENGTH, [](Batch& b) { b.aad_bytes = uint64_t{1} << 61; }},
    {"messages * stride overflows", WARPAES_ERROR_LENGTH, [](Batch& b) { b.messages = uint64_t{1} << 58; }},
    {"stride overflows", WARPAES_ERROR_LENGTH, [](Batch& b) { b.input_stride = kHuge / 2; }},
    {"end of memory overflows", WARPAES_ERROR_LENGTH, [](Batch& b) { b.input_stride = kHuge / 3 - 99; }},
    {"tag of 11 bytes", WARPAES_ERROR_TAG_LENGTH, [](Batch& b) { b.tag_bytes = 11; }},
    {"tag of 17 bytes", WARPAES_ERROR_TAG_LENGTH, [](Batch& b) { b.tag_bytes = 17; }},
    {"nonce of 0 bytes", WARPAES_ERROR_NONCE_LENGTH,
     [](Batch& b) {
       b.messages = 1;
       b.host_nonce = memory + 1200;
     }},
    {"one nonce for a batch", WARPAES_ERROR_OPTION,
     [](Batch& b) {
       b.host_nonce = memory + 1200;
       b.host_nonce_bytes = 12;
     }},
    {"one nonce for a message that an array describes", WARPAES_ERROR_OPTION,
     [](Batch& b) {
       static const uint64_t lengths[1] = {100};
       b.messages = 1;
       b.host_nonce = memory + 1200;
       b.host_nonce_bytes = 12;
       b.lengths = lengths;
     }},
    {"input stride short", WARPAES_ERROR_STRIDE, [](Batch& b) { b.input_stride = 99; }},
    {"output stride short", WARPAES_ERROR_STRIDE, [](Batch& b) { b.output_stride = 99; }},
    {"nonce stride short", WARPAES_ERROR_STRIDE, [](Batch& b) { b.nonce_stride = 11; }},
    {"AAD stride short", WARPAES_ERROR_STRIDE, [](Batch& b) { b.aad_stride = 19; }},
    {"tag stride short", WARPAES_ERROR_STRIDE, [](Batch& b) { b.tag_stride = 15; }},
    {"output a byte on", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.output = memory + 1; }},
    {"output in the gaps, too long", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.output = memory + 99; }},
    {"output behind, in the last message", WARPAES_ERROR_OVERLAP,
     [](Batch& b) { b.output = memory + 3 * 128 + 99; }},
    {"in place with another stride", WARPAES_ERROR_OVERLAP,
     [](Batch& b) {
       b.output = memory;
       b.output_stride = 116;
     }},
    {"tags in the output", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.tags = memory + 600 + 64; }},
    {"tags reach into the next output", WARPAES_ERROR_OVERLAP,
     [](Batch& b) {
       b.tags = memory + 600 + 113;
       b.tag_stride = 128;
     }},
    {"tags written into the input", WARPAES_ERROR_OVERLAP,
     [](Batch& b) {
       b.direction = WARPAES_DIRECTION_ENCRYPT;
       b.tags = memory + 40;
     }},
    {"nonces in the output", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.nonces = memory + 700; }},
    {"AAD in the output", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.aad = memory + 620; }},
    {"statuses in the output", WARPAES_ERROR_OVERLAP,
     [](Batch& b) { b.statuses = reinterpret_cast<int32_t*>(memory + 608); }},
    {"statuses in the input", WARPAES_ERROR_OVERLAP,
     [](Batch& b) { b.statuses = reinterpret_cast<int32_t*>(memory + 64); }},
    {"statuses in the tags", WARPAES_ERROR_OVERLAP,
     [](Batch& b) { b.statuses = reinterpret_cast<int32_t*>(memory + 1408); }},
    {"output in the workspace", WARPAES_ERROR_OVERLAP, [](Batch& b) { b.output = memory + 2048; }},
};

TEST_F(ModeArguments, Gcm) {
  for (const Change& change : kChanges) {
    Batch batch = right_batch();
    change.apply(batch);
    EXPECT_EQ(gcm_status(batch), change.expected) << change.what;
    if (change.expected != WARPAES_OK) continue;
    EXPECT_EQ(calls, batch.messages == 0 ? 0 : 1) << change.what;
  }
}

TEST_F(ModeArguments, GcmWorkspace) {
  const Batch batch = right_batch();
  const auto status = [&](void* workspace, size_t bytes) {
    return status_of([&] { run_batch(engine_, {*key_, 128}, batch, workspace, bytes, nullptr); });
  };
  EXPECT_EQ(batch_workspace_bytes(engine_, WARPAES_MODE_GCM, 4, 100), 128u);
  EXPECT_EQ(batch_workspace_bytes(portable_t_tables, WARPAES_MODE_GCM, 4, 100), 0u);
  EXPECT_EQ(status(memory + 2048, 128), WARPAES_OK);
  EXPECT_EQ(status(memory + 2048, 127), WARPAES_ERROR_WORKSPACE);
  EXPECT_EQ(status(memory + 2056, 128), WARPAES_ERROR_WORKSPACE);
  EXPECT_EQ(status(nullptr, 0), WARPAES_ERROR_WORKSPACE);
}

TEST_F(ModeArguments, WhatCannotBeComposedIsUnsupported) {
  Engine engine = engine_;
  engine.memory = Memory::device;
  engine.counter = nullptr;
  engine.modes = {};
  const uint8_t counter[16] = {};
  const auto ctr_call = [&] { ctr(engine, *key_, {counter, memory, memory, 16}, nullptr); };
  const auto gcm_call = [&] { run_batch(engine, {*key_, 128}, right_batch(), memory + 2048, 2048, nullptr); };
  EXPECT_EQ(status_of(ctr_call), WARPAES_ERROR_UNSUPPORTED);
  EXPECT_EQ(status_of(gcm_call), WARPAES_ERROR_UNSUPPORTED);
}

/// A nonce longer than the engine's own GCM takes goes the composed way, and only that one.
TEST_F(ModeArguments, LongNoncesAreComposed) {
  Engine engine = openssl_evp;
  const auto key = engine.prepare(KeySchedule(std::vector<uint8_t>(16)), 0);
  engine.modes[WARPAES_MODE_GCM].run = counted_gcm;
  const std::vector<uint8_t> nonce(engine.modes[WARPAES_MODE_GCM].longest_nonce + 1);
  Batch batch = right_batch();
  batch.messages = 1;
  batch.direction = WARPAES_DIRECTION_ENCRYPT;
  batch.host_nonce = nonce.data();
  for (const int longer : {0, 1}) {
    calls = 0;
    batch.host_nonce_bytes = engine.modes[WARPAES_MODE_GCM].longest_nonce + longer;
    run_batch(engine, {*key, 128}, batch, nullptr, 0, nullptr);
    EXPECT_EQ(calls, 1 - longer);
  }
}

TEST(Regions, AreDisjointWhereNoPiecesMeet) {
  const auto region = [](uint64_t at, uint64_t count, uint64_t stride, uint64_t bytes) {
    return Region{"", memory + at, count, stride, bytes};
  };
  EXPECT_TRUE(disjoint(region(0, 4, 32, 16), region(16, 4, 32, 16)));
  EXPECT_TRUE(disjoint(region(80, 4, 32, 16), region(0, 4, 32, 16)));
  EXPECT_FALSE(disjoint(region(0, 4, 32, 16), region(15, 4, 32, 16)));
  EXPECT_FALSE(disjoint(region(0, 4, 32, 16), region(17, 4, 32, 16)));
  EXPECT_FALSE(disjoint(region(81, 4, 32, 16), region(0, 4, 32, 16)));
  EXPECT_TRUE(disjoint(region(0, 4, 32, 16), region(112, 4, 48, 16)));
  EXPECT_FALSE(disjoint(region(0, 4, 32, 16), region(16, 4, 48, 16)));  // both have byte 64
  EXPECT_TRUE(disjoint(region(0, 4, 32, 0), region(0, 4, 32, 16)));
}

}  // namespace
}  // namespace warpaes::core
