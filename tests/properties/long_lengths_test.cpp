// Lengths that do not fit into 32 bits, or not into OpenSSL's int.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kPeriod = 64 << 20;
constexpr uint64_t kBytes = (uint64_t{1} << 32) + 17;
constexpr uint64_t kTurns = kBytes / kPeriod + 1;

/// 64 MiB of memory, seen again and again over more than 4 GiB of addresses.
class MemoryInTurns {
 public:
  MemoryInTurns() {
    const int file = memfd_create("memory in turns", 0);
    if (file < 0 || ftruncate(file, kPeriod) != 0) return;
    void* const range =
        mmap(nullptr, kTurns * kPeriod, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) return;
    data_ = static_cast<uint8_t*>(range);
    for (uint64_t turn = 0; turn < kTurns; turn++) {
      complete_ = mmap(data_ + turn * kPeriod, kPeriod, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                       0) != MAP_FAILED;
      if (!complete_) break;
    }
    close(file);
  }
  ~MemoryInTurns() {
    if (data_) munmap(data_, kTurns * kPeriod);
  }
  MemoryInTurns(const MemoryInTurns&) = delete;
  MemoryInTurns& operator=(const MemoryInTurns&) = delete;

  uint8_t* data() const { return data_; }
  bool complete() const { return complete_; }

 private:
  uint8_t* data_ = nullptr;
  bool complete_ = false;
};

Bytes key_stream(const Bytes& key, uint64_t at, uint64_t bytes) {
  Bytes counter(16, 0);
  for (int i = 0; i < 8; i++) counter[15 - i] = static_cast<uint8_t>(at / 16 >> (8 * i));
  return reference::ctr(key, counter, Bytes(bytes, 0));
}

/// In place and on one thread, each turn adds its key stream to the memory: what is there in the end is the
/// sum of all of them, so that one wrong offset anywhere shows.
TEST(Beyond4GiB, CtrInPlaceIsOpenssls) {
  const MemoryInTurns memory;
  ASSERT_TRUE(memory.complete());
  const Bytes raw_key(16, 0x42), counter(16, 0);
  const TestContext context("openssl", 1);
  const TestCipher cipher(context, WARPAES_MODE_CTR, raw_key);
  auto message = sized<warpaes_message>();
  message.input = message.output = memory.data();
  message.length = message.output_capacity = kBytes;
  message.nonce = counter.data();
  message.nonce_length = counter.size();
  ASSERT_EQ(warpaes_encrypt(cipher.get(), &message), WARPAES_OK) << warpaes_last_error();

  constexpr uint64_t kWindow = 1 << 16;
  for (const uint64_t at : {uint64_t{0}, kPeriod / 2, kPeriod - kWindow}) {
    Bytes expected(kWindow, 0);
    for (uint64_t turn = 0; turn < kTurns; turn++) {
      const uint64_t start = turn * kPeriod + at;
      const Bytes added = key_stream(raw_key, start, start < kBytes ? std::min(kWindow, kBytes - start) : 0);
      for (size_t i = 0; i < added.size(); i++) expected[i] ^= added[i];
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.data() + at)) << "at " << at;
  }
}

/// Zeros that take up no memory.
class Zeros {
 public:
  explicit Zeros(size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Zeros() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;
  const void* data() const { return data_ == MAP_FAILED ? nullptr : data_; }

 private:
  size_t bytes_;
  void* data_;
};

/// CBC-MAC of `first` and then of zeros, in pieces that EVP takes.
Bytes cbc_mac_before_zeros(const Bytes& key, const Bytes& first, uint64_t zeros) {
  Bytes chain = reference::crypt("CBC", key, Bytes(16, 0), first);
  while (zeros != 0) {
    const Bytes piece(std::min<uint64_t>(zeros, 64 << 20), 0);
    chain = reference::crypt("CBC", key, Bytes(chain.end() - 16, chain.end()), piece);
    zeros -= piece.size();
  }
  return {chain.end() - 16, chain.end()};
}

/// CCM's additional data stands behind its length, once (SP 800-38C appendix A.2.2): here with more than one
/// update of EVP takes elsewhere. An empty message's tag is CBC-MAC's, encrypted with the first counter
/// block.
TEST(Beyond1GiB, AdditionalDataOfCcmIsHashedAsOne) {
  constexpr uint64_t kAad = (uint64_t{1} << 30) + 17;
  const Zeros aad(kAad);
  ASSERT_NE(aad.data(), nullptr);
  const Bytes raw_key(16, 0x42), nonce(13, 0x24);
  const TestContext context("openssl", 1);
  const TestCipher cipher(context, WARPAES_MODE_CCM, raw_key);
  Bytes tag(16, 0);
  auto message = sized<warpaes_message>();
  message.nonce = nonce.data();
  message.nonce_length = nonce.size();
  message.aad = aad.data();
  message.aad_length = kAad;
  message.tag = tag.data();
  ASSERT_EQ(warpaes_encrypt(cipher.get(), &message), WARPAES_OK) << warpaes_last_error();

  Bytes counter(16, 0), first = {0x79};  // additional data, a tag of 16 bytes, a length of 2
  counter[0] = 1;
  std::copy(nonce.begin(), nonce.end(), counter.begin() + 1);
  first.insert(first.end(), nonce.begin(), nonce.end());
  first.insert(first.end(), {0, 0, 0xff, 0xfe, 0x40, 0x00, 0x00, 0x11});
  first.resize(32, 0);  // the data's first 10 bytes
  Bytes expected = cbc_mac_before_zeros(raw_key, first, (kAad - 10 + 15) / 16 * 16);
  const Bytes mask = reference::ecb(raw_key, true, counter);
  for (size_t i = 0; i < 16; i++) expected[i] ^= mask[i];
  EXPECT_EQ(tag, expected);
}

}  // namespace
}  // namespace warpaes::core::testing
