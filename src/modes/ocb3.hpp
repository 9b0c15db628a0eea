// OCB3 composed from the block functions (RFC 7253 section 4), for whole messages or messages in parts.
#pragma once

#include <array>

#include "engines/engine.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// OCB3 under one key, on a host engine. For each message: start(), then whole_blocks() any number of times,
/// last_bytes() and tag(). hash() may be called at any time, and its result is to be added to the tag.
class Ocb3 {
 public:
  Ocb3(const Engine& engine, const EngineKey& key, size_t tag_bytes);
  ~Ocb3();
  Ocb3(const Ocb3&) = delete;
  Ocb3& operator=(const Ocb3&) = delete;

  void start(const uint8_t* nonce, size_t nonce_bytes);
  /// Section 4.2: the whole blocks, P_i to C_i or back. @param bytes a multiple of 16
  void whole_blocks(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// Section 4.2: P_* to C_* or back, the last bytes that make no block; there are fewer than 16.
  void last_bytes(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// The tag without the hash of the additional data.
  MacBlock tag() const;
  /// HASH of section 4.1.
  MacBlock hash(const uint8_t* aad, uint64_t bytes) const;

 private:
  void encrypt(uint8_t* block, uint64_t bytes) const;
  void to_offset(MacBlock& offset, uint64_t i) const;
  void add_to_checksum(const uint8_t* blocks, uint64_t bytes);

  const Engine& engine_;
  const EngineKey& key_;
  const size_t tag_bytes_;
  MacBlock l_star_{}, l_dollar_{};
  std::array<MacBlock, 61> l_{};  // a message has fewer than 2^60 blocks
  MacBlock offset_{}, checksum_{};
  uint64_t blocks_ = 0;  // how many blocks of the message have been done
};

}  // namespace warpaes::core
