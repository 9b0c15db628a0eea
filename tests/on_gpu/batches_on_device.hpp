// A batch in device memory, for the tests that run it at once or in a graph.
#pragma once

#include "device_calls.hpp"

namespace warpaes::core::testing {

class BatchOnDevice {
 public:
  /// @param messages must outlive it
  BatchOnDevice(const DeviceCall& call, const warpaes_cipher* cipher,
                const std::vector<ModeMessage>& messages, const BatchShape& shape)
      : call_(call),
        shape_{shape.layout, shape.in_place, shape.key_each, true, shape.gap},
        image_(messages, call.direction, shape_),
        memory_(image_.size()),
        batch_(image_.place_at(memory_.data())),
        workspace_(workspace_size(cipher, call.direction, batch_.count, batch_.length)) {}

  warpaes_status run(const warpaes_cipher* cipher, cudaStream_t stream) const {
    const auto call = call_.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device
                                                                   : warpaes_decrypt_batch_device;
    return call(cipher, &batch_, workspace_.data(), workspace_.size(), stream);
  }
  /// Puts messages of the same lengths where the arguments point.
  void hold(const std::vector<ModeMessage>& messages, const std::vector<Wrong>& wrong = {}) {
    image_ = BatchImage(messages, call_.direction, shape_, wrong);
    batch_ = image_.place_at(memory_.data());
    memory_.write(image_.before());
  }
  std::vector<Wrong> what_can_be_wrong(size_t from = 0) const { return image_.what_can_be_wrong(from); }
  bool is_right() const { return memory_.read() == image_.after(); }
  bool is_untouched() const { return memory_.read() == image_.before(); }
  const DeviceBytes& workspace() const { return workspace_; }

 private:
  const DeviceCall call_;
  const BatchShape shape_;
  BatchImage image_;
  const DeviceBytes memory_;
  warpaes_batch batch_;
  const DeviceBytes workspace_;
};

}  // namespace warpaes::core::testing
