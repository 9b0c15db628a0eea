// ECB and CTR over a message, one block a thread at a time: what most lessons have in common, so that each
// has to show no more than its cipher.
#pragma once

#include "kernels/warp/block_access.hpp"
#include "lab/cipher_arguments.hpp"

namespace warpaes::core::lab {

/// Block i of the message, zeros where it has none.
WARPAES_HOST_DEVICE Columns load_block(const CipherArguments& message, uint64_t i) {
  if (16 * i >= message.bytes) return {0, 0, 0, 0};
  const uint8_t* from = message.input + 16 * i;
  const uint64_t rest = message.bytes - 16 * i;
  if (rest >= 16 && is_aligned(from)) return load_aligned(from);
  return load_bytes(from, rest < 16 ? static_cast<uint32_t>(rest) : 16);
}

/// Nothing where the message has no such block; no more than its bytes where it ends.
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

/// CTR's input to the cipher for block i, SP 800-38A 6.5: the first counter plus i, big-endian.
WARPAES_HOST_DEVICE Columns counter_block(const CipherArguments& message, uint64_t i) {
  return columns_of(add128(message.counter, i));
}

/// What block i is in the output.
/// @param cipher Columns -> Columns: a block through AES, in the direction that the use asks for
template <Use Wanted, class Cipher>
WARPAES_HOST_DEVICE Columns crypt_block(const CipherArguments& message, uint64_t i, const Cipher& cipher) {
  if constexpr (Wanted == Use::ctr) {
    return cipher(counter_block(message, i)) ^ load_block(message, i);
  } else {
    return cipher(load_block(message, i));
  }
}

/// The whole message, the grid striding over it. Warps stay together: a lane that has no block any more
/// goes along with nothing, so that a cipher may exchange words between lanes.
template <Use Wanted, class Thread, class Cipher>
WARPAES_HOST_DEVICE void crypt_message(Thread& thread, const CipherArguments& message, const Cipher& cipher) {
  const uint64_t step = static_cast<uint64_t>(thread.block_count()) * thread.count();
  uint64_t i = static_cast<uint64_t>(thread.block()) * thread.count() + thread.index();
  for (; i - thread.lane() < message.blocks(); i += step) {
    store_block(message, i, crypt_block<Wanted>(message, i, cipher));
  }
}

}  // namespace warpaes::core::lab
