#include "device_calls.hpp"

#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

const Bytes kNonce(12, 0x31), kCounter(16, 0xff);  // a counter that wraps

template <auto Call>
warpaes_status ecb(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return Call(key, at.input, at.output, at.bytes, stream);
}

warpaes_status ctr(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_ctr_crypt_device(key, kCounter.data(), at.input, at.output, at.bytes, stream);
}

warpaes_status seal(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_gcm_encrypt_device(key, kNonce.data(), 12, nullptr, 0, at.input, at.output, at.bytes, at.tag,
                                    16, at.workspace, at.workspace_bytes, stream);
}

warpaes_status open(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_gcm_decrypt_device(key, kNonce.data(), 12, nullptr, 0, at.input, at.output, at.bytes, at.tag,
                                    16, reinterpret_cast<int32_t*>(at.tag + 16), at.workspace,
                                    at.workspace_bytes, stream);
}

Bytes opened(const Bytes& key, const Bytes& input) {
  return reference::gcm(key, kNonce, {}, input, 16).ciphertext;
}

}  // namespace

DeviceBytes::DeviceBytes(size_t bytes, int device) : device_(device), size_(bytes) {
  EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), bytes), cudaSuccess) << bytes;
  EXPECT_EQ(cudaMemset(data_, 0x5a, bytes), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

DeviceBytes::~DeviceBytes() {
  EXPECT_EQ(cudaSetDevice(device_), cudaSuccess);
  EXPECT_EQ(cudaFree(data_), cudaSuccess);
}

void DeviceBytes::write(const Bytes& bytes) const {
  ASSERT_LE(bytes.size(), size_);
  EXPECT_EQ(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

Bytes DeviceBytes::read(size_t bytes, size_t from) const {
  Bytes copy(bytes);
  EXPECT_EQ(cudaMemcpy(copy.data(), data_ + from, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  return copy;
}

size_t workspace_bytes(const warpaes_key* key, uint64_t bytes) {
  size_t needed = 0;
  EXPECT_EQ(warpaes_gcm_workspace_bytes(key, 1, bytes, &needed), WARPAES_OK) << warpaes_last_error();
  return needed;
}

std::vector<DeviceCall> device_calls() {
  return {
      {"ECB encryption", ecb<warpaes_ecb_encrypt_device>,
       [](const Bytes& key, const Bytes& input) { return reference::ecb(key, true, input); }, false, false},
      {"ECB decryption", ecb<warpaes_ecb_decrypt_device>,
       [](const Bytes& key, const Bytes& input) { return reference::ecb(key, false, input); }, false, false},
      {"CTR", ctr, [](const Bytes& key, const Bytes& input) { return reference::ctr(key, kCounter, input); },
       false, false},
      {"GCM encryption", seal, opened, true, false},
      {"GCM decryption", open, opened, true, true},
  };
}

SealedInput sealed(const Bytes& key, const Bytes& input) {
  const reference::Sealed made = reference::gcm(key, kNonce, {}, input, 16);
  return {made.ciphertext, made.tag};
}

int gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace warpaes::testing
