// Messages so long that some warps look up tables for them and others compute on bit planes, at all kinds of
// addresses, on a GPU. All of the output is compared with OpenSSL's, and what stands around it must stay.
#include <algorithm>
#include <array>
#include <map>

#include "device_calls.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

/// The kernels for two kinds of warps take messages of 128 MiB and more (kernels/policy.hpp), and on the
/// emulated GPU shorter ones. The last block is not whole.
const uint64_t kLength =
    std::min<uint64_t>((uint64_t{1} << 27) + 4096 + 37, extent_of_tests().longest_message);
constexpr uint64_t kAround = 32;

struct Place {
  uint64_t input, output;  // modulo 16
  bool in_place;
};
constexpr Place kPlaces[] = {{0, 0, false}, {0, 0, true},   {1, 0, true},  {8, 0, true},  {15, 0, true},
                             {1, 1, false}, {4, 13, false}, {0, 7, false}, {9, 0, false}, {12, 12, false}};

/// What one key makes of one plaintext.
struct Expected {
  explicit Expected(size_t key_length)
      : key(bytes_from(1, key_length)),
        plaintext(bytes_from(2, kLength)),
        nonce(bytes_from(3, 12)),
        aad(bytes_from(4, 21)),
        counter(bytes_from(5, 12)) {
    // Its last byte and those before it wrap within the message.
    counter.insert(counter.end(), {0, 0xfe, 0xff, 0xfb});
    ctr = reference::ctr(key, counter, plaintext);
    gcm = reference::gcm(key, nonce, aad, plaintext, 16);
  }
  Bytes key, plaintext, nonce, aad, counter;
  Bytes ctr;
  reference::Sealed gcm;
};

/// For keys of a size, and data at a place.
class LongMessagesOnGpu : public ::testing::TestWithParam<std::tuple<size_t, Place>> {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    for (auto& memory : memory_) memory = std::make_unique<DeviceBytes>(kLength + 16 + 2 * kAround);
  }

  /// Made once for each size of keys.
  static const Expected& expected() {
    static std::map<size_t, Expected> made;
    const size_t key_length = std::get<0>(GetParam());
    return made.try_emplace(key_length, key_length).first->second;
  }

  /// Runs a call from where the input lies to where the output does.
  /// @return what it wrote
  Bytes run(const TestCipher& cipher, warpaes_direction direction, const Bytes& input,
            warpaes_message message) {
    const Place& place = std::get<1>(GetParam());
    const Bytes around(memory_[0]->size(), 0xa5);
    for (const auto& memory : memory_) memory->write(around);
    uint8_t* const from = memory_[0]->data() + kAround + place.input;
    uint8_t* const to = place.in_place ? from : memory_[1]->data() + kAround + place.output;
    EXPECT_EQ(cudaMemcpy(from, input.data(), kLength, cudaMemcpyHostToDevice), cudaSuccess);
    message.input = from;
    message.output = to;
    message.length = message.output_capacity = kLength;
    const DeviceBytes workspace(workspace_size(cipher.get(), direction, 1, kLength));
    const auto call =
        direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_device : warpaes_decrypt_device;
    EXPECT_EQ(call(cipher.get(), &message, workspace.data(), workspace.size(), nullptr), WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    const Bytes memory = memory_[place.in_place ? 0 : 1]->read();
    const auto begin = memory.begin() + static_cast<ptrdiff_t>(kAround) +
                       static_cast<ptrdiff_t>(place.in_place ? place.input : place.output),
               end = begin + static_cast<ptrdiff_t>(kLength);
    const auto is_as_before = [](uint8_t byte) { return byte == 0xa5; };
    EXPECT_TRUE(std::all_of(memory.begin(), begin, is_as_before));
    EXPECT_TRUE(std::all_of(end, memory.end(), is_as_before));
    return {begin, end};
  }

  static const TestContext& context() {
    static const TestContext made("cuda");
    return made;
  }

  std::array<std::unique_ptr<DeviceBytes>, 2> memory_;
};

TEST_P(LongMessagesOnGpu, OfCtrAreRight) {
  const TestCipher cipher(context(), WARPAES_MODE_CTR, expected().key);
  const warpaes_message message = message_in(nullptr, 0, expected().counter);
  EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_ENCRYPT, expected().plaintext, message) == expected().ctr);
  EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, expected().ctr, message) == expected().plaintext);
}

TEST_P(LongMessagesOnGpu, OfGcmAreRight) {
  const TestCipher cipher(context(), WARPAES_MODE_GCM, expected().key);
  const DeviceBytes aad(expected().aad.size()), tag(16), status(4);
  aad.write(expected().aad);
  warpaes_message message = message_in(nullptr, 0, expected().nonce);
  message.aad = aad.data();
  message.aad_length = expected().aad.size();
  message.tag = tag.data();
  EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_ENCRYPT, expected().plaintext, message) ==
              expected().gcm.ciphertext);
  EXPECT_EQ(tag.read(), expected().gcm.tag);
  message.status = reinterpret_cast<int32_t*>(status.data());
  EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, expected().gcm.ciphertext, message) ==
              expected().plaintext);
  EXPECT_EQ(status.read(), Bytes(4, 0));
  // A bit in the part that warps on bit planes decrypt: the first and the last run are for tables.
  Bytes damaged = expected().gcm.ciphertext;
  damaged[kLength - kLength / 8] ^= 1;
  EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, damaged, message) == Bytes(kLength, 0));
  EXPECT_EQ(status.read(), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0}));
}

/// As in 256_from_0_to_7, of addresses modulo 16.
std::string name_of(const ::testing::TestParamInfo<std::tuple<size_t, Place>>& test) {
  const auto& [key_length, place] = test.param;
  const std::string key = std::to_string(8 * key_length), from = "_from_" + std::to_string(place.input);
  return key + from + (place.in_place ? "_in_place" : "_to_" + std::to_string(place.output));
}

INSTANTIATE_TEST_SUITE_P(KeySizes, LongMessagesOnGpu,
                         ::testing::Combine(::testing::Values(16, 24, 32), ::testing::ValuesIn(kPlaces)),
                         name_of);

}  // namespace
}  // namespace warpaes::core::testing
