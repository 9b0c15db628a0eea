// Compares the lessons on GHASH and on key expansion with answers from elsewhere: OpenSSL's GMAC, and the
// standards' own examples. Also tests the definitions of instructions that stand in for these on the CPU.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>

#include "emulated_gpu/emulated_grid.hpp"
#include "lab/binary_tensor_core.hpp"
#include "lab/carryless_instruction.hpp"
#include "lab/catalogue.hpp"
#include "lab/reference.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/ghash.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;

std::vector<const Lesson*> lessons_of(Mode mode) {
  std::vector<const Lesson*> found;
  for (const Lesson* const lesson : catalogue()) {
    if (lesson->modes.front() == mode) found.push_back(lesson);
  }
  return found;
}

/// By one warp, so that chains are long.
Bytes answer_of(const Lesson& lesson, const Bytes& key, const Bytes& input) {
  const KeySchedule schedule(key);
  const Variant variant = {
      lesson.modes.front(), WARPAES_DIRECTION_ENCRYPT, schedule.key_bits(), {.threads = 32, .grid = 1}};
  Bytes output(output_bytes(variant, input.size()));
  lesson.emulate({variant, schedule, {}, input.data(), output.data(), input.size()});
  return output;
}

/// AES-128-GCM's tag of no plaintext.
Bytes openssl_gmac(const Bytes& key, const Bytes& nonce, const Bytes& data) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free);
  Bytes tag(16);
  int written = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(context.get(), EVP_aes_128_gcm(), nullptr, key.data(), nonce.data()), 1);
  EXPECT_EQ(EVP_EncryptUpdate(context.get(), nullptr, &written, data.data(), static_cast<int>(data.size())),
            1);
  EXPECT_EQ(EVP_EncryptFinal_ex(context.get(), tag.data(), &written), 1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, 16, tag.data()), 1);
  return tag;
}

/// GHASH of the data, padded, and its length, XORed with the encrypted first counter (SP 800-38D 7.1).
TEST(GhashLessons, MakeOpenSslsGmac) {
  const Bytes key = bytes_of_hex("feffe9928665731c6d6a8f9467308308"), nonce(12, 0xca);
  for (const Lesson* const lesson : lessons_of(Mode::ghash)) {
    for (const uint64_t bytes : {1u, 16u, 1000u, 3333u}) {
      Bytes data(bytes);
      for (uint64_t i = 0; i < bytes; i++) data[i] = static_cast<uint8_t>(i * i + 3 * i);
      Bytes hashed = data;
      hashed.resize((bytes + 15) / 16 * 16 + 16);
      gf128_to_block(ghash_lengths(bytes, 0), hashed.data() + hashed.size() - 16);
      Bytes tag = answer_of(*lesson, key, hashed);
      uint8_t first[16] = {};
      std::copy(nonce.begin(), nonce.end(), first);
      first[15] = 1;
      careful_block(KeySchedule(key).encryption(), 10, first, first);
      for (int i = 0; i < 16; i++) tag[i] ^= first[i];
      EXPECT_EQ(tag, openssl_gmac(key, nonce, data)) << lesson->name << ", " << bytes << " bytes";
    }
  }
}

/// FIPS 197 appendix A: the key, and the schedule's last four words.
TEST(KeyExpansionLessons, KnownAnswers) {
  const struct {
    const char *key, *last;
  } kExamples[] = {
      {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
      {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
      {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
       "fe4890d1e6188d0b046df344706c631e"},
  };
  const auto lessons = lessons_of(Mode::key_expansion);
  EXPECT_EQ(lessons.size(), 3u);
  for (const Lesson* const lesson : lessons) {
    for (const auto& example : kExamples) {
      const Bytes key = bytes_of_hex(example.key), schedule = answer_of(*lesson, key, key);
      ASSERT_EQ(schedule.size(), 16 * (key.size() / 4 + 7));
      EXPECT_EQ(Bytes(schedule.end() - 16, schedule.end()), bytes_of_hex(example.last)) << lesson->name;
    }
  }
}

TEST(Instructions, CarrylessProductByItsDefinition) {
  EXPECT_EQ(clmad_lo(3, 3, 0), 5u);  // (x + 1)^2 = x^2 + 1
  EXPECT_EQ(clmad_lo(3, 3, 6), 3u);
  EXPECT_EQ(clmad_hi(uint64_t{1} << 63, 2, 0), 1u);
  EXPECT_EQ(clmad_hi(uint64_t{1} << 63, 2, 7), 6u);
  uint64_t a = 0x0123456789abcdef, b = 0xfedcba9876543211;
  for (int i = 0; i < 100; i++, a = a * 6364136223846793005u + 1, b = b * 3935559000370003845u + 1) {
    Gf128 sum{b, a};
    add_carryless_product(sum, a, b);
    EXPECT_EQ(clmad_lo(a, b, b), sum.lo);
    EXPECT_EQ(clmad_hi(a, b, a), sum.hi);
  }
}

/// Each lane's part of the matrices, as the PTX ISA has it, against a loop over whole matrices.
TEST(Instructions, BinaryMmaByItsDefinition) {
  bool a[16][256], b[256][8];
  uint32_t state = 5;
  const auto random_bit = [&state] { return ((state = state * 1664525 + 1013904223) >> 31) != 0; };
  for (auto& row : a)
    for (bool& bit : row) bit = random_bit();
  for (auto& row : b)
    for (bool& bit : row) bit = random_bit();
  const auto bits = [](const auto& bit_at) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 32; i++) word |= bit_at(i) ? 1u << i : 0;
    return word;
  };
  emulated::run({1, kWarpLanes, 0}, [&](emulated::EmulatedThread& thread) {
    const uint32_t g = thread.lane() / 4, q = thread.lane() % 4;
    BitsA of_a{};
    for (uint32_t r = 0; r < 4; r++)
      of_a.word[r] = bits([&](uint32_t i) { return a[g + 8 * (r % 2)][32 * q + i + 128 * (r / 2)]; });
    BitsB of_b{};
    for (uint32_t r = 0; r < 2; r++)
      of_b.word[r] = bits([&](uint32_t i) { return b[32 * q + i + 128 * r][g]; });
    const CountsC c = count_and(thread, of_a, of_b);
    for (uint32_t r = 0; r < 4; r++) {
      const uint32_t row = g + 8 * (r / 2), column = 2 * q + r % 2;
      uint32_t expected = 0;
      for (int k = 0; k < 256; k++) expected += a[row][k] && b[k][column] ? 1 : 0;
      EXPECT_EQ(c.count[r], expected) << row << ' ' << column;
    }
  });
}

}  // namespace
}  // namespace warpaes::core::lab
