// A message chained block by block: the CBC-MAC of CCM (SP 800-38C section 6.1) and CMAC (SP 800-38B
// section 6.2), taken in parts.
#pragma once

#include <openssl/crypto.h>

#include "engines/engine.hpp"

namespace warpaes::core {

/// A secret block; wiped.
struct SecretBlock : MacBlock {
  SecretBlock() : MacBlock{} {}
  /// Of a temporary, which is wiped too.
  explicit SecretBlock(MacBlock&& from) : MacBlock(from) { OPENSSL_cleanse(from.data(), from.size()); }
  ~SecretBlock() { OPENSSL_cleanse(data(), size()); }
  SecretBlock(const SecretBlock&) = delete;
  SecretBlock& operator=(const SecretBlock&) = delete;
};

/// On host engines. Whole blocks go to the engine's CBC, many at once.
class MacChain {
 public:
  MacChain(const Engine& engine, const EngineKey& key) : engine_(engine), key_(key) {}

  void start();
  /// Behind blocks that were chained elsewhere, up to this link.
  void start_from(const uint8_t* link);
  void add(const uint8_t* data, uint64_t bytes);
  /// Zeros up to the end of the block, as CCM has them behind its parts.
  void pad();
  /// @return the last link, with what makes the last block different XORed to it
  MacBlock finish(const MacBlock& mask);

  /// Bytes of the last block: it waits for what comes behind it. 0 if nothing has been added.
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
  Cmac(const Cmac&) = delete;
  Cmac& operator=(const Cmac&) = delete;

  void start() { chain_.start(); }
  /// Behind blocks that were chained elsewhere, none of them the message's last.
  void start_from(const uint8_t* link) { chain_.start_from(link); }
  void add(const uint8_t* data, uint64_t bytes) { chain_.add(data, bytes); }
  MacBlock finish();
  /// What the end of a message, of at most 16 bytes, is XORed to the chain as (section 6.2 steps 3 and 4).
  MacBlock last_block(const uint8_t* data, uint64_t bytes) const;

 private:
  MacChain chain_;
  MacMasks masks_;
};

}  // namespace warpaes::core
