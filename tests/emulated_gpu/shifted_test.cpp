// CTR and GCM of messages that begin at no multiple of 16, on the emulated GPU: every pair of addresses
// modulo 16, lengths about those of rows and groups, batches and single messages. Memory is as long as the
// message, so that the sanitizer sees what is read behind it, and what stands before and behind the output
// must stay.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated_engines.hpp"
#include "engines/batch.hpp"
#include "memory_rows.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

struct Shape {
  size_t messages, bytes, input_offset, input_gap, output_offset, output_gap, aad_bytes = 0;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.messages << " x " << shape.bytes << " bytes from " << shape.input_offset << " + "
             << shape.input_gap << " to " << shape.output_offset << " + " << shape.output_gap;
}

class EmulatedShifted : public ::testing::TestWithParam<const Engine*> {
 protected:
  const Engine& engine() const { return *GetParam(); }

  void new_key() {
    key_bytes_ = key_bytes_ == 32 ? 16 : key_bytes_ + 8;
    key_ = engine().prepare(KeySchedule(random_bytes(random_, key_bytes_)), 0);
  }

  void run(Batch batch, Direction direction) {
    batch.direction = direction;
    const ModeSupport& gcm = engine().modes[WARPAES_MODE_GCM];
    Bytes workspace(gcm.workspace_bytes(batch.messages, batch.bytes), 0xee);
    gcm.run({*key_, static_cast<int>(8 * key_bytes_)}, batch, workspace.data(), nullptr);
  }

  /// Compares with what the engine makes of each message by itself, at a multiple of 16, which other tests
  /// compare with what other engines make. Then one message has a wrong tag.
  void expect_right(const Shape& shape, bool in_place) {
    std::ostringstream where;
    where << shape << (in_place ? " in place" : "");
    SCOPED_TRACE(where.str());
    new_key();
    const MemoryRows input(shape.input_offset, shape.messages, shape.bytes, shape.input_gap),
        apart(shape.output_offset, shape.messages, shape.bytes, shape.output_gap);
    const MemoryRows& output = in_place ? input : apart;
    const Bytes nonces = random_bytes(random_, 12 * shape.messages),
                aad = random_bytes(random_, shape.aad_bytes);
    Bytes tags(16 * shape.messages), expected_tags(tags.size());
    std::vector<Bytes> plaintexts, ciphertexts;
    Batch batch{};
    batch.aad = aad.data();
    batch.aad_bytes = aad.size();
    batch.bytes = shape.bytes;
    batch.tag_stride = batch.tag_bytes = 16;
    for (size_t m = 0; m < shape.messages; m++) {
      plaintexts.push_back(random_bytes(random_, shape.bytes));
      ciphertexts.emplace_back(shape.bytes);
      std::ranges::copy(plaintexts[m], input.row(m));
      batch.messages = 1;
      batch.nonces = nonces.data() + 12 * m;
      batch.input = plaintexts[m].data();
      batch.output = ciphertexts[m].data();
      batch.tags = expected_tags.data() + 16 * m;
      run(batch, WARPAES_DIRECTION_ENCRYPT);
    }
    batch.messages = shape.messages;
    batch.nonces = nonces.data();
    batch.nonce_stride = 12;
    batch.input = input.data();
    batch.input_stride = input.stride();
    batch.output = output.data();
    batch.output_stride = output.stride();
    batch.tags = tags.data();
    run(batch, WARPAES_DIRECTION_ENCRYPT);
    EXPECT_TRUE(tags == expected_tags);
    expect_rows(output, ciphertexts);

    for (size_t m = 0; m < shape.messages; m++) std::ranges::copy(ciphertexts[m], input.row(m));
    std::vector<int32_t> statuses(shape.messages, -1);
    batch.statuses = statuses.data();
    tags.back() ^= 0x80;
    run(batch, WARPAES_DIRECTION_DECRYPT);
    std::vector<int32_t> expected(shape.messages, WARPAES_OK);
    expected.back() = WARPAES_ERROR_AUTHENTICATION;
    plaintexts.back().assign(shape.bytes, 0);
    EXPECT_EQ(statuses, expected);
    expect_rows(output, plaintexts);
  }

  static void expect_rows(const MemoryRows& rows, const std::vector<Bytes>& expected) {
    for (size_t m = 0; m < expected.size(); m++) EXPECT_TRUE(rows.copy(m) == expected[m]) << "message " << m;
    EXPECT_TRUE(rows.has_only_rows());
  }

  std::mt19937_64 random_{2};
  std::unique_ptr<EngineKey> key_;

 private:
  size_t key_bytes_ = 32;
};

/// Gaps between the rows let the messages of a batch begin at all addresses modulo 16: input at each, output
/// at each third. Teams have 8 lanes below 1008 bytes and 16 above, and of 13 messages some teams get none.
TEST_P(EmulatedShifted, BatchesOfShortMessagesAreRight) {
  size_t output_offset = 0;
  for (const size_t bytes :
       {1u, 15u, 16u, 17u, 32u, 47u, 128u, 129u, 500u, 512u, 513u, 640u, 1000u, 1024u, 1025u, 1100u, 2032u}) {
    const size_t to_next = 17 - bytes % 16;
    for (int i = 0; i < 2; i++, output_offset = (output_offset + 7) % 16) {
      expect_right({16, bytes, 0, to_next, output_offset, to_next + 2, bytes % 40}, false);
    }
    expect_right({13, bytes, 3, to_next, 0, 0, 0}, true);
  }
}

/// Teams are whole warps.
TEST_P(EmulatedShifted, BatchesOfLongerMessagesAreRight) {
  size_t offset = 0;
  for (const size_t bytes : {2047u, 2048u, 2049u, 4096u, 4100u, 5003u, 8191u}) {
    for (int i = 0; i < 3; i++, offset++) {
      expect_right({5, bytes, offset % 16, 28, (7 * offset + 1) % 16, 5, 20}, i == 2);
    }
  }
}

/// All warps share a message.
TEST_P(EmulatedShifted, LongMessagesAreRight) {
  for (size_t input_offset = 0; input_offset < 16; input_offset++) {
    for (size_t output_offset = 0; output_offset < 16; output_offset++) {
      const size_t bytes = 3'100 + 97 * input_offset + 211 * output_offset;
      expect_right({1, bytes, input_offset, 0, output_offset, 0, 7}, false);
    }
    expect_right({1, 4'096 + input_offset, input_offset, 0, 0, 0, 1100}, true);
  }
  for (const size_t bytes : {4096u, 8192u, 8193u, 12'287u, 50'000u}) {
    expect_right({1, bytes, 1, 0, 15, 0, 0}, false);
    expect_right({1, bytes, 8, 0, 0, 0, 0}, false);
    expect_right({2, bytes + 4'200, 0, 13, 4, 4, 3}, false);
  }
}

/// So long that on one of the emulated GPUs some warps look up tables and others compute on bit planes. With
/// 40 % of the groups for these, they have several groups one after the other.
TEST_P(EmulatedShifted, MessagesForTwoKindsOfWarpsAreRight) {
  for (size_t offset = 0; offset < 16; offset++) {
    const size_t bytes = 6 * 4096 + 997 * offset;
    expect_right({1, bytes, offset, 0, (5 * offset + 3) % 16, 0, 20}, false);
    expect_right({1, bytes, offset, 0, 0, 0, 0}, true);
  }
}

/// From counters whose last bytes begin again with 0 soon: one, two and four of them.
TEST_P(EmulatedShifted, CountersAreRight) {
  for (const uint64_t low : {5ull, 0x77f8ull, 0x12fffdull, 0xfffffffaull, 0xffffffffffffff00ull}) {
    for (size_t offset = 1; offset < 16; offset++) {
      SCOPED_TRACE(testing::Message() << "counter " << low << ", offset " << offset);
      new_key();
      // From 24 KiB on, warps of two kinds share a message on one of the emulated GPUs.
      const size_t bytes = 3'200 + (offset % 4 == 0 ? 24'576 : 0) + 531 * offset;
      const MemoryRows input(offset, 1, bytes, 0), output(5 * offset % 16, 1, bytes, 0);
      const Bytes text = random_bytes(random_, bytes);
      Bytes expected(bytes), counter(16);
      store_counter(counter.data(), {77, low});
      std::ranges::copy(text, input.data());
      engine().counter(*key_, {counter.data(), text.data(), expected.data(), bytes}, nullptr);
      engine().counter(*key_, {counter.data(), input.data(), output.data(), bytes}, nullptr);
      expect_rows(output, {expected});
      engine().counter(*key_, {counter.data(), input.data(), input.data(), bytes}, nullptr);
      expect_rows(input, {expected});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatedShifted, ::testing::ValuesIn(emulated_engines().first(2)),
                         [](const auto& test) { return std::string(test.param->kernel); });

}  // namespace
}  // namespace warpaes::core
