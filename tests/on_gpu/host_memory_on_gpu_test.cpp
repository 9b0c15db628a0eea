// Calls on host memory by a GPU: what lies where CUDA cannot copy it as a whole, and messages that are left
// alone although the GPU works in a copy of all of them.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "composed_reference.hpp"
#include "device_calls.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kPage = 4096;

/// Whole pages, so that they can be registered.
class Pages {
 public:
  explicit Pages(size_t count)
      : bytes_(count * kPage), data_(static_cast<uint8_t*>(std::aligned_alloc(kPage, bytes_))) {}
  ~Pages() {
    for (uint8_t* const each : registered_) EXPECT_EQ(cudaHostUnregister(each), cudaSuccess);
    std::free(data_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  void page_lock(size_t first, size_t count) {
    uint8_t* const from = data_ + first * kPage;
    ASSERT_EQ(cudaHostRegister(from, count * kPage, cudaHostRegisterDefault), cudaSuccess);
    registered_.push_back(from);
  }
  uint8_t* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  size_t bytes_;
  uint8_t* data_;
  std::vector<uint8_t*> registered_;
};

class HostMemoryOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
  }
};

/// Large arenas are registered piece by piece, and a call may begin in memory that is registered and end in
/// memory that is not.
TEST_F(HostMemoryOnGpu, NeedNotBeOneRegistration) {
  constexpr size_t kPages = 16;
  const Bytes key = bytes_from(1, 32), counter = bytes_from(2, 16), plaintext = bytes_from(3, kPages * kPage);
  const Bytes ciphertext = reference::ctr(key, counter, plaintext);
  for (const char* const engine : {"cuda", "auto"}) {
    const TestContext context(engine);
    const TestCipher ctr(context, WARPAES_MODE_CTR, key);
    for (const bool all : {false, true}) {
      Pages memory(kPages);
      memory.page_lock(0, kPages / 2 + 1);
      if (all) memory.page_lock(kPages / 2 + 1, kPages / 2 - 1);
      std::copy(plaintext.begin(), plaintext.end(), memory.data());
      const warpaes_message message = message_in(memory.data(), memory.size(), counter);
      EXPECT_EQ(warpaes_encrypt(ctr.get(), &message), WARPAES_OK) << warpaes_last_error();
      EXPECT_TRUE(std::equal(ciphertext.begin(), ciphertext.end(), memory.data()))
          << engine << (all ? ", registered in two pieces" : ", half of it registered");
    }
  }
}

/// The halves of a key of XTS must differ (SP 800-38E): of its message nothing is written, least of all its
/// plaintext.
TEST_F(HostMemoryOnGpu, AMessageThatIsLeftAloneIsNotCopied) {
  constexpr size_t kMessages = 3, kBytes = 64, kKey = 64, kWrong = 1;
  const TestContext context("cuda");
  const TestCipher xts(context, WARPAES_MODE_XTS, {});
  Bytes keys = bytes_from(4, kMessages * kKey), tweaks = bytes_from(5, kMessages * 16);
  std::copy_n(keys.data() + kWrong * kKey, kKey / 2, keys.data() + kWrong * kKey + kKey / 2);
  for (const bool page_locked : {false, true}) {
    for (const bool listed : {false, true}) {
      Pages memory(2);
      if (page_locked) memory.page_lock(0, 2);
      uint8_t *const input = memory.data(), *const output = memory.data() + kPage;
      std::ranges::copy(bytes_from(6, kPage), input);
      std::fill_n(output, kPage, kUntouched);
      std::array<const void*, kMessages> inputs;
      for (size_t m = 0; m < kMessages; m++) inputs[m] = input + m * kBytes;
      std::array<int32_t, kMessages> statuses = {-1, -1, -1};
      auto batch = sized<warpaes_batch>();
      batch.count = kMessages;
      if (listed) {
        batch.input.pointers = inputs.data();
      } else {
        batch.input = {input, kBytes, nullptr};
      }
      batch.length = kBytes;
      batch.output = {output, kBytes, nullptr};
      batch.nonces = {tweaks.data(), 16, nullptr};
      batch.keys = {keys.data(), kKey, nullptr};
      batch.key_length = kKey;
      batch.statuses = statuses.data();
      EXPECT_EQ(warpaes_encrypt_batch(xts.get(), &batch), WARPAES_ERROR_BATCH) << warpaes_last_error();
      for (size_t m = 0; m < kMessages; m++) {
        const uint8_t* const row = output + m * kBytes;
        const bool untouched =
            std::all_of(row, row + kBytes, [](uint8_t byte) { return byte == kUntouched; });
        EXPECT_EQ(statuses[m], m == kWrong ? WARPAES_ERROR_XTS_KEYS : WARPAES_OK);
        EXPECT_EQ(untouched, m == kWrong)
            << "message " << m << (page_locked ? ", page-locked" : "") << (listed ? ", listed" : "");
      }
    }
  }
}

/// The same by a context without an engine of the CPU as by all others.
TEST_F(HostMemoryOnGpu, MessagesOfCfb1MayEndWithinAByte) {
  const TestContext context("cuda");
  const Bytes key = bytes_from(7, 32), iv = bytes_from(8, 16);
  const TestCipher cfb1(context, WARPAES_MODE_CFB1, key);
  for (uint32_t unused = 0; unused < 8; unused++) {
    Bytes plaintext = bytes_from(9, 40);
    plaintext.back() &= static_cast<uint8_t>(0xff << unused);
    const Bytes ciphertext = reference::cfb1(key, iv, plaintext, unused);
    Bytes memory = plaintext;
    warpaes_message message = message_in(memory.data(), memory.size(), iv);
    message.unused_bits = unused;
    EXPECT_EQ(warpaes_encrypt(cfb1.get(), &message), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(memory, ciphertext) << unused << " unused bits";
    EXPECT_EQ(warpaes_decrypt(cfb1.get(), &message), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(memory, plaintext) << unused << " unused bits";
  }
}

}  // namespace
}  // namespace warpaes::core::testing
