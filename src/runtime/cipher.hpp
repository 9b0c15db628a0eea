// A key that belongs to one mode.
#pragma once

#include <optional>

#include "modes/mode_table.hpp"
#include "pipeline/context.hpp"
#include "pipeline/random_nonces.hpp"

namespace warpaes::core {

class Cipher {
 public:
  /// @param key for XTS and SIV both keys, as IEEE 1619 and RFC 5297 write them; empty if messages bring keys
  ///        of their own. Throws MODE, KEY_LENGTH, XTS_KEYS, SELF_TEST, and UNSUPPORTED if the context has no
  ///        engine for the mode
  Cipher(const Context& context, warpaes_mode mode, std::span<const uint8_t> key);

  const Context& context() const { return context_; }
  warpaes_mode mode() const { return mode_; }
  const ModeRow& row() const { return row_; }

  bool has_key() const { return key_.has_value(); }
  /// The key that encrypts the message. Throws STATE if there is none.
  const Key& key() const {
    if (!key_) refuse_keyless();
    return *key_;
  }
  /// The tweak's key in XTS, the MAC's in SIV; null in modes with one key.
  const Key* second_key() const { return second_key_ ? &*second_key_ : nullptr; }
  BatchKey batch_key(const Engine& engine) const {
    return {key().prepared(engine), key().key_bits(), second_key_ ? &second_key_->prepared(engine) : nullptr};
  }
  XtsKeys xts_keys(const Engine& engine) const {
    return {key().prepared(engine), second_key()->prepared(engine), key().key_bits()};
  }

  RandomNonceCount& random_nonces() { return random_nonces_; }

 private:
  void prepare(std::span<const uint8_t> key);
  [[noreturn]] static void refuse_keyless();

  const Context& context_;
  const warpaes_mode mode_;
  const ModeRow& row_;
  std::optional<Key> key_, second_key_;
  RandomNonceCount random_nonces_;
};

/// Does the engine have the mode in any form?
/// @param each for batches with a key for each message
bool has_mode(const Engine& engine, warpaes_mode mode, Direction direction, bool each);

}  // namespace warpaes::core
