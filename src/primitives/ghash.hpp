// GHASH over strings of bytes on the host, SP 800-38D section 6.4, and what GCM makes of its nonce.
#pragma once

#include <openssl/crypto.h>

#include <algorithm>
#include <cstdint>

#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"

namespace warpaes::core {

/// GHASH, section 6.4, over parts that are each padded to whole blocks.
class Ghash {
 public:
  /// @param key H as ghash_key() made it
  explicit Ghash(Gf128 key) : key_(gf128_factor(key)) {}
  ~Ghash() { OPENSSL_cleanse(this, sizeof *this); }
  Ghash(const Ghash&) = delete;
  Ghash& operator=(const Ghash&) = delete;

  void start() { sum_ = {0, 0}; }

  void add(Gf128 block) {
    Gf128Sum product;
    product.add(sum_ ^ block, key_);
    sum_ = product.reduced();
  }

  void add_padded(const uint8_t* data, uint64_t bytes) {
    const uint64_t whole = bytes / 16 * 16;
    for (uint64_t at = 0; at < whole; at += 16) add(gf128_from_block(data + at));
    if (whole == bytes) return;
    uint8_t last[16] = {};
    std::copy_n(data + whole, bytes - whole, last);
    add(gf128_from_block(last));
  }

  Gf128 sum() const { return sum_; }

 private:
  Gf128Factor key_;
  Gf128 sum_{0, 0};
};

/// J0, section 7.1 step 2: the tag is encrypted with it, the message's first block with inc32 of it.
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
