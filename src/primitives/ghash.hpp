// GHASH over strings of bytes on the host, SP 800-38D section 6.4, and what GCM makes of its nonce.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"
#include "primitives/host_gf128.hpp"

namespace warpaes::core {

/// GHASH, section 6.4, over parts that are each padded to whole blocks; or POLYVAL, which differs in how
/// blocks are read.
class Ghash {
 public:
  /// @param key H as ghash_key() made it, or POLYVAL's
  explicit Ghash(Gf128 key, HashOrder order = HashOrder::ghash, const HostGf128& arithmetic = host_gf128())
      : arithmetic_(&arithmetic), order_(order), power_{gf128_factor(key)} {}
  ~Ghash() { OPENSSL_cleanse(this, sizeof *this); }
  Ghash(const Ghash&) = delete;
  Ghash& operator=(const Ghash&) = delete;

  void start() { sum_ = {0, 0}; }

  void add(Gf128 block) { sum_ = arithmetic_->multiply(sum_ ^ block, power_[0].value); }

  void add_padded(const uint8_t* data, uint64_t bytes) {
    const uint64_t whole = bytes / 16 * 16;
    add_blocks(data, whole / 16);
    if (whole == bytes) return;
    uint8_t last[16] = {};
    std::copy_n(data + whole, bytes - whole, last);
    add_blocks(last, 1);
    OPENSSL_cleanse(last, sizeof last);
  }

  Gf128 sum() const { return sum_; }

 private:
  /// With few blocks it takes them one by one, since the powers of the key would take longer to compute.
  void add_blocks(const uint8_t* data, uint64_t blocks) {
    const uint64_t at_once = powers_ready(blocks) ? std::max<uint64_t>(blocks, 1) : 1;
    for (uint64_t at = 0; at < blocks; at += at_once) {
      sum_ = arithmetic_->run(power_.data(), sum_, data + 16 * at, at_once, order_);
    }
  }

  bool powers_ready(uint64_t blocks) {
    if (ready_ >= arithmetic_->powers) return true;
    if (blocks < kHashPowers) return false;
    for (; ready_ < power_.size(); ready_++) {
      power_[ready_] = gf128_factor(arithmetic_->multiply(power_[ready_ - 1].value, power_[0].value));
    }
    return true;
  }

  const HostGf128* arithmetic_;
  HashOrder order_;
  size_t ready_ = 1;  // of the powers
  std::array<Gf128Factor, kHashPowers> power_;
  Gf128 sum_{0, 0};
};

/// J0, section 7.1 step 2: the tag is encrypted with it, the message's first block with inc32 of it.
/// @param ghash its sum is lost, unless the nonce has 12 bytes
inline CounterBlock gcm_initial_counter(Ghash& ghash, const uint8_t* nonce, size_t bytes) {
  uint8_t block[16] = {};
  if (bytes == 12) {
    std::copy_n(nonce, bytes, block);
    block[15] = 1;
  } else {
    ghash.start();
    ghash.add_padded(nonce, bytes);
    ghash.add(ghash_lengths(0, bytes));
    gf128_to_block(ghash.sum(), block);
  }
  return load_counter(block);
}

}  // namespace warpaes::core
