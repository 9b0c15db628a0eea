// Long additional data of GCM, which all warps share, on the emulated GPU: at every address modulo 16, of
// lengths about those of blocks, rows and runs, of single messages and of batches. Memory is as long as the
// data, so that the sanitizer sees what is read beside it.
#include <gtest/gtest.h>

#include <algorithm>

#include "emulated_engines.hpp"
#include "engines/batch.hpp"
#include "engines/cuda/long_aad_launch.hpp"
#include "evp_reference.hpp"
#include "memory_rows.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

constexpr size_t kLong = 8192;  // has_long_aad()

struct AadShape {
  size_t messages, aad_bytes, offset, gap, text_bytes;
};

class EmulatedLongAad : public ::testing::TestWithParam<const Engine*> {
 protected:
  /// Compares with OpenSSL in both directions, and then one tag is wrong.
  void expect_right(const AadShape& shape) {
    SCOPED_TRACE(std::to_string(shape.messages) + " messages of " + std::to_string(shape.text_bytes) +
                 " bytes, with " + std::to_string(shape.aad_bytes) + " bytes from " +
                 std::to_string(shape.offset) + " + " + std::to_string(shape.gap));
    key_bytes_ = key_bytes_ == 32 ? 16 : key_bytes_ + 8;
    const Bytes key = random_bytes(random_, key_bytes_), nonces = random_bytes(random_, 12 * shape.messages);
    const MemoryRows aad(shape.offset, shape.messages, shape.aad_bytes, shape.gap);
    Bytes texts, ciphertexts, tags;
    for (size_t m = 0; m < shape.messages; m++) {
      const Bytes data = random_bytes(random_, shape.aad_bytes),
                  text = random_bytes(random_, shape.text_bytes);
      std::ranges::copy(data, aad.row(m));
      const auto sealed =
          reference::gcm(key, {nonces.data() + 12 * m, 12}, data, {text.data(), text.size()}, 16);
      texts.insert(texts.end(), text.begin(), text.end());
      ciphertexts.insert(ciphertexts.end(), sealed.ciphertext.begin(), sealed.ciphertext.end());
      tags.insert(tags.end(), sealed.tag.begin(), sealed.tag.end());
    }
    Bytes memory = texts, made(tags.size());
    std::vector<int32_t> statuses(shape.messages, -1), expected(shape.messages, WARPAES_OK);
    Batch batch{.messages = shape.messages, .bytes = shape.text_bytes};
    batch.input = batch.output = memory.data();
    batch.input_stride = batch.output_stride = shape.text_bytes;
    batch.nonces = nonces.data();
    batch.nonce_stride = batch.nonce_bytes = 12;
    batch.aad = aad.data();
    batch.aad_bytes = shape.aad_bytes;
    batch.aad_stride = aad.stride();
    batch.tags = made.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses.data();
    run(key, batch, WARPAES_DIRECTION_ENCRYPT);
    EXPECT_EQ(made, tags);
    EXPECT_TRUE(memory == ciphertexts);
    EXPECT_EQ(statuses, expected);

    made.back() ^= 1;
    run(key, batch, WARPAES_DIRECTION_DECRYPT);
    expected.back() = WARPAES_ERROR_AUTHENTICATION;
    EXPECT_EQ(statuses, expected);
    std::fill(texts.end() - static_cast<ptrdiff_t>(shape.text_bytes), texts.end(), 0);
    EXPECT_TRUE(memory == texts);
  }

  /// Nobody knows what a workspace holds before, and nothing may be left in it that depends on the key.
  void run(const Bytes& key, Batch& batch, Direction direction) {
    batch.direction = direction;
    const ModeSupport& gcm = GetParam()->modes[WARPAES_MODE_GCM];
    const auto prepared = GetParam()->prepare(KeySchedule(key), 0);
    Bytes workspace(gcm.workspace_bytes(batch.messages, batch.bytes), kUntouched);
    gcm.run({*prepared, static_cast<int>(8 * key.size())}, batch, workspace.data(), nullptr);
    EXPECT_TRUE(std::ranges::all_of(workspace, [](uint8_t b) { return b == 0 || b == kUntouched; }));
  }

  std::mt19937_64 random_{30};

 private:
  size_t key_bytes_ = 32;
};

TEST_P(EmulatedLongAad, OfOneMessageIsRightAtAnyAddress) {
  for (size_t offset = 0; offset < 16; offset++) {
    for (const size_t more : {0u, 1u, 15u, 16u, 17u, 511u, 512u, 513u}) {
      expect_right({1, kLong + more + 31 * offset, offset, 0, offset * more % 100});
    }
  }
}

/// Runs of one row, of so many that rows are loaded four at a time, and a last one that is shorter.
TEST_P(EmulatedLongAad, OfAnyLengthIsRight) {
  for (size_t bytes = kLong; bytes < 80'000; bytes += 1 + bytes / 17) {
    expect_right({1, bytes, bytes % 5, 0, 0});
    expect_right({1, bytes, 0, 0, 70'000 - bytes / 2});
  }
}

TEST_P(EmulatedLongAad, OfBatchesIsRight) {
  for (const size_t messages : {2u, 3u, 7u, 20u}) {
    for (const size_t text : {0u, 1u, 4'096u, 20'001u}) {
      expect_right({messages, kLong + 100 * messages, messages, 33, text});
      expect_right({messages, kLong, 0, 0, text});
    }
  }
}

/// So many that it is long together, and that warps have several of them.
TEST_P(EmulatedLongAad, OfManyMessagesIsRight) { expect_right({3'100, 1'403, 3, 2, 20}); }

/// What is not long enough is another kernel's, whichever that is, and right as well.
TEST_P(EmulatedLongAad, ShorterIsRight) {
  expect_right({1, kLong - 1, 0, 0, 100});
  expect_right({9, kLong - 1, 1, 30, 5'000});
}

/// A warp counts a run's blocks in 32 bits: also if messages share more additional data than that, or a GPU
/// has few warps.
TEST(LongAadRuns, AreOfNoMoreBlocksThanAWarpCounts) {
  for (const uint64_t warps : {1u, 6u, 3'168u}) {
    for (const uint64_t messages : {1u, 400u, 1'585u, 1u << 24}) {
      for (const uint64_t bytes :
           {uint64_t{1}, uint64_t{kLong}, (uint64_t{1} << 36) + 16, uint64_t{1} << 40}) {
        const LongAadRuns runs(warps, messages, bytes);
        EXPECT_LE(runs.blocks, uint64_t{1} << 31);
        EXPECT_EQ(runs.blocks % kWarpLanes, 0u);
        EXPECT_GE(runs.blocks * runs.count, (bytes + 15) / 16);
        EXPECT_LT(runs.blocks * (runs.count - 1), (bytes + 15) / 16) << "no run is empty";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EmulatedLongAad, ::testing::ValuesIn(emulated_engines()),
                         [](const auto& test) { return std::string(test.param->kernel); });

}  // namespace
}  // namespace warpaes::core
