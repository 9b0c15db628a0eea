// warpaes/device.cuh as it is installed, compiled for the host: the cipher against FIPS 197, counters and
// GHASH against what the library makes of the same message, however threads share it.
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
template <int KeyBits, int Tables>
class Filled {
 public:
  explicit Filled(const Key<KeyBits>& key) : key_(key) {
    constexpr uint32_t kThreads = 96;
    for (uint32_t thread = 0; thread < kThreads; thread++)
      Aes<KeyBits, Tables>::fill(shared_.data(), thread, kThreads);
  }
  Aes<KeyBits, Tables> in_lane(uint32_t lane) const { return {shared_.data(), key_, lane}; }

 private:
  struct alignas(128) Row {
    uint8_t byte[128];
  };
  std::vector<Row> rows_ = std::vector<Row>(Aes<KeyBits, Tables>::kSharedBytes / sizeof(Row));
  std::span<uint8_t> shared_{rows_.data()->byte, Aes<KeyBits, Tables>::kSharedBytes};
  const Key<KeyBits>& key_;
};

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
  Key<256> key = make_key<256>(counted(32, 1).data());
  wipe(key);
  EXPECT_TRUE(std::all_of(std::begin(key.round_keys.word), std::end(key.round_keys.word),
                          [](uint32_t word) { return word == 0; }));
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
