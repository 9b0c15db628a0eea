// warpaes/device.cuh as it is installed, compiled for the host: the cipher and its inverse against FIPS 197,
// counters and GHASH against what the library makes of the same message, however threads share it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "warpaes/device.cuh"
#include "warpaes/warpaes.hpp"

namespace warpaes::device {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr uint32_t kLanes = 32;

Bytes counted(size_t count, uint8_t first = 0) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

Bytes bytes_of(Block block) {
  Bytes bytes(16);
  store_bytes(bytes.data(), block, 16);
  return bytes;
}

/// Tables in memory that is aligned as shared memory is.
/// @tparam Cipher Aes with its Key, or InverseAes with its InverseKey
template <class Cipher, class CipherKey>
class FilledFor {
 public:
  explicit FilledFor(const CipherKey& key) : key_(key) {
    constexpr uint32_t kThreads = 96;
    for (uint32_t thread = 0; thread < kThreads; thread++) Cipher::fill(shared_.data(), thread, kThreads);
  }
  Cipher in_lane(uint32_t lane) const { return {shared_.data(), key_, lane}; }

 private:
  struct alignas(128) Row {
    uint8_t byte[128];
  };
  std::vector<Row> rows_ = std::vector<Row>(Cipher::kSharedBytes / sizeof(Row));
  std::span<uint8_t> shared_{rows_.data()->byte, Cipher::kSharedBytes};
  const CipherKey& key_;
};
template <int KeyBits, int Tables>
using Filled = FilledFor<Aes<KeyBits, Tables>, Key<KeyBits>>;
template <int KeyBits, int Tables>
using FilledInverse = FilledFor<InverseAes<KeyBits, Tables>, InverseKey<KeyBits>>;

/// FIPS 197 (2001) appendix C: 00 11 22 … ff under the key 00 01 02 …
template <int KeyBits>
void is_the_standards(const Bytes& expected) {
  Bytes text(16);
  for (size_t i = 0; i < 16; i++) text[i] = static_cast<uint8_t>(0x11 * i);
  const Block block = load_bytes(text.data(), 16);
  const Key<KeyBits> key = make_key<KeyBits>(counted(KeyBits / 8).data());
  EXPECT_EQ(bytes_of(encrypt_on_host(key, block)), expected);
  const Filled<KeyBits, 1> one(key);
  const Filled<KeyBits, 2> two(key);
  const Filled<KeyBits, 4> four(key);
  for (uint32_t lane = 0; lane < kLanes; lane++) {
    EXPECT_EQ(bytes_of(one.in_lane(lane).encrypt(block)), expected) << lane;
    EXPECT_EQ(bytes_of(two.in_lane(lane).encrypt(block)), expected) << lane;
    EXPECT_EQ(bytes_of(four.in_lane(lane).encrypt(block)), expected) << lane;
  }
}

TEST(DeviceHeader, TheCipherIsTheStandards) {
  is_the_standards<128>(
      {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a});
  is_the_standards<192>(
      {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91});
  is_the_standards<256>(
      {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89});
}

/// In every lane: is each of these blocks the inverse cipher's of the other?
template <int KeyBits, int Tables>
void deciphers(const InverseKey<KeyBits>& key, const Bytes& sealed, const Bytes& text) {
  const FilledInverse<KeyBits, Tables> cipher(key);
  for (uint32_t lane = 0; lane < kLanes; lane++) {
    Bytes deciphered;
    for (size_t at = 0; at < sealed.size(); at += 16) {
      const Bytes block = bytes_of(cipher.in_lane(lane).decrypt(load_bytes(sealed.data() + at, 16)));
      deciphered.insert(deciphered.end(), block.begin(), block.end());
    }
    EXPECT_EQ(deciphered, text) << Tables << " tables, lane " << lane;
  }
}

/// The same for each number of tables. @param key KeyBits / 8 bytes
template <int KeyBits>
void deciphers(const Bytes& key, const Bytes& sealed, const Bytes& text) {
  const InverseKey<KeyBits> inverse_key = make_inverse_key<KeyBits>(key.data());
  deciphers<KeyBits, 1>(inverse_key, sealed, text);
  deciphers<KeyBits, 2>(inverse_key, sealed, text);
  deciphers<KeyBits, 4>(inverse_key, sealed, text);
}

/// FIPS 197 (2001) appendix C, backwards.
TEST(DeviceHeader, TheInverseCipherIsTheStandards) {
  Bytes text(16);
  for (size_t i = 0; i < 16; i++) text[i] = static_cast<uint8_t>(0x11 * i);
  deciphers<128>(
      counted(16),
      {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a}, text);
  deciphers<192>(
      counted(24),
      {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91}, text);
  deciphers<256>(
      counted(32),
      {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}, text);
}

template <int KeyBits>
void deciphers_what_the_library_has_encrypted() {
  for (int round = 0; round < 3; round++) {
    Bytes key(KeyBits / 8), text(64 * 16), sealed(text.size());
    random(key), random(text);
    Cipher(Context(), Mode::ecb, key).encrypt({.input = text, .output = sealed});
    deciphers<KeyBits>(key, sealed, text);
  }
}

TEST(DeviceHeader, DeciphersWhatTheLibraryHasEncrypted) {
  deciphers_what_the_library_has_encrypted<128>();
  deciphers_what_the_library_has_encrypted<192>();
  deciphers_what_the_library_has_encrypted<256>();
}

/// FIPS 197 (2001) appendix B: the state at the start of rounds 1, 2, 3 and 10, and the output.
TEST(DeviceHeader, RoundsAreTheStandards) {
  const Bytes raw_key = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                         0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c},
              input = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                       0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34},
              round_1 = {0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b,
                         0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8, 0x48, 0x08},
              round_2 = {0xa4, 0x9c, 0x7f, 0xf2, 0x68, 0x9f, 0x35, 0x2b,
                         0x6b, 0x5b, 0xea, 0x43, 0x02, 0x6a, 0x50, 0x49},
              round_3 = {0xaa, 0x8f, 0x5f, 0x03, 0x61, 0xdd, 0xe3, 0xef,
                         0x82, 0xd2, 0x4a, 0xd2, 0x68, 0x32, 0x46, 0x9a},
              round_10 = {0xeb, 0x40, 0xf2, 0x1e, 0x59, 0x2e, 0x38, 0x84,
                          0x8b, 0xa1, 0x13, 0xe7, 0x1b, 0xc3, 0x42, 0xd2},
              output = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                        0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
  const Key<128> key = make_key<128>(raw_key.data());
  const Filled<128, 1> tables(key);
  const Aes<128, 1> aes = tables.in_lane(5);
  Block state = aes.add_round_key(load_bytes(input.data(), 16), 0);
  EXPECT_EQ(bytes_of(state), round_1);
  state = aes.round(state, 1);
  EXPECT_EQ(bytes_of(state), round_2);
  state = aes.round(state, 2);
  EXPECT_EQ(bytes_of(state), round_3);
  for (int number = 3; number < Key<128>::kRounds; number++) state = aes.round(state, number);
  EXPECT_EQ(bytes_of(state), round_10);
  EXPECT_EQ(bytes_of(aes.last_round(state)), output);
}

/// What the keystream is: the encryption of zeros. @param counter CtrCounter or GcmCounter @param first its
/// first index
Bytes keystream(const Filled<256, 1>& cipher, const auto& counter, uint64_t first, size_t bytes) {
  Bytes stream;
  for (uint64_t i = 0; stream.size() < bytes; i++) {
    const Bytes block = bytes_of(cipher.in_lane(i % kLanes).encrypt(counter.block(first + i)));
    stream.insert(stream.end(), block.begin(), block.end());
  }
  stream.resize(bytes);
  return stream;
}

TEST(DeviceHeader, CtrIsTheLibrarysAlsoWhereTheCounterOverflows) {
  const Bytes raw_key = counted(32, 7);
  const Key<256> key = make_key<256>(raw_key.data());
  const Filled<256, 1> cipher(key);
  const Cipher library(Context(), Mode::ctr, raw_key);
  for (const int ones : {0, 4, 8, 12, 16}) {  // bytes at the end
    Bytes first = counted(16, 1), expected(100);
    std::fill(first.end() - ones, first.end(), uint8_t{0xff});
    library.encrypt({.input = expected, .output = expected, .nonce = first});
    EXPECT_EQ(keystream(cipher, CtrCounter(first.data()), 0, expected.size()), expected) << ones;
  }
}

void append_padded(std::vector<Block>& blocks, const Bytes& data) {
  for (size_t at = 0; at < data.size(); at += 16) {
    blocks.push_back(
        load_bytes(data.data() + at, static_cast<uint32_t>(std::min<size_t>(16, data.size() - at))));
  }
}

/// GHASH of the blocks as `threads` threads share it.
Block shared_ghash(const std::vector<Block>& blocks, HashKey hash_key, uint64_t threads) {
  Block all{0, 0, 0, 0};
  for (uint64_t thread = 0; thread < std::min<uint64_t>(threads, blocks.size()); thread++) {
    Ghash ghash(power(hash_key, threads));
    uint64_t last = thread;
    for (uint64_t i = thread; i < blocks.size(); i += threads) ghash.add(blocks[last = i]);
    all = all ^ ghash.finish(hash_key, blocks.size() - 1 - last);
  }
  return all;
}

TEST(DeviceHeader, GcmIsTheLibrarysHoweverThreadsShareIt) {
  const Bytes raw_key = counted(32, 9), nonce = counted(12, 3);
  const Key<256> key = make_key<256>(raw_key.data());
  const HashKey hash_key = make_hash_key(key);
  const Filled<256, 1> cipher(key);
  const GcmCounter counter(nonce.data());
  const Cipher library(Context(), Mode::gcm, raw_key);
  for (const size_t bytes : {0, 1, 15, 16, 17, 255, 1000, 4100}) {
    for (const size_t aad_bytes : {0, 20}) {
      const Bytes aad = counted(aad_bytes);
      Bytes sealed(bytes), tag(16);
      library.encrypt({.input = sealed, .output = sealed, .nonce = nonce, .aad = aad, .tag = tag});
      EXPECT_EQ(keystream(cipher, counter, 1, bytes), sealed);
      std::vector<Block> blocks;
      append_padded(blocks, aad);
      append_padded(blocks, sealed);
      blocks.push_back(lengths_block(aad_bytes, bytes));
      for (const uint64_t threads : {1, 2, 7, 32, 1000}) {
        const Block sum = shared_ghash(blocks, hash_key, threads);
        EXPECT_EQ(bytes_of(sum ^ encrypt_on_host(key, counter.block(0))), tag) << bytes << " by " << threads;
      }
    }
  }
}

TEST(DeviceHeader, AProductIsOneStepOfGhash) {
  const Bytes raw_key = counted(16);
  const HashKey hash_key = make_hash_key(make_key<128>(raw_key.data()));
  const Bytes data = counted(16, 5);
  const Block block = load_bytes(data.data(), 16);
  Ghash ghash(hash_key);
  ghash.add(block);
  EXPECT_EQ(bytes_of(multiply(block, hash_key)), bytes_of(ghash.finish(hash_key, 0)));
  EXPECT_EQ(bytes_of(multiply(multiply(block, hash_key), hash_key)),
            bytes_of(multiply(block, power(hash_key, 2))));
}

TEST(DeviceHeader, SecretsAreWiped) {
  const auto is_zero = [](const auto& key) {
    return std::ranges::all_of(key.round_keys.word, [](uint32_t word) { return word == 0; });
  };
  Key<256> key = make_key<256>(counted(32, 1).data());
  InverseKey<256> inverse_key = make_inverse_key<256>(counted(32, 1).data());
  EXPECT_FALSE(is_zero(key) || is_zero(inverse_key));
  wipe(key), wipe(inverse_key);
  EXPECT_TRUE(is_zero(key) && is_zero(inverse_key));
}

TEST(DeviceHeader, BlocksAtAnyAddress) {
  const Bytes data = counted(40, 1);
  for (uint32_t bytes = 0; bytes <= 16; bytes++) {
    Bytes expected(data.begin() + 3, data.begin() + 3 + bytes), stored(40, 0xee);
    store_bytes(stored.data() + 5, load_bytes(data.data() + 3, bytes), bytes);
    expected.insert(expected.begin(), 5, uint8_t{0xee});
    expected.resize(40, 0xee);
    EXPECT_EQ(stored, expected);
  }
  alignas(16) uint8_t aligned[16] = {}, copy[16] = {};
  std::copy_n(data.begin(), 16, aligned);
  store(copy, load(aligned));
  EXPECT_TRUE(std::equal(aligned, aligned + 16, copy));
}

}  // namespace
}  // namespace warpaes::device
