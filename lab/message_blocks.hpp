// ECB and CTR over a message, with one block for each thread at a time. Most lessons have this in common, so
// that each only shows its cipher.
#pragma once

#include "kernels/warp/block_access.hpp"
#include "lab/cipher_arguments.hpp"

namespace warpaes::core::lab {

/// Loads block i of the message; where the message has none, zeros.
WARPAES_HOST_DEVICE Columns load_block(const CipherArguments& message, uint64_t i) {
  if (16 * i >= message.bytes) return {0, 0, 0, 0};
  const uint8_t* from = message.input + 16 * i;
  const uint64_t rest = message.bytes - 16 * i;
  if (rest >= 16 && is_aligned(from)) return load_aligned(from);
  return load_bytes(from, rest < 16 ? static_cast<uint32_t>(rest) : 16);
}

/// Stores block i; nothing if the message has no such block, and only a part of it where the message ends.
WARPAES_HOST_DEVICE void store_block(const CipherArguments& message, uint64_t i, Columns block) {
  if (16 * i >= message.bytes) return;
  uint8_t* to = message.output + 16 * i;
  const uint64_t rest = message.bytes - 16 * i;
  if (rest >= 16 && is_aligned(to)) {
    store_aligned(to, block);
  } else {
    store_bytes(to, block, rest < 16 ? static_cast<uint32_t>(rest) : 16);
  }
}

WARPAES_HOST_DEVICE Columns columns_of(CounterBlock counter) {
  return {reverse_bytes(static_cast<uint32_t>(counter.high >> 32)),
          reverse_bytes(static_cast<uint32_t>(counter.high)),
          reverse_bytes(static_cast<uint32_t>(counter.low >> 32)),
          reverse_bytes(static_cast<uint32_t>(counter.low))};
}

/// What CTR encrypts for block i (SP 800-38A section 6.5): the first counter block plus i, big-endian.
WARPAES_HOST_DEVICE Columns counter_block(const CipherArguments& message, uint64_t i) {
  return columns_of(add128(message.counter, i));
}

/// What becomes of block i in the output.
/// @param cipher Columns -> Columns, AES in the direction that the use asks for
template <Use Wanted, class Cipher>
WARPAES_HOST_DEVICE Columns crypt_block(const CipherArguments& message, uint64_t i, const Cipher& cipher) {
  if constexpr (Wanted == Use::ctr) {
    return cipher(counter_block(message, i)) ^ load_block(message, i);
  } else {
    return cipher(load_block(message, i));
  }
}

/// Works on the whole message; the grid strides over it. Warps stay together: lanes for which no block is
/// left go on with zeros, so that a cipher may exchange words between lanes.
template <Use Wanted, class Thread, class Cipher>
WARPAES_HOST_DEVICE void crypt_message(Thread& thread, const CipherArguments& message, const Cipher& cipher) {
  const uint64_t step = static_cast<uint64_t>(thread.block_count()) * thread.count();
  uint64_t i = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
  for (; i - thread.lane() < message.blocks(); i += step) {
    store_block(message, i, crypt_block<Wanted>(message, i, cipher));
  }
}

}  // namespace warpaes::core::lab
