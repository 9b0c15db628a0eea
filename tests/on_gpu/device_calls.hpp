// The calls on device memory as a table, for tests that do the same with each of them: in many streams, in
// graphs, on several devices, at wrong places.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../c_api/handles_for_tests.hpp"

namespace warpaes::testing {

/// Device memory of one device, with what CUDA says checked.
class DeviceBytes {
 public:
  explicit DeviceBytes(size_t bytes, int device = 0);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;
  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  void write(const Bytes& bytes) const;
  Bytes read(size_t bytes, size_t from = 0) const;

 private:
  int device_;
  size_t size_;
  uint8_t* data_ = nullptr;
};

/// What a call works on. Input and output are of `bytes` bytes; tag: 16 bytes and 16 of status behind them.
struct CallMemory {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint8_t* tag;
  uint8_t* workspace;
  size_t workspace_bytes;
};

struct SealedInput {
  Bytes ciphertext, tag;
};

struct DeviceCall {
  const char* name;
  warpaes_status (*run)(const warpaes_key* key, const CallMemory& memory, cudaStream_t stream);
  /// What must be in the output, from OpenSSL.
  Bytes (*expected)(const Bytes& key, const Bytes& input);
  /// Input sealed, so that what opens it has a right tag; null if the call does not authenticate.
  SealedInput (*sealed)(const Bytes& key, const Bytes& input);
  bool opens;  // with the tag that is there
};

/// A workspace that is enough for any of them.
size_t workspace_bytes(const warpaes_key* key, uint64_t bytes);

/// All for one key and one message. Lengths must be multiples of 16.
std::vector<DeviceCall> device_calls();

/// The number of GPUs; asks CUDA.
int gpus();

}  // namespace warpaes::testing
