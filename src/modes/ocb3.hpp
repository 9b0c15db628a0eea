// OCB3 from the block functions, RFC 7253 section 4, whole or in parts.
#pragma once

#include <array>

#include "engines/engine.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// Under one key, on a host engine. For a message: start(), whole_blocks() any number of times, last_bytes(),
/// tag(); and at any time hash(), whose result is to be added to the tag.
class Ocb3 {
 public:
  Ocb3(const Engine& engine, const EngineKey& key, size_t tag_bytes);
  ~Ocb3();
  Ocb3(const Ocb3&) = delete;
  Ocb3& operator=(const Ocb3&) = delete;

  void start(const uint8_t* nonce, size_t nonce_bytes);
  /// P_i and C_i, from the one or to the one. @param bytes a multiple of 16
  void whole_blocks(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// P_* and C_*, the bytes that make no block: fewer than 16.
  void last_bytes(Direction direction, const uint8_t* input, uint8_t* output, uint64_t bytes);
  /// Without the additional data's hash.
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
  uint64_t blocks_ = 0;  // of the message, done
};

}  // namespace warpaes::core
