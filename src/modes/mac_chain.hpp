// A MAC that chains from block to block, and takes its message in parts: the CBC-MAC of CCM (SP 800-38C
// section 6.1), and CMAC (SP 800-38B section 6.2).
#pragma once

#include <openssl/crypto.h>

#include "engines/engine.hpp"

namespace warpaes::core {

/// A secret block, which is wiped at its end.
struct SecretBlock : MacBlock {
  SecretBlock() : MacBlock{} {}
  /// Takes over a temporary block, and wipes that as well.
  explicit SecretBlock(MacBlock&& from) : MacBlock(from) { OPENSSL_cleanse(from.data(), from.size()); }
  ~SecretBlock() { OPENSSL_cleanse(data(), size()); }
  SecretBlock(const SecretBlock&) = default;
  SecretBlock& operator=(const SecretBlock&) = delete;
};

/// The chain, on host engines. Whole blocks go to the engine's CBC, many at once.
class MacChain {
 public:
  MacChain(const Engine& engine, const EngineKey& key) : engine_(engine), key_(key) {}

  void start();
  /// Begins a string behind blocks of it that were chained elsewhere, up to this link.
  void start_from(const uint8_t* link);
  void add(const uint8_t* data, uint64_t bytes);
  /// Adds zeros up to the end of the block, as CCM has them behind each of its parts.
  void pad();
  /// @param mask XORed to the last block before that is encrypted @return the last link of the chain
  MacBlock finish(const MacBlock& mask);

  /// How many bytes of a last block wait for what comes behind it; 0 if nothing has been added.
  size_t last_bytes() const { return held_bytes_; }

 private:
  void chain(const uint8_t* input, uint64_t bytes);

  const Engine& engine_;
  const EngineKey& key_;
  SecretBlock link_, held_;
  size_t held_bytes_ = 0;
};

class Cmac {
 public:
  Cmac(const Engine& engine, const EngineKey& key);
  ~Cmac() { OPENSSL_cleanse(&masks_, sizeof masks_); }
  Cmac(const Cmac&) = default;  // the copy goes on behind the same bytes
  Cmac& operator=(const Cmac&) = delete;

  void start() { chain_.start(); }
  /// Begins a message behind blocks of it that were chained elsewhere, none of them its last.
  void start_from(const uint8_t* link) { chain_.start_from(link); }
  void add(const uint8_t* data, uint64_t bytes) { chain_.add(data, bytes); }
  MacBlock finish();
  /// The MAC of one string.
  MacBlock of(const uint8_t* data, uint64_t bytes) {
    start();
    add(data, bytes);
    return finish();
  }
  /// Begins the hash of EAX, OMAC^t: CMAC of the string with a number before it, as a block. (Bellare,
  /// Rogaway and Wagner, "The EAX Mode of Operation", FSE 2004, figure 4.)
  void start_omac(uint8_t number);
  MacBlock omac(uint8_t number, const uint8_t* data, uint64_t bytes) {
    start_omac(number);
    add(data, bytes);
    return finish();
  }
  /// What the end of a message, of at most 16 bytes, is XORed to the chain as (section 6.2 steps 3 and 4).
  MacBlock last_block(const uint8_t* data, uint64_t bytes) const;

 private:
  MacChain chain_;
  MacMasks masks_;
};

}  // namespace warpaes::core
