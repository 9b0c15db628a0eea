// Two GPUs in one process, each with its own context and key: what belongs to the other one must be refused.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "device/driver_function.hpp"
#include "device_calls.hpp"
#include "evp_reference.hpp"

namespace warpaes::core::testing {
namespace {

const uint64_t kBytes = std::min<uint64_t>(1 << 20, extent_of_tests().longest_message) / 16 * 16;

struct Place {
  warpaes_context* context = nullptr;
  warpaes_cipher *with_ctr = nullptr, *with_ecb = nullptr;
  cudaStream_t stream = nullptr;
  DeviceBytes input, output, tag;

  Place(int device, const Bytes& raw_key) : input(kBytes, device), output(kBytes, device), tag(64, device) {
    warpaes_context_options wanted = options("cuda");
    wanted.device = device;
    EXPECT_EQ(warpaes_context_create(&wanted, &context), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(warpaes_cipher_create(context, WARPAES_MODE_CTR, raw_key.data(), raw_key.size(), &with_ctr),
              WARPAES_OK);
    EXPECT_EQ(warpaes_cipher_create(context, WARPAES_MODE_ECB, raw_key.data(), raw_key.size(), &with_ecb),
              WARPAES_OK);
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  }
  ~Place() {
    cudaStreamDestroy(stream);
    warpaes_cipher_destroy(with_ctr);
    warpaes_cipher_destroy(with_ecb);
    warpaes_context_destroy(context);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
};

/// On a stream of one of the places, between memory of any of them.
warpaes_status encrypt(const warpaes_cipher* cipher, const Bytes& nonce, const DeviceBytes& input,
                       const DeviceBytes& output, cudaStream_t stream) {
  warpaes_message message = message_in(output.data(), kBytes, nonce);
  message.input = input.data();
  return warpaes_encrypt_device(cipher, &message, nullptr, 0, stream);
}

class TwoDevices : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() < 2) GTEST_SKIP() << "this machine has " << gpus() << " GPUs";
  }
  const Bytes key_ = Bytes(24, 3), counter_ = Bytes(16, 4), input_ = Bytes(kBytes, 5);
};

/// From one thread and from two, whichever device is current in the caller.
TEST_F(TwoDevices, EachWorksWithItsOwnContextAndKey) {
  Place places[2] = {{0, key_}, {1, key_}};
  const Bytes expected = reference::ctr(key_, counter_, input_);
  for (const int current : {0, 1}) {
    for (const Place& place : places) place.input.write(input_);
    ASSERT_EQ(cudaSetDevice(current), cudaSuccess);
    std::vector<std::thread> threads;
    for (const Place& place : places) {
      EXPECT_EQ(encrypt(place.with_ctr, counter_, place.input, place.output, place.stream), WARPAES_OK)
          << warpaes_last_error();
      threads.emplace_back([&] {
        EXPECT_EQ(encrypt(place.with_ctr, counter_, place.input, place.input, place.stream), WARPAES_OK)
            << warpaes_last_error();
      });
    }
    for (std::thread& thread : threads) thread.join();
    int still = -1;
    EXPECT_EQ(cudaGetDevice(&still), cudaSuccess);
    EXPECT_EQ(still, current) << "the caller's current device is its own";
    for (const Place& place : places) {
      EXPECT_EQ(cudaStreamSynchronize(place.stream), cudaSuccess);
      EXPECT_EQ(place.output.read(kBytes), expected);
      EXPECT_EQ(place.input.read(kBytes), expected);
    }
  }
}

TEST_F(TwoDevices, MemoryOfTheOtherIsRefused) {
  const Place first(0, key_), second(1, key_);
  for (const auto& [place, other] : {std::pair(&first, &second), std::pair(&second, &first)}) {
    EXPECT_EQ(encrypt(place->with_ctr, counter_, other->input, place->output, place->stream),
              WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(encrypt(place->with_ecb, {}, place->input, other->output, place->stream),
              WARPAES_ERROR_MEMORY_SPACE);
  }
  EXPECT_EQ(second.output.read(16), Bytes(16, 0x5a));
}

TEST_F(TwoDevices, AStreamOfTheOtherIsRefused) {
  const Place first(0, key_), second(1, key_);
  EXPECT_EQ(encrypt(first.with_ctr, counter_, first.input, first.output, second.stream), WARPAES_ERROR_CUDA);
  EXPECT_NE(std::string(warpaes_last_error()).find("a stream of another device"), std::string::npos)
      << warpaes_last_error();
  EXPECT_EQ(first.output.read(16), Bytes(16, 0x5a));
  EXPECT_EQ(encrypt(first.with_ctr, counter_, first.input, first.output, first.stream), WARPAES_OK)
      << "and nothing is lost: " << warpaes_last_error();
}

/// Has this process a context on the device?
bool has_context(int device) {
  const auto state_of = driver_function<decltype(&cuDevicePrimaryCtxGetState)>("cuDevicePrimaryCtxGetState");
  unsigned flags = 0;
  int active = -1;
  EXPECT_EQ(state_of(device, &flags, &active), CUDA_SUCCESS);
  return active == 1;
}

constexpr uint64_t kFewBytes = 1 << 14;

/// Messages in host memory and in the device's, the latter made by another thread.
void work_on(int device) {
  warpaes_context_options wanted = options("cuda");
  wanted.device = device;
  warpaes_context* context = nullptr;
  ASSERT_EQ(warpaes_context_create(&wanted, &context), WARPAES_OK) << warpaes_last_error();
  warpaes_cipher* cipher = nullptr;
  const Bytes key(16, 3), nonce(16, 4);
  ASSERT_EQ(warpaes_cipher_create(context, WARPAES_MODE_CTR, key.data(), key.size(), &cipher), WARPAES_OK);

  Bytes pageable(kFewBytes, 5);
  warpaes_message message = message_in(pageable.data(), kFewBytes, nonce);
  EXPECT_EQ(warpaes_encrypt(cipher, &message), WARPAES_OK) << warpaes_last_error();
  void* page_locked = nullptr;
  ASSERT_EQ(warpaes_host_alloc(context, kFewBytes, &page_locked), WARPAES_OK) << warpaes_last_error();
  message.input = message.output = page_locked;
  EXPECT_EQ(warpaes_encrypt(cipher, &message), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(warpaes_host_free(context, page_locked), WARPAES_OK);

  uint8_t* memory = nullptr;
  std::thread([&] {
    EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&memory), kFewBytes), cudaSuccess);
  }).join();
  message.input = message.output = memory;
  EXPECT_EQ(warpaes_encrypt_device(cipher, &message, nullptr, 0, nullptr), WARPAES_OK)
      << warpaes_last_error();
  warpaes_device_info info = sized<warpaes_device_info>();
  EXPECT_EQ(warpaes_device_get(static_cast<uint32_t>(device), &info), WARPAES_OK) << warpaes_last_error();
  warpaes_cipher_destroy(cipher);
  warpaes_context_destroy(context);
}

/// In a process of its own, which has not yet used any device. A context on device 0 costs hundreds of MiB of
/// its memory, and cannot be had where another process has that device for itself.
TEST_F(TwoDevices, WorkOnOneMakesNoContextOnTheOther) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const bool before = has_context(0) || has_context(1);
        work_on(1);
        const bool only_there = has_context(1) && !has_context(0);
        int current = -1;
        const bool still_0 = cudaGetDevice(&current) == cudaSuccess && current == 0;
        std::fprintf(stderr, "contexts before: %d, on device 1 only: %d, current device: %d\n", before,
                     only_there, current);
        std::exit(before || !only_there || !still_0 || HasFailure() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpaes::core::testing
