// Lists of messages that are long enough, together and one by one, for warps on bit planes to have a share of
// them, on a GPU. All of the output is compared with OpenSSL's, and what stands around it must stay.
#include <algorithm>

#include "device_calls.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kAround = 64;
constexpr size_t kTeam = 65'536;  // longer messages are shared by all multiprocessors

/// Messages of 128 MiB in all (kernels/policy.hpp), of which bit planes get the last seventh. On the emulated
/// GPU some are just long enough to be shared, and none for bit planes, which emulated_gpu_test has there.
std::vector<size_t> lengths() {
  const size_t all = std::min<size_t>(size_t{1} << 27, extent_of_tests().longest_message);
  const size_t third = std::max(all / 4, kTeam + 16), last = std::max(all / 16, kTeam) + 16;
  return {all / 2 + 4096, 100, third, 0, all / 8 + 37, all / 16, kTeam + 1, last};
}

/// How many bytes behind multiples of 16 messages are. Where that is not 0, none is for bit planes.
struct Place {
  size_t input, output;
  bool in_place;
};

/// For keys of a size, and messages at a place.
class LongListsOnGpu : public ::testing::TestWithParam<std::tuple<size_t, Place>> {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    size_t end = kAround;
    for (const size_t length : lengths_) {
      places_.push_back(end);
      end += (length + 15) / 16 * 16 + kAround;
    }
    input_ = std::make_unique<DeviceBytes>(end);
    if (!place_.in_place) elsewhere_ = std::make_unique<DeviceBytes>(end);
    for (size_t m = 0; m < lengths_.size(); m++) {
      plaintexts_.push_back(bytes_from(10 + m, lengths_[m]));
      const Bytes nonce(nonces_.begin() + static_cast<ptrdiff_t>(12 * m),
                        nonces_.begin() + static_cast<ptrdiff_t>(12 * (m + 1)));
      auto sealed = reference::gcm(key_, nonce, {}, plaintexts_.back(), 16);
      ciphertexts_.push_back(std::move(sealed.ciphertext));
      tags_.insert(tags_.end(), sealed.tag.begin(), sealed.tag.end());
    }
  }

  Bytes image(const std::vector<Bytes>& texts, size_t offset) const {
    Bytes bytes(input_->size(), 0xa5);
    for (size_t m = 0; m < texts.size(); m++) {
      std::ranges::copy(texts[m], bytes.begin() + static_cast<ptrdiff_t>(places_[m] + offset));
    }
    return bytes;
  }

  DeviceBytes& output() const { return place_.in_place ? *input_ : *elsewhere_; }

  std::vector<uint8_t*> addresses(const DeviceBytes& memory, size_t offset) const {
    std::vector<uint8_t*> made;
    for (const size_t place : places_) made.push_back(memory.data() + place + offset);
    return made;
  }

  /// A copy of values in device memory.
  template <class Value>
  struct OnDevice : DeviceBytes {
    explicit OnDevice(const std::vector<Value>& values) : DeviceBytes(values.size() * sizeof(Value)) {
      EXPECT_EQ(cudaMemcpy(data(), values.data(), size(), cudaMemcpyHostToDevice), cudaSuccess);
    }
  };

  /// @param outputs what the messages' outputs have to be
  /// @return the tags
  Bytes run(warpaes_direction direction, const std::vector<Bytes>& inputs, const Bytes& tags,
            const std::vector<Bytes>& outputs, const std::vector<int32_t>& expected) {
    if (!place_.in_place) elsewhere_->write(image({}, 0));
    input_->write(image(inputs, place_.input));
    const Bytes found = run(direction, tags, expected);
    EXPECT_TRUE(output().read() == image(outputs, place_.output));
    if (!place_.in_place) {
      EXPECT_TRUE(input_->read() == image(inputs, place_.input));
    }
    return found;
  }

  Bytes run(warpaes_direction direction, const Bytes& tags, const std::vector<int32_t>& expected) {
    static const TestContext context("cuda");
    const TestCipher cipher(context, WARPAES_MODE_GCM, key_);
    const OnDevice inputs(addresses(*input_, place_.input)), outputs(addresses(output(), place_.output));
    const OnDevice counts(lengths_);
    const OnDevice nonces(nonces_), all_tags(tags);
    const OnDevice statuses(std::vector<int32_t>(expected.size(), -1));
    auto batch = sized<warpaes_batch>();
    batch.count = lengths_.size();
    batch.length = *std::ranges::max_element(lengths_);
    batch.lengths = reinterpret_cast<const uint64_t*>(counts.data());
    batch.input.pointers = reinterpret_cast<const void* const*>(inputs.data());
    batch.output.pointers = reinterpret_cast<void* const*>(outputs.data());
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

  const Place place_ = std::get<1>(GetParam());
  const Bytes key_ = bytes_from(1, std::get<0>(GetParam()));
  const std::vector<uint64_t> lengths_ = lengths();
  const Bytes nonces_ = bytes_from(2, 12 * lengths_.size());
  const std::vector<int32_t> all_right_ = std::vector<int32_t>(lengths_.size(), WARPAES_OK);
  std::vector<Bytes> plaintexts_, ciphertexts_;
  Bytes tags_;
  std::vector<size_t> places_;
  std::unique_ptr<DeviceBytes> input_, elsewhere_;
};

TEST_P(LongListsOnGpu, AreRight) {
  const Bytes no_tags(tags_.size(), 0);
  EXPECT_EQ(run(WARPAES_DIRECTION_ENCRYPT, plaintexts_, no_tags, ciphertexts_, all_right_), tags_);
  run(WARPAES_DIRECTION_DECRYPT, ciphertexts_, tags_, plaintexts_, all_right_);
}

/// A bit of a message that tables decrypt, and one of a message that bit planes do if the list has any. Both
/// are shared by all multiprocessors, so that the last of their warps to end wipes what all have written.
TEST_P(LongListsOnGpu, AreZeroWhereTheirTagsAreWrong) {
  std::vector<Bytes> damaged = ciphertexts_, expected_texts = plaintexts_;
  std::vector<int32_t> expected = all_right_;
  for (const size_t m : {size_t{2}, lengths_.size() - 1}) {
    ASSERT_GT(lengths_[m], kTeam);
    damaged[m][damaged[m].size() / 2] ^= 1;
    expected_texts[m].assign(lengths_[m], 0);
    expected[m] = WARPAES_ERROR_AUTHENTICATION;
  }
  run(WARPAES_DIRECTION_DECRYPT, damaged, tags_, expected_texts, expected);
}

/// As in 256_behind_by_5, which devtools/gpu_sanitizers.py knows; or, with another output, 256_at_5_to_12.
std::string name_of(const ::testing::TestParamInfo<std::tuple<size_t, Place>>& test) {
  const auto& [key_length, place] = test.param;
  const std::string key = std::to_string(8 * key_length), input = std::to_string(place.input);
  if (place.in_place) return key + "_behind_by_" + input;
  return key + "_at_" + input + "_to_" + std::to_string(place.output);
}

constexpr Place kInPlace[] = {{0, 0, true}, {5, 5, true}}, kElsewhere[] = {{0, 0, false}, {5, 12, false}};
INSTANTIATE_TEST_SUITE_P(KeySizes, LongListsOnGpu,
                         ::testing::Combine(::testing::Values(16, 24, 32), ::testing::ValuesIn(kInPlace)),
                         name_of);
/// With the longest keys alone, as what each of these tests prepares takes its time.
INSTANTIATE_TEST_SUITE_P(Elsewhere, LongListsOnGpu,
                         ::testing::Combine(::testing::Values(32), ::testing::ValuesIn(kElsewhere)), name_of);

}  // namespace
}  // namespace warpaes::core::testing
