// An encrypted file from device memory, and back. Sealed chunks cross the bus; of the plaintext, its last few
// KiB and one chunk in 64, which the CPU compares.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "warpaes/warpaes.hpp"

int main() try {
  if (warpaes::devices().empty()) return std::puts("skipped: no GPU"), 77;
  constexpr size_t kLength = (100 << 20) + 7;
  void *weights = nullptr, *loaded = nullptr;
  if (cudaMalloc(&weights, kLength) != cudaSuccess || cudaMalloc(&loaded, kLength) != cudaSuccess) {
    throw std::runtime_error("cudaMalloc failed");
  }
  (void)cudaMemset(weights, 7, kLength);
  uint8_t key[32];
  warpaes::random(key);
  const warpaes::Context context;
  warpaes::HostBuffer file(context, warpaes::container_size(kLength));  // write it wherever you like

  warpaes::ContainerHeader header;
  const auto sealed = warpaes::Container::create(context, key, header);
  std::memcpy(file.data(), header.data(), header.size());
  sealed.encrypt({.input = {weights, kLength},
                  .output = {file.data() + header.size(), file.size() - header.size()},
                  .ends = true,
                  .on_device = true});

  const auto opened = warpaes::Container::open(context, key, header);
  const auto read_at = [&](uint64_t offset, warpaes::Output into) {  // with a file: pread
    std::memcpy(into.data(), file.data() + offset, into.size());
  };
  const uint64_t got =
      opened->read(file.size(), read_at, 0, {loaded, kLength}, {.parallel = true, .on_device = true});
  std::printf("loaded: %llu bytes\n", static_cast<unsigned long long>(got));
} catch (const std::exception& error) {
  return std::fprintf(stderr, "device_container: %s\n", error.what()), 1;
}
