// Plaintext that an operation holds, tags that a forgery should have had, and buffers: whatever is promised
// to be wiped may not be in memory afterwards.
#include <gtest/gtest.h>
#include <openssl/crypto.h>

#include <random>

#include "failure.hpp"
#include "memory_scan.hpp"
#include "modes/mode_table.hpp"
#include "modes/siv.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"
#include "pipeline/host_run.hpp"
#include "process/residue.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr const char* kEngines[] = {"openssl", "portable/t_tables"};

/// Not OpenSSL's, whose generator keeps the last bytes that it has made.
Bytes random_bytes(size_t count) {
  std::mt19937_64 generator(std::random_device{}());
  Bytes made(count);
  for (uint8_t& byte : made) byte = static_cast<uint8_t>(generator());
  return made;
}

void wipe(Bytes& bytes) { OPENSSL_cleanse(bytes.data(), bytes.size()); }

class MessageResidue : public ::testing::TestWithParam<const char*> {
 protected:
  Context context_{{.engine = GetParam(), .threads = 2}};
  const Bytes raw_key_ = random_bytes(16);
  const Key key_{context_, raw_key_};
  const Bytes iv_ = Bytes(16, 4);
  Needles needles_;
};

TEST_P(MessageResidue, AnOperationThatFailsHoldsNothing) {
  Operation operation(key_, {.mode = WARPAES_MODE_CBC, .iv = iv_});
  Bytes text = random_bytes(15);
  needles_.add(text);
  operation.update(text.data(), text.size(), nullptr, 0);
  wipe(text);
  EXPECT_FALSE(find(needles_).empty()) << "15 bytes wait for the 16th";
  uint8_t output[16];
  EXPECT_THROW(operation.update(iv_.data(), 1, output, 0), Failure);  // no room
  EXPECT_EQ(describe(find(needles_)), "");
}

TEST_P(MessageResidue, AnOperationThatIsFinishedHoldsNothing) {
  Operation operation(key_, {.mode = WARPAES_MODE_CBC_PKCS7, .iv = iv_});
  Bytes text = random_bytes(15), output(16);
  needles_.add(text);
  operation.update(text.data(), text.size(), nullptr, 0);
  wipe(text);
  EXPECT_FALSE(find(needles_).empty());
  EXPECT_EQ(operation.finish(output.data(), output.size()), 16u);
  EXPECT_EQ(describe(find(needles_)), "");
}

TEST_P(MessageResidue, AnOperationThatIsDroppedHoldsNothing) {
  Bytes text = random_bytes(15);
  needles_.add(text);
  {
    Operation operation(key_, {.mode = WARPAES_MODE_CBC, .iv = iv_});
    operation.update(text.data(), text.size(), nullptr, 0);
    wipe(text);
    EXPECT_FALSE(find(needles_).empty());
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

/// The end of CMAC's message waits in both, as nobody knows yet whether it is the last block.
TEST_P(MessageResidue, ACopyThatIsDroppedHoldsNothing) {
  Bytes text = random_bytes(15), tag(16);
  needles_.add(text);
  Operation operation(key_, {.mode = WARPAES_MODE_CMAC, .iv = {}, .tag_bytes = 16});
  operation.update(text.data(), text.size(), nullptr, 0);
  wipe(text);
  {
    const Operation copy(operation);
    EXPECT_EQ(operation.finish(tag.data(), tag.size()), 16u);
    EXPECT_FALSE(find(needles_).empty()) << "the copy has them still";
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

/// In place with bytes held from before, an update works on a copy.
TEST_P(MessageResidue, AnUpdateInPlaceLeavesNoCopy) {
  Operation operation(key_, {.mode = WARPAES_MODE_CBC, .iv = iv_});
  operation.update(iv_.data(), 5, nullptr, 0);
  Bytes text = random_bytes(100'000);
  needles_.add(std::span(text).subspan(50'000, 1000));
  EXPECT_FALSE(find(needles_).empty());
  EXPECT_EQ(operation.update(text.data(), text.size(), text.data(), text.size()), 100'000u);
  wipe(text);
  EXPECT_EQ(describe(find(needles_)), "");
}

TEST_P(MessageResidue, TheTagThatAForgeryShouldHaveHadIsWiped) {
  const Key& key = key_;
  const Bytes nonce(12, 4);
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_GCM_SIV, WARPAES_MODE_CCM, WARPAES_MODE_EAX,
                                  WARPAES_MODE_OCB3, WARPAES_MODE_CMAC}) {
    SCOPED_TRACE(mode_row(mode).name);
    const bool is_mac = !mode_row(mode).has_output;
    Bytes data(40, 0x11), tag(16);
    int32_t status = -1;
    Batch message{};
    message.mode = mode;
    message.direction = WARPAES_DIRECTION_ENCRYPT;
    message.messages = 1;
    message.bytes = data.size();
    message.input = data.data();
    if (!is_mac) message.output = data.data();
    if (mode == WARPAES_MODE_CMAC) {
      message.nonce_bytes = 0;
    } else {
      message.host_nonce = nonce.data();
      message.host_nonce_bytes = nonce.size();
    }
    message.tags = tag.data();
    message.tag_bytes = tag.size();
    message.statuses = &status;
    batch_host(Key(context_, raw_key_), message);  // OpenSSL's contexts keep the last tag that they made
    Needles needles;
    needles.add(tag);
    EXPECT_FALSE(find(needles).empty());
    tag = Bytes(16);
    wipe_residue(StackDepth::own_thread);  // encryption may leave the tag, which is public, on the stack
    EXPECT_EQ(describe(find(needles)), "");
    message.direction = WARPAES_DIRECTION_DECRYPT;
    batch_host(key, message);
    EXPECT_EQ(status, WARPAES_ERROR_AUTHENTICATION);
    if (!is_mac) {
      EXPECT_EQ(data, Bytes(40));
    }
    EXPECT_EQ(describe(find(needles)), "");
  }
}

/// What an operation finds out at its end, too.
TEST_P(MessageResidue, AnOperationWipesTheTagThatAForgeryShouldHaveHad) {
  const Key& key = key_;
  const Bytes nonce(12, 4), text(40, 0x11);
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_OCB3}) {
    SCOPED_TRACE(mode);
    Bytes data(40), tag(16);
    {
      const Key sealing_key(context_, raw_key_);
      Operation sealing(sealing_key, {.mode = mode, .iv = nonce, .tag_bytes = 16});
      sealing.update(text.data(), text.size(), data.data(), data.size());
      Bytes end(64);
      const uint64_t bytes = sealing.finish(end.data(), end.size());
      std::copy_n(end.begin() + static_cast<ptrdiff_t>(bytes) - 16, 16, tag.begin());
      std::copy_n(end.begin(), bytes - 16, data.end() - static_cast<ptrdiff_t>(bytes) + 16);
      wipe(end);
    }
    Needles needles;
    needles.add(tag);
    EXPECT_FALSE(find(needles).empty());
    wipe(tag);
    wipe_residue(StackDepth::own_thread);
    EXPECT_EQ(describe(find(needles)), "");
    Operation opening(key,
                      {.mode = mode, .direction = WARPAES_DIRECTION_DECRYPT, .iv = nonce, .tag_bytes = 16});
    opening.update(data.data(), data.size(), data.data(), data.size());
    Bytes end(64);
    EXPECT_THROW(opening.verify(tag, end.data(), end.size()), Failure);
    EXPECT_EQ(describe(find(needles)), "");
  }
}

TEST_P(MessageResidue, OneSivMessageWipesTheTagThatAForgeryShouldHaveHad) {
  const Key mac_key(context_, random_bytes(16));
  const Key& key = key_;
  Bytes data(40, 0x11), tag(16);
  int32_t status = -1;
  Batch message{};
  message.mode = WARPAES_MODE_SIV;
  message.direction = WARPAES_DIRECTION_ENCRYPT;
  message.messages = 1;
  message.bytes = data.size();
  message.input = message.output = data.data();
  message.nonce_bytes = 0;
  message.aad_strings = 0;
  message.tags = tag.data();
  message.tag_bytes = tag.size();
  message.statuses = &status;
  siv_host(key, message, &mac_key);
  data[0] ^= 1;
  Bytes plaintext(40);
  message.direction = WARPAES_DIRECTION_DECRYPT;
  message.output = plaintext.data();
  Needles needles;  // of the tag that the damaged plaintext ought to have
  {
    const Engine& engine = *context_.state().engine_on(Memory::host);
    Bytes made(40);
    ctr_host(key, {siv_counter(tag.data()).data(), data.data(), made.data(), made.size()});
    const SecretBlock right(
        S2v(engine, mac_key.prepared(engine)).tag_of(message, message_of(message, 0), made.data()));
    needles.add(right);
    EXPECT_FALSE(find(needles).empty());
  }
  wipe_residue(StackDepth::own_thread);
  EXPECT_EQ(describe(find(needles)), "");
  siv_host(key, message, &mac_key);
  EXPECT_EQ(status, WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(plaintext, Bytes(40));
  EXPECT_EQ(describe(find(needles)), "");
}

TEST_P(MessageResidue, AHostBufferIsWipedBeforeItIsFreed) {
  const HostBuffer neighbour(context_, 1000);  // keeps the chunk of both mapped
  {
    const HostBuffer buffer(context_, 1000);
    Bytes text = random_bytes(1000);
    needles_.add(text);
    std::copy(text.begin(), text.end(), buffer.data());
    wipe(text);
    EXPECT_FALSE(find(needles_).empty());
  }
  EXPECT_EQ(describe(find(needles_)), "");
}

INSTANTIATE_TEST_SUITE_P(Engines, MessageResidue, ::testing::ValuesIn(kEngines), [](const auto& test) {
  return std::string(test.param).substr(0, std::string(test.param).find('/'));
});

}  // namespace
}  // namespace warpaes::core::testing
