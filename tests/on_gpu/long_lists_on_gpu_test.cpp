// Lists of messages that are long enough, together and one by one, for warps on bit planes to have a share of
// them, on a GPU. All of the output is compared with OpenSSL's, and what stands around it must stay.
#include <algorithm>

#include "device_calls.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kAround = 64;

/// Messages of 128 MiB in all (kernels/policy.hpp), of which bit planes get the last seventh. On the emulated
/// GPU less is enough.
std::vector<size_t> lengths() {
  const size_t all = std::min<size_t>(size_t{1} << 27, extent_of_tests().longest_message);
  return {all / 2 + 4096, 100, all / 4, 0, all / 8 + 37, all / 16, 65'537, all / 16 + 16};
}

/// For keys of a size, and messages so many bytes behind multiples of 16. Where they are not 0, no message is
/// for bit planes.
class LongListsOnGpu : public ::testing::TestWithParam<std::tuple<size_t, size_t>> {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    size_t end = kAround;
    for (const size_t length : lengths_) {
      places_.push_back(end + std::get<1>(GetParam()));
      end += (length + 15) / 16 * 16 + kAround;
    }
    memory_ = std::make_unique<DeviceBytes>(end);
    for (size_t m = 0; m < lengths_.size(); m++) {
      plaintexts_.push_back(bytes_from(10 + m, lengths_[m]));
      const Bytes nonce(nonces_.begin() + static_cast<ptrdiff_t>(12 * m),
                        nonces_.begin() + static_cast<ptrdiff_t>(12 * (m + 1)));
      auto sealed = reference::gcm(key_, nonce, {}, plaintexts_.back(), 16);
      ciphertexts_.push_back(std::move(sealed.ciphertext));
      tags_.insert(tags_.end(), sealed.tag.begin(), sealed.tag.end());
    }
  }

  Bytes image(const std::vector<Bytes>& texts) const {
    Bytes bytes(memory_->size(), 0xa5);
    for (size_t m = 0; m < texts.size(); m++) {
      std::ranges::copy(texts[m], bytes.begin() + static_cast<ptrdiff_t>(places_[m]));
    }
    return bytes;
  }

  /// A copy of values in device memory.
  template <class Value>
  struct OnDevice : DeviceBytes {
    explicit OnDevice(const std::vector<Value>& values) : DeviceBytes(values.size() * sizeof(Value)) {
      EXPECT_EQ(cudaMemcpy(data(), values.data(), size(), cudaMemcpyHostToDevice), cudaSuccess);
    }
  };

  /// In place. @return the tags
  Bytes run(warpaes_direction direction, const Bytes& tags, const std::vector<int32_t>& expected) {
    static const TestContext context("cuda");
    const TestCipher cipher(context, WARPAES_MODE_GCM, key_);
    std::vector<uint8_t*> addresses;
    for (const size_t place : places_) addresses.push_back(memory_->data() + place);
    const OnDevice pointers(addresses);
    const OnDevice counts(lengths_);
    const OnDevice nonces(nonces_), all_tags(tags);
    const OnDevice statuses(std::vector<int32_t>(expected.size(), -1));
    auto batch = sized<warpaes_batch>();
    batch.count = lengths_.size();
    batch.length = *std::ranges::max_element(lengths_);
    batch.lengths = reinterpret_cast<const uint64_t*>(counts.data());
    batch.input.pointers = reinterpret_cast<const void* const*>(pointers.data());
    batch.output.pointers = reinterpret_cast<void* const*>(pointers.data());
    batch.nonces.data = nonces.data();
    batch.nonces.stride = 12;
    batch.tags.data = all_tags.data();
    batch.tags.stride = 16;
    batch.statuses = reinterpret_cast<int32_t*>(statuses.data());
    const DeviceBytes workspace(workspace_size(cipher.get(), direction, batch.count, batch.length));
    const auto call =
        direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device : warpaes_decrypt_batch_device;
    EXPECT_EQ(call(cipher.get(), &batch, workspace.data(), workspace.size(), nullptr), WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    std::vector<int32_t> found(expected.size());
    EXPECT_EQ(cudaMemcpy(found.data(), statuses.data(), statuses.size(), cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(found, expected);
    return all_tags.read();
  }

  const Bytes key_ = bytes_from(1, std::get<0>(GetParam()));
  const std::vector<uint64_t> lengths_ = lengths();
  const Bytes nonces_ = bytes_from(2, 12 * lengths_.size());
  const std::vector<int32_t> all_right_ = std::vector<int32_t>(lengths_.size(), WARPAES_OK);
  std::vector<Bytes> plaintexts_, ciphertexts_;
  Bytes tags_;
  std::vector<size_t> places_;
  std::unique_ptr<DeviceBytes> memory_;
};

TEST_P(LongListsOnGpu, AreRight) {
  memory_->write(image(plaintexts_));
  EXPECT_EQ(run(WARPAES_DIRECTION_ENCRYPT, Bytes(tags_.size(), 0), all_right_), tags_);
  EXPECT_TRUE(memory_->read() == image(ciphertexts_));
  run(WARPAES_DIRECTION_DECRYPT, tags_, all_right_);
  EXPECT_TRUE(memory_->read() == image(plaintexts_));
}

/// A bit of a message that tables decrypt, and one of a message that bit planes do.
TEST_P(LongListsOnGpu, AreZeroWhereTheirTagsAreWrong) {
  std::vector<Bytes> damaged = ciphertexts_, expected_texts = plaintexts_;
  std::vector<int32_t> expected = all_right_;
  for (const size_t m : {size_t{2}, lengths_.size() - 1}) {
    damaged[m][damaged[m].size() / 2] ^= 1;
    expected_texts[m].assign(lengths_[m], 0);
    expected[m] = WARPAES_ERROR_AUTHENTICATION;
  }
  memory_->write(image(damaged));
  run(WARPAES_DIRECTION_DECRYPT, tags_, expected);
  EXPECT_TRUE(memory_->read() == image(expected_texts));
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<size_t, size_t>>& test) {
  return std::to_string(8 * std::get<0>(test.param)) + "_behind_by_" +
         std::to_string(std::get<1>(test.param));
}

INSTANTIATE_TEST_SUITE_P(KeySizes, LongListsOnGpu,
                         ::testing::Combine(::testing::Values(16, 24, 32), ::testing::Values(0, 5)), name_of);

}  // namespace
}  // namespace warpaes::core::testing
