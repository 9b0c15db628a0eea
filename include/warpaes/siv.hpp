// SIV for C++20: siv.h. A part of warpaes.hpp.
#pragma once

#include <span>
#include <vector>

#include "warpaes/aead.h"
#include "warpaes/key.hpp"
#include "warpaes/siv.h"

namespace warpaes {
inline namespace v0 {

/// SIV with both of its keys, which must outlive it.
class Siv {
 public:
  using AssociatedData = std::span<const Input>;

  Siv(const Key& mac_key, const Key& key) : mac_key_(mac_key), key_(key) {}

  void encrypt(AssociatedData aads, Input input, Output output, std::span<uint8_t, 16> tag) const {
    const Pieces pieces(aads);
    detail::require(warpaes_siv_encrypt(mac_key_.get(), key_.get(), pieces.data.data(), pieces.bytes.data(),
                                        aads.size(), input.data(), output.data(),
                                        detail::common(input, output), tag.data()));
  }
  Authenticity decrypt(AssociatedData aads, Input input, Output output, Block tag) const {
    const Pieces pieces(aads);
    return detail::authenticity(
        warpaes_siv_decrypt(mac_key_.get(), key_.get(), pieces.data.data(), pieces.bytes.data(), aads.size(),
                            input.data(), output.data(), detail::common(input, output), tag.data()));
  }

  /// Batches, as aead.h has them: a piece of additional data and a nonce each. `mac_key` is set here.
  /// @return wrong_tag if at least one message has it; batch.statuses says which
  Authenticity batch(Direction direction, warpaes_aead_batch_arguments batch) const {
    batch.mac_key = mac_key_.get();
    return detail::authenticity(warpaes_aead_batch(key_.get(), WARPAES_AEAD_SIV, direction, &batch));
  }
  /// Device memory, asynchronous on a stream; needs no workspace.
  void batch(Direction direction, warpaes_aead_batch_arguments batch, Stream stream) const {
    batch.mac_key = mac_key_.get();
    detail::require(
        warpaes_aead_batch_device(key_.get(), WARPAES_AEAD_SIV, direction, &batch, nullptr, 0, stream));
  }

 private:
  struct Pieces {
    explicit Pieces(AssociatedData aads) {
      for (const Input& each : aads) data.push_back(each.data()), bytes.push_back(each.size());
    }
    std::vector<const void*> data;
    std::vector<uint64_t> bytes;
  };

  const Key& mac_key_;
  const Key& key_;
};

}  // namespace v0
}  // namespace warpaes
