// XTS for C++20: xts.h. A part of warpaes.hpp.
#pragma once

#include "warpaes/key.hpp"
#include "warpaes/xts.h"

namespace warpaes {
inline namespace v0 {

/// XTS with both of its keys, which must outlive it.
class Xts {
 public:
  Xts(const Key& key, const Key& tweak_key) : key_(key), tweak_key_(tweak_key) {}

  void encrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output) const {
    detail::require(warpaes_xts_encrypt(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                        input.data(), output.data(), detail::common(input, output)));
  }
  void decrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output) const {
    detail::require(warpaes_xts_decrypt(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                        input.data(), output.data(), detail::common(input, output)));
  }

  // Device memory, asynchronous on a stream; the tweak is in host memory.

  void encrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output, Stream stream) const {
    detail::require(warpaes_xts_encrypt_device(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                               input.data(), output.data(), detail::common(input, output),
                                               stream));
  }
  void decrypt(Block tweak, uint64_t data_unit_bytes, Input input, Output output, Stream stream) const {
    detail::require(warpaes_xts_decrypt_device(key_.get(), tweak_key_.get(), tweak.data(), data_unit_bytes,
                                               input.data(), output.data(), detail::common(input, output),
                                               stream));
  }

 private:
  const Key& key_;
  const Key& tweak_key_;
};

}  // namespace v0
}  // namespace warpaes
