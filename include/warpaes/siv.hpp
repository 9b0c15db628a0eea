// SIV for C++20: siv.h. A part of warpaes.hpp.
#pragma once

#include <span>
#include <vector>

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
