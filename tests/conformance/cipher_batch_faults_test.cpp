// Engines that do batches wrongly must be found, and the fault must be named.
#include <gtest/gtest.h>

#include "cipher_batches_fixture.hpp"
#include "engines/portable/portable_engine.hpp"
#include "modes/composed_batches.hpp"

namespace warpaes::core::conformance {
namespace {

struct Fault {
  const char* finding;
  void (*run)(const BatchKey& key, const Batch& batch, void*, Stream stream);
};

const Fault kFaults[] = {
    {"output differs at byte 16",
     [](const BatchKey& key, const Batch& batch, void*, Stream) {
       cipher_composed(portable_t_tables, key, batch);
       for (uint64_t m = 0; m < batch.messages; m++) message_of(batch, m).output[16] ^= 1;
     }},
    {"message 1: output differs",
     [](const BatchKey& key, const Batch& batch, void*, Stream) {
       Batch one_iv = batch;
       one_iv.nonce_stride = 0;
       cipher_composed(portable_t_tables, key, one_iv);
     }},
    {"message 0: status differs",
     [](const BatchKey& key, const Batch& batch, void*, Stream) {
       Batch silent = batch;
       silent.statuses = nullptr;
       cipher_composed(portable_t_tables, key, silent);
     }},
    {"is written where it should not be",
     [](const BatchKey& key, const Batch& batch, void*, Stream) {
       cipher_composed(portable_t_tables, key, batch);
       message_of(batch, 2).output[message_of(batch, 2).bytes] ^= 1;
     }},
};

TEST(CipherBatchesFind, WrongEngines) {
  Random random(5);
  CipherExamples batch{.mode = CipherMode::cfb_encrypt, .key = random.bytes(16), .messages = {}};
  for (size_t m = 0; m < 3; m++) {
    batch.messages.push_back(message_of(random, cipher_row(CipherMode::cfb_encrypt), batch.key, 100 + m));
  }
  for (const Fault& fault : kFaults) {
    Engine faulty = portable_t_tables;
    faulty.modes[WARPAES_MODE_CFB].run = fault.run;
    EXPECT_NE(difference(faulty, 0, batch).find(fault.finding), std::string::npos)
        << fault.finding << ", found: " << difference(faulty, 0, batch);
  }
}

TEST(CipherBatchesFind, AnEngineWithOneKeyForAll) {
  Random random(6);
  CipherExamples batch{.mode = CipherMode::ctr, .key = {}, .messages = {}};
  for (size_t m = 0; m < 3; m++) {
    const Bytes key = random.bytes(16);
    batch.messages.push_back(message_of(random, cipher_row(CipherMode::ctr), key, 100));
    batch.messages.back().key = key;
  }
  Engine faulty = portable_t_tables;
  EXPECT_EQ(difference(faulty, 0, batch), "");
  faulty.modes[WARPAES_MODE_CTR].run_key_each = [](int device, const KeyArray& keys, const Batch& messages,
                                                   Stream stream) {
    for (uint64_t m = 0; m < messages.messages; m++) {
      run_batch_key_each(portable_t_tables, device, keys, part_of(messages, m, 1), stream);
    }
  };
  EXPECT_EQ(difference(faulty, 0, batch), "message 1: output differs at byte 0 of 100");
}

}  // namespace
}  // namespace warpaes::core::conformance
