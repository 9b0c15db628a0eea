// The calls on device memory as a table, every mode in both directions, for tests that do the same with each
// of them: in many streams, in graphs, on several devices.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <string>

#include "../c_api/handles_for_tests.hpp"
#include "batch_image.hpp"

namespace warpaes::core::testing {

/// Device memory of one device, with what CUDA says checked. It begins with bytes that nobody has written.
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
  Bytes read() const { return read(size_); }

 private:
  int device_;
  size_t size_;
  uint8_t* data_ = nullptr;
};

struct DeviceCall {
  const ListedMode* mode;
  warpaes_direction direction;

  std::string name() const;
  warpaes_status run(const warpaes_cipher* cipher, const warpaes_message& message,
                     const DeviceBytes& workspace, cudaStream_t stream) const;
  /// So many bytes, or fewer if one lane would work on them for long: the call's time is about the same.
  size_t quick_length(size_t bytes) const;
};

/// Every mode that the library lists, in both directions.
std::vector<DeviceCall> device_calls();
/// The call of one mode.
DeviceCall device_call(warpaes_mode mode, warpaes_direction direction);

size_t workspace_size(const warpaes_cipher* cipher, warpaes_direction direction, uint64_t count,
                      uint64_t length);

/// A message without additional data and tag, in place; the nonce must outlive it, and may be empty.
warpaes_message message_in(uint8_t* data, uint64_t length, const Bytes& nonce);

/// A message in device memory, before a call and after it.
class MessageOnDevice {
 public:
  MessageOnDevice(const DeviceCall& call, const warpaes_cipher* cipher, ModeMessage message,
                  const ImageOptions& options = {}, int device = 0);

  warpaes_status run(const warpaes_cipher* cipher, cudaStream_t stream) const;
  void reset() const { memory_.write(image_.before()); }
  bool is_untouched() const { return memory_.read() == image_.before(); }
  bool is_right() const { return memory_.read() == image_.after(); }
  /// In the place of a message that is right, for decryption that can notice it.
  void damage() const { memory_.write(image_.damaged_before()); }
  bool is_refused() const { return memory_.read() == image_.damaged_after(); }

  const DeviceBytes& memory() const { return memory_; }
  const DeviceBytes& workspace() const { return workspace_; }
  const ModeMessage& message() const { return message_; }

 private:
  const DeviceCall call_;
  const ModeMessage message_;
  const MessageImage image_;
  const DeviceBytes memory_, workspace_;
};

/// One key, cut to what each mode takes, as ciphers of all modes.
class CiphersOfAllModes {
 public:
  /// @param key as long as any mode's key
  CiphersOfAllModes(const TestContext& context, const Bytes& key);
  const warpaes_cipher* of(const DeviceCall& call) const { return ciphers_.at(call.mode->mode)->get(); }
  /// A message under its key.
  ModeMessage message_for(const DeviceCall& call, MessageShape shape) const;

 private:
  Bytes key_;
  std::map<warpaes_mode, std::unique_ptr<TestCipher>> ciphers_;
};

/// How much a test may do. The emulated GPU takes about as long for a byte as a real one for a thousand.
struct Extent {
  size_t longest_message;
  size_t messages;         // of a batch
  size_t messages_of_key;  // of a batch whose keys are looked for afterwards
  size_t random_batches;   // how many, and
  size_t random_bytes;     // of all messages of one
  size_t rounds;           // of the work of many threads
  size_t replays;          // of a graph, with each of what it is given
};
Extent extent_of_tests();

/// The number of GPUs; asks CUDA.
int gpus();

}  // namespace warpaes::core::testing
