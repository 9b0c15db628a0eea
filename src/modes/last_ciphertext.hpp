// What CBC and CFB carry from part to part of a message: the last 16 bytes of what IV and ciphertext so far
// make together.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "engines/engine.hpp"

namespace warpaes::core {

class LastCiphertext {
 public:
  explicit LastCiphertext(const uint8_t* iv) { std::memcpy(block_.data(), iv, block_.size()); }

  const uint8_t* data() const { return block_.data(); }
  void append(const uint8_t* ciphertext, uint64_t bytes) { append(block_, ciphertext, bytes); }

  /// Calls mode(run) with these bytes as its IV. Decryption in place overwrites the ciphertext, so what the
  /// next part needs is kept before.
  template <class Mode>
  void run(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes, const Mode& mode) {
    Block next = block_;
    if (direction == WARPAES_DIRECTION_DECRYPT) append(next, input, bytes);
    mode(ChainRun{block_.data(), input, output, bytes});
    if (direction == WARPAES_DIRECTION_ENCRYPT) append(next, output, bytes);
    block_ = next;
  }

 private:
  using Block = std::array<uint8_t, 16>;

  static void append(Block& block, const uint8_t* text, uint64_t bytes) {
    const auto fresh = static_cast<size_t>(std::min<uint64_t>(bytes, block.size()));
    if (fresh == 0) return;  // `text` may be null then
    std::memmove(block.data(), block.data() + fresh, block.size() - fresh);
    std::memcpy(block.data() + block.size() - fresh, text + bytes - fresh, fresh);
  }

  Block block_;
};

}  // namespace warpaes::core
