// Numbers of bytes, blocks and counters that do not fit into 32 bits, on a GPU. Windows around each such
// place are compared with OpenSSL, and decryption must give back all of the plaintext.
#include <algorithm>
#include <functional>

#include "device_calls.hpp"
#include "device_memory_scan.hpp"
#include "evp_reference.hpp"
#include "primitives/gf128.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30, kWindow = 4096;
const Bytes kKey(16, 0x24), kNonce(12, 9);

Bytes counter_at(const Bytes& first, uint64_t blocks) {
  Bytes counter = first;
  for (int i = 15; i >= 0 && blocks != 0; i--) {
    blocks += counter[i];
    counter[i] = static_cast<uint8_t>(blocks);
    blocks >>= 8;
  }
  return counter;
}

class LargeOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
  }
  /// Device memory of so many bytes, all zero, or a skip.
  void take(uint64_t bytes) {
    size_t free_bytes = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
    if (bytes + kGiB > free_bytes) {
      GTEST_SKIP() << "needs " << bytes / kGiB + 1 << " GiB of GPU memory, and " << free_bytes / kGiB
                   << " are free";
    }
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), bytes), cudaSuccess);
    ASSERT_EQ(cudaMemset(data_, 0, bytes), cudaSuccess);
    bytes_ = bytes;
  }
  void TearDown() override {
    if (data_ != nullptr) cudaFree(data_);
  }

  Bytes window(uint64_t at, uint64_t bytes) const {
    Bytes copy(bytes);
    EXPECT_EQ(cudaMemcpy(copy.data(), data_ + at, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return copy;
  }
  /// Offsets of windows around whatever could wrap, the last of them at the very end.
  std::vector<uint64_t> windows() const {
    std::vector<uint64_t> places = {0};
    for (const uint64_t wrap : {4 * kGiB, 8 * kGiB, 16 * kGiB, 32 * kGiB, 64 * kGiB}) {
      if (wrap + kWindow <= bytes_) places.push_back(wrap - kWindow / 2);
    }
    places.push_back((bytes_ - kWindow) / 16 * 16);
    return places;
  }
  /// Is each window of what was zero the key stream from that counter on?
  void expect_key_stream(const Bytes& first_counter) const {
    for (const uint64_t at : windows()) {
      const uint64_t bytes = std::min(kWindow, bytes_ - at);
      EXPECT_EQ(window(at, bytes), reference::ctr(kKey, counter_at(first_counter, at / 16), Bytes(bytes, 0)))
          << "at " << at;
    }
  }
  void expect_all_zero() const { EXPECT_EQ(count_words_that_differ(data_, bytes_, 0), 0u); }

  const TestContext& context() {
    static const TestContext made("cuda");
    return made;
  }
  uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
};

void ctr_there_and_back(const TestCipher& cipher, const Bytes& counter, uint8_t* data, uint64_t bytes,
                        const std::function<void()>& between) {
  const warpaes_message message = message_in(data, bytes, counter);
  for (int way = 0; way < 2; way++) {
    const auto run = way == 0 ? warpaes_encrypt_device : warpaes_decrypt_device;
    ASSERT_EQ(run(cipher.get(), &message, nullptr, 0, nullptr), WARPAES_OK) << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    if (way == 0) between();
  }
}

/// A key stream of more than 2^32 blocks: the counter's low word comes round to where it began.
TEST_F(LargeOnGpu, CtrBeyond64GiB) {
  take(64 * kGiB + 3 * kWindow + 5);
  if (data_ == nullptr) return;
  const TestCipher cipher(context(), WARPAES_MODE_CTR, kKey);
  const Bytes counter = {1, 2, 3, 4, 5, 6, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe};
  ctr_there_and_back(cipher, counter, data_, bytes_, [&] { expect_key_stream(counter); });
  expect_all_zero();
}

/// Also where there is no room for more: in the midst of 2 GiB, the low word, the low two and all words wrap.
TEST_F(LargeOnGpu, CtrOverEachCarryOfTheCounter) {
  take(2 * kGiB + 16);
  if (data_ == nullptr) return;
  const TestCipher cipher(context(), WARPAES_MODE_CTR, kKey);
  for (const int ones : {4, 8, 16}) {
    SCOPED_TRACE(ones);
    Bytes counter(16, 0xff);
    std::fill(counter.begin(), counter.end() - ones, uint8_t{7});
    counter[12] = 0xfc;  // 2^26 blocks, 1 GiB, before the end
    ctr_there_and_back(cipher, counter, data_, bytes_, [&] {
      expect_key_stream(counter);
      const uint64_t wrap = kGiB - kWindow / 2;
      EXPECT_EQ(window(wrap, kWindow),
                reference::ctr(kKey, counter_at(counter, wrap / 16), Bytes(kWindow, 0)));
    });
    expect_all_zero();
  }
}

TEST_F(LargeOnGpu, EcbBeyond32GiB) {
  take(32 * kGiB + 7 * 16 + kWindow);
  if (data_ == nullptr) return;
  const TestCipher cipher(context(), WARPAES_MODE_ECB, kKey);
  const warpaes_message message = message_in(data_, bytes_, {});
  ASSERT_EQ(warpaes_encrypt_device(cipher.get(), &message, nullptr, 0, nullptr), WARPAES_OK)
      << warpaes_last_error();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (const uint64_t at : windows())
    EXPECT_EQ(window(at, kWindow), reference::ecb(kKey, true, Bytes(kWindow, 0))) << "at " << at;
  ASSERT_EQ(warpaes_decrypt_device(cipher.get(), &message, nullptr, 0, nullptr), WARPAES_OK);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  expect_all_zero();
}

/// The longest message there is, 2^36 - 32 bytes: its last counter is 2^32 - 1.
TEST_F(LargeOnGpu, TheLongestGcmMessage) {
  constexpr uint64_t kLongest = 64 * kGiB - 32;
  take(kLongest);
  if (data_ == nullptr) return;
  const TestCipher cipher(context(), WARPAES_MODE_GCM, kKey);
  const size_t needed = std::max(workspace_size(cipher.get(), WARPAES_DIRECTION_ENCRYPT, 1, kLongest),
                                 workspace_size(cipher.get(), WARPAES_DIRECTION_DECRYPT, 1, kLongest));
  const DeviceBytes tag(32), workspace(needed);
  warpaes_message message = message_in(data_, kLongest, kNonce);
  message.tag = tag.data();
  ASSERT_EQ(warpaes_encrypt_device(cipher.get(), &message, workspace.data(), workspace.size(), nullptr),
            WARPAES_OK)
      << warpaes_last_error();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  Bytes counter = kNonce;
  counter.insert(counter.end(), {0, 0, 0, 2});
  expect_key_stream(counter);

  message.status = reinterpret_cast<int32_t*>(tag.data() + 16);
  const auto open = [&] {
    EXPECT_EQ(warpaes_decrypt_device(cipher.get(), &message, workspace.data(), workspace.size(), nullptr),
              WARPAES_OK)
        << warpaes_last_error();
    return tag.read(4, 16);
  };
  EXPECT_EQ(open(), Bytes(4, 0));
  expect_all_zero();
  EXPECT_EQ(open(), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0})) << "zeros are not what was sealed";
  expect_all_zero();
}

/// Bytes of a message that is zero elsewhere, beginning at a multiple of 16.
struct Written {
  uint64_t at;
  Bytes bytes;
};

/// SP 800-38D section 6.4 by the powers of H that the blocks have: those that are zero need not be there.
Bytes gmac_of(const std::vector<Written>& message, uint64_t bytes) {
  const Bytes hash_key = reference::ecb(kKey, true, Bytes(16, 0));
  const Gf128 h = ghash_key(gf128_from_block(hash_key.data()));
  Gf128 sum = gf128_multiply(ghash_lengths(bytes, 0), h);
  for (const Written& part : message) {
    for (uint64_t at = 0; at < part.bytes.size(); at += 16) {
      Bytes block(16, 0);
      std::copy_n(part.bytes.begin() + static_cast<ptrdiff_t>(at),
                  std::min<uint64_t>(16, part.bytes.size() - at), block.begin());
      const uint64_t exponent = (bytes + 15) / 16 + 1 - (part.at + at) / 16;
      sum = sum ^ gf128_multiply(gf128_from_block(block.data()), gf128_power(h, exponent));
    }
  }
  Bytes counter = kNonce, tag(16);
  counter.insert(counter.end(), {0, 0, 0, 1});
  const Bytes mask = reference::ecb(kKey, true, counter);
  gf128_to_block(sum ^ gf128_from_block(mask.data()), tag.data());
  return tag;
}

TEST(LargeOnGpuControl, TagsByPowersAreOpenssls) {
  const Bytes begin = bytes_from(1, 40), end = bytes_from(2, 21);
  Bytes whole(1'045, 0);
  std::ranges::copy(begin, whole.begin());
  std::ranges::copy(end, whole.end() - 21);
  EXPECT_EQ(gmac_of({{0, begin}, {1'024, end}}, whole.size()),
            reference::gcm(kKey, kNonce, whole, {}, 16).tag);
}

/// More blocks than 32 bits count, as only additional data may have. No CPU hashes them in the time.
TEST_F(LargeOnGpu, GmacBeyond64GiB) {
  take(64 * kGiB + kGiB / 2 + 5);
  if (data_ == nullptr) return;
  std::vector<Written> message;
  for (const uint64_t at : windows()) {
    message.push_back({at, bytes_from(at + 1, std::min(kWindow + 16, bytes_ - at))});
    ASSERT_EQ(cudaMemcpy(data_ + at, message.back().bytes.data(), message.back().bytes.size(),
                         cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  const TestCipher cipher(context(), WARPAES_MODE_GMAC, kKey);
  const DeviceBytes tag(16), workspace(workspace_size(cipher.get(), WARPAES_DIRECTION_ENCRYPT, 1, bytes_));
  warpaes_message call = message_in(data_, bytes_, kNonce);
  call.output = nullptr;  // GMAC has none
  call.output_capacity = 0;
  call.tag = tag.data();
  ASSERT_EQ(warpaes_encrypt_device(cipher.get(), &call, workspace.data(), workspace.size(), nullptr),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(tag.read(), gmac_of(message, bytes_));
}

}  // namespace
}  // namespace warpaes::core::testing
