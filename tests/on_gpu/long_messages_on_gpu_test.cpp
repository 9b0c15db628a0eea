// Messages so long that some warps look up tables for them and others compute on bit planes, at all kinds of
// addresses, on a GPU. All of the output is compared with OpenSSL's, and what stands around it must stay.
#include <algorithm>
#include <array>

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
  Bytes key, plaintext, nonce, aad, counter;
  Bytes ctr;
  reference::Sealed gcm;
};

class LongMessagesOnGpu : public ::testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    for (auto& memory : memory_) memory = std::make_unique<DeviceBytes>(kLength + 16 + 2 * kAround);
    expected_.key = bytes_from(1, GetParam());
    expected_.plaintext = bytes_from(2, kLength);
    expected_.nonce = bytes_from(3, 12);
    expected_.aad = bytes_from(4, 21);
    // Its last byte and those before it wrap within the message.
    expected_.counter = bytes_from(5, 12);
    expected_.counter.insert(expected_.counter.end(), {0, 0xfe, 0xff, 0xfb});
    expected_.ctr = reference::ctr(expected_.key, expected_.counter, expected_.plaintext);
    expected_.gcm = reference::gcm(expected_.key, expected_.nonce, expected_.aad, expected_.plaintext, 16);
  }

  /// Runs a call from one place to another.
  /// @return what it wrote
  Bytes run(const TestCipher& cipher, warpaes_direction direction, const Place& place, const Bytes& input,
            warpaes_message message) {
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

  Expected expected_;
  std::array<std::unique_ptr<DeviceBytes>, 2> memory_;
};

TEST_P(LongMessagesOnGpu, OfCtrAreRight) {
  const TestCipher cipher(context(), WARPAES_MODE_CTR, expected_.key);
  for (const Place& place : kPlaces) {
    SCOPED_TRACE(::testing::Message()
                 << place.input << " to " << place.output << (place.in_place ? ", in place" : ""));
    const warpaes_message message = message_in(nullptr, 0, expected_.counter);
    EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_ENCRYPT, place, expected_.plaintext, message) == expected_.ctr);
    EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, place, expected_.ctr, message) == expected_.plaintext);
  }
}

TEST_P(LongMessagesOnGpu, OfGcmAreRight) {
  const TestCipher cipher(context(), WARPAES_MODE_GCM, expected_.key);
  const DeviceBytes aad(expected_.aad.size()), tag(16), status(4);
  aad.write(expected_.aad);
  for (const Place& place : kPlaces) {
    SCOPED_TRACE(::testing::Message()
                 << place.input << " to " << place.output << (place.in_place ? ", in place" : ""));
    warpaes_message message = message_in(nullptr, 0, expected_.nonce);
    message.aad = aad.data();
    message.aad_length = expected_.aad.size();
    message.tag = tag.data();
    EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_ENCRYPT, place, expected_.plaintext, message) ==
                expected_.gcm.ciphertext);
    EXPECT_EQ(tag.read(), expected_.gcm.tag);
    message.status = reinterpret_cast<int32_t*>(status.data());
    EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, place, expected_.gcm.ciphertext, message) ==
                expected_.plaintext);
    EXPECT_EQ(status.read(), Bytes(4, 0));
    // A bit in the part that warps on bit planes decrypt: the first and the last run are for tables.
    Bytes damaged = expected_.gcm.ciphertext;
    damaged[kLength - kLength / 8] ^= 1;
    EXPECT_TRUE(run(cipher, WARPAES_DIRECTION_DECRYPT, place, damaged, message) == Bytes(kLength, 0));
    EXPECT_EQ(status.read(), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0}));
  }
}

INSTANTIATE_TEST_SUITE_P(KeySizes, LongMessagesOnGpu, ::testing::Values(16, 24, 32),
                         [](const auto& test) { return std::to_string(8 * test.param); });

}  // namespace
}  // namespace warpaes::core::testing
