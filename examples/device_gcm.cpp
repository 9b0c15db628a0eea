// AES-256 in GCM on data in device memory: asynchronous on a stream, with no copy to the host.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>

#include "warpaes/warpaes.hpp"

template <class T>
std::shared_ptr<T> device_memory(size_t count) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess) throw std::runtime_error("cudaMalloc failed");
  return {static_cast<T*>(memory), cudaFree};
}

int main() try {
  if (warpaes::devices().empty()) return std::puts("skipped: no GPU"), 77;
  constexpr size_t kLength = 64 << 20;
  const auto message = device_memory<uint8_t>(kLength), tag_memory = device_memory<uint8_t>(16);
  const warpaes::Output data(message.get(), kLength), tag(tag_memory.get(), 16);
  const auto status = device_memory<int32_t>(1);
  cudaStream_t stream = nullptr;  // yours
  uint8_t key[32], nonce[12];
  warpaes::random(key), warpaes::random(nonce);
  // cut for README.md
  const warpaes::Cipher gcm(warpaes::Context(), warpaes::Mode::gcm, key);
  const size_t size = std::max(gcm.workspace_size(warpaes::Direction::encrypt, 1, kLength),
                               gcm.workspace_size(warpaes::Direction::decrypt, 1, kLength));
  const auto memory = device_memory<uint8_t>(size);
  const warpaes::Output workspace(memory.get(), size);
  gcm.encrypt_device({.input = data, .output = data, .nonce = nonce, .tag = tag}, workspace, stream);
  gcm.decrypt_device({.input = data, .output = data, .nonce = nonce, .tag = tag, .status = status.get()},
                     workspace, stream);
  // end of the cut
  int32_t found = WARPAES_ERROR_CUDA;
  (void)cudaMemcpy(&found, status.get(), sizeof found, cudaMemcpyDeviceToHost);
  std::printf("decrypted: %s\n", warpaes_status_name(found));
} catch (const std::exception& error) {
  return std::fprintf(stderr, "device_gcm: %s\n", error.what()), 1;
}
