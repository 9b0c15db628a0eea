// CMAC of a message that comes in parts, by whatever engine a context has.
#pragma once

#include <openssl/crypto.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "warpaes/cipher.hpp"

namespace warpaes::cli {

using MacBlock = std::array<uint8_t, 16>;
constexpr size_t kBlockBytes = sizeof(MacBlock);

/// Of secrets: wiped when it goes.
struct SecretArray : MacBlock {
  SecretArray() : MacBlock{} {}
  explicit SecretArray(const MacBlock& block) : MacBlock(block) {}
  SecretArray(const SecretArray&) = delete;
  SecretArray& operator=(const SecretArray&) = delete;
  ~SecretArray() { OPENSSL_cleanse(data(), size()); }
};

void add_to_block(uint8_t* sum, const uint8_t* other, size_t bytes = kBlockBytes);
/// dbl() of RFC 5297 section 2.3, without a branch that depends on the block.
void double_block(MacBlock& block);

/// A CMAC whose parts come one after the other.
class CmacInParts {
 public:
  virtual ~CmacInParts() = default;
  virtual void add(std::span<const uint8_t> bytes) = 0;
  virtual MacBlock finish() = 0;
};

/// By an engine that has CMAC of whole messages only, as a GPU's does; of a message of at least a block.
/// @param cmac of that key, and has to outlive it
std::unique_ptr<CmacInParts> cmac_of_calls(const warpaes::Context& context, const warpaes::Cipher& cmac,
                                           std::span<const uint8_t> key);

/// CMAC of a message of at least a block, to whose last 16 bytes something is added when it has ended.
class LateCmac {
 public:
  LateCmac(const warpaes::Context& context, std::span<const uint8_t> key);

  void add(std::span<const uint8_t> bytes);
  MacBlock finish(const MacBlock& added);

  /// Of a whole message under the same key.
  void of_whole(std::span<const uint8_t> message, MacBlock& mac) const;

 private:
  void add_few(std::span<const uint8_t> bytes);

  warpaes::Cipher cipher_;
  std::unique_ptr<CmacInParts> cmac_;
  SecretArray held_;  // the last bytes so far
  size_t held_bytes_ = 0;
};

}  // namespace warpaes::cli
