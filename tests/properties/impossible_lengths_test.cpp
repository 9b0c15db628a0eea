// Lengths that no memory has, such as a negative number that is taken for a length. They must be refused, and
// nothing may be read or written at addresses that follow from them.
#include <gtest/gtest.h>

#include <functional>

#include "derivation/derivation.hpp"
#include "failure.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

/// Wrapping round the addresses, and longer than all of them. All are multiples of 16, for the modes of
/// blocks.
constexpr uint64_t kLengths[] = {~uint64_t{0} - 15, ~uint64_t{0} - 4095, uint64_t{1} << 63, uint64_t{1} << 62,
                                 (uint64_t{1} << 58) + 16};

/// Everything that a call can be given, most of it right.
struct Call {
  const Key& key;
  const Key& other;
  uint8_t *input, *output;
  const uint8_t* iv;
  uint64_t length;

  Batch message(Aead mode) const {
    Batch made{};
    made.mode = mode;
    made.direction = WARPAES_DIRECTION_ENCRYPT;
    made.messages = 1;
    made.bytes = 16;
    made.input = input;
    made.output = output;
    made.host_nonce = iv;
    made.host_nonce_bytes = 12;
    made.tags = output + 32;
    made.tag_bytes = 16;
    return made;
  }
  void operate(OperationOptions options) const { const Operation operation(key, options); }
};

struct Row {
  const char* name;
  void (*run)(const Call& call);
};

template <Aead Mode>
void long_message(const Call& call) {
  Batch message = call.message(Mode);
  message.bytes = call.length;
  message.output = call.input;
  batch_host(call.key, message);
}

template <Aead Mode>
void long_aad(const Call& call) {
  Batch message = call.message(Mode);
  message.aad = call.input;
  message.aad_bytes = call.length;
  batch_host(call.key, message);
}

template <Aead Mode>
void long_nonce(const Call& call) {
  Batch message = call.message(Mode);
  message.host_nonce_bytes = call.length;
  batch_host(call.key, message);
}

const Row kRows[] = {
    {"ECB", [](const Call& c) { ecb_host(c.key, WARPAES_DIRECTION_ENCRYPT, {c.input, c.input, c.length}); }},
    {"CTR", [](const Call& c) { ctr_host(c.key, {c.iv, c.input, c.input, c.length}); }},
    {"CBC",
     [](const Call& c) {
       chain_host(c.key, WARPAES_MODE_CBC, WARPAES_DIRECTION_DECRYPT, {c.iv, c.input, c.input, c.length});
     }},
    {"CFB",
     [](const Call& c) {
       chain_host(c.key, WARPAES_MODE_CFB, WARPAES_DIRECTION_DECRYPT, {c.iv, c.input, c.input, c.length});
     }},
    {"CFB-8",
     [](const Call& c) {
       chain_host(c.key, WARPAES_MODE_CFB8, WARPAES_DIRECTION_DECRYPT, {c.iv, c.input, c.input, c.length});
     }},
    {"OFB", [](const Call& c) { ofb_host(c.key, {c.iv, c.input, c.input, c.length}); }},
    {"XTS",
     [](const Call& c) {
       xts_host(c.key, c.other, WARPAES_DIRECTION_ENCRYPT, {c.iv, 512, c.input, c.input, c.length});
     }},
    {"GCM, message", long_message<WARPAES_MODE_GCM>},
    {"GCM-SIV, message", long_message<WARPAES_MODE_GCM_SIV>},
    {"CCM, message", long_message<WARPAES_MODE_CCM>},
    {"EAX, message", long_message<WARPAES_MODE_EAX>},
    {"OCB3, message", long_message<WARPAES_MODE_OCB3>},
    {"GCM, additional data", long_aad<WARPAES_MODE_GCM>},
    {"GCM-SIV, additional data", long_aad<WARPAES_MODE_GCM_SIV>},
    {"CCM, additional data", long_aad<WARPAES_MODE_CCM>},
    {"EAX, additional data", long_aad<WARPAES_MODE_EAX>},
    {"OCB3, additional data", long_aad<WARPAES_MODE_OCB3>},
    {"GCM, nonce", long_nonce<WARPAES_MODE_GCM>},
    {"EAX, nonce", long_nonce<WARPAES_MODE_EAX>},
    {"GCM in parts, nonce",
     [](const Call& c) { c.operate({.mode = WARPAES_MODE_GCM, .iv = {c.iv, c.length}, .tag_bytes = 16}); }},
    {"GMAC in parts, nonce",
     [](const Call& c) { c.operate({.mode = WARPAES_MODE_GMAC, .iv = {c.iv, c.length}, .tag_bytes = 16}); }},
    {"EAX in parts, additional data",
     [](const Call& c) {
       c.operate({.mode = WARPAES_MODE_EAX, .iv = {c.iv, 16}, .tag_bytes = 16, .aad = {c.input, c.length}});
     }},
    {"an update of CTR in parts",
     [](const Call& c) {
       Operation operation(c.key, {.mode = WARPAES_MODE_CTR, .iv = {c.iv, 16}});
       operation.update(c.input, c.length, c.input, c.length);
     }},
    {"an update of CMAC in parts",
     [](const Call& c) {
       Operation operation(c.key, {.mode = WARPAES_MODE_CMAC, .iv = {}, .tag_bytes = 16});
       operation.update(c.input, c.length, nullptr, 0);
     }},
    {"secret random bytes", [](const Call& c) { random_secret({c.output, c.length}); }},
    {"public random bytes", [](const Call& c) { random_public({c.output, c.length}); }},
    {"HKDF's key",
     [](const Call& c) { hkdf(WARPAES_HASH_SHA256, {c.input, c.length}, {}, {}, {c.output, 16}); }},
    {"HKDF's output",
     [](const Call& c) { hkdf(WARPAES_HASH_SHA256, {c.input, 16}, {}, {}, {c.output, c.length}); }},
    {"a buffer", [](const Call& c) { const HostBuffer buffer(c.key.context(), c.length); }},
};

TEST(ImpossibleLengths, AreRefusedByEveryCall) {
  Context context({.engine = "portable/t_tables", .threads = 2});
  const Key key(context, Bytes(16, 1)), other(context, Bytes(16, 2));
  Bytes memory(256, 0x5a);
  const Bytes iv(16, 3);
  for (const Row& row : kRows) {
    for (const uint64_t length : kLengths) {
      SCOPED_TRACE(std::string(row.name) + ", " + std::to_string(length));
      try {
        row.run({key, other, memory.data(), memory.data() + 128, iv.data(), length});
        ADD_FAILURE() << "not refused";
      } catch (const Failure& failure) {
        const bool no_memory = failure.status() == WARPAES_ERROR_HOST_MEMORY;
        EXPECT_TRUE(failure.status() == WARPAES_ERROR_LENGTH || no_memory) << failure.what();
        EXPECT_EQ(no_memory, std::string(row.name) == "a buffer");
      }
    }
  }
  EXPECT_EQ(memory, Bytes(256, 0x5a));
}

TEST(ImpossibleThreads, AreRefused) {
  for (const unsigned threads : {kMostThreads + 1, 100'000u, ~0u}) {
    try {
      const Context context({.engine = "openssl", .threads = threads});
      ADD_FAILURE() << threads;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_OPTION);
    }
  }
  EXPECT_EQ(Context({.engine = "openssl", .threads = kMostThreads}).threads(), 4096u);  // started when needed
}

}  // namespace
}  // namespace warpaes::core::testing
