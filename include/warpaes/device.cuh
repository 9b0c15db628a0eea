/** \file
 * AES for your own kernels: the cipher and its inverse, CTR's and GCM's counters, and GHASH, as functions
 * that a thread calls. For kernels that want data only where they use it: decrypted in registers, and never
 * in memory.
 *
 * These are the parts that this library's kernels are made of. The installed file needs no other file and no
 * library; it is C++20 for nvcc, and for other compilers too, which then have the same functions on the host.
 * For whole messages take the library's calls, which are faster than what a kernel does by the way, and
 * compare tags in constant time.
 *
 * **What you have to see to:** a counter block is used once under a key, or everything is lost (SP 800-38D
 * section 8). CTR, ECB, CBC and XTS notice no change of the data. Under GCM, nothing may become of the
 * plaintext before the tag has been found right: examples/fused_decrypt.cu keeps a kernel's result back until
 * then.
 *
 * **Timing.** Each lane of a warp has its own copy of the table, in a bank of shared memory of its own, so a
 * look-up takes the same time whatever is looked up. That holds where `lane` is the thread's lane in its
 * warp.
 */
#pragma once

#if __cplusplus < 202002L
#error "warpaes/device.cuh needs C++20: compile with -std=c++20."
#else

#include <cstddef>
#include <cstdint>

#include "kernels/warp/block_access.hpp"
#include "kernels/warp/lane_private_tables.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/counter_block.hpp"
#include "primitives/gf128.hpp"
#include "primitives/inverse_key_expansion.hpp"
#include "primitives/key_expansion.hpp"
#if defined(__CUDACC__)
#include "kernels/device_thread.cuh"
#endif

namespace warpaes::device {

/** 16 bytes in the words a, b, c, d; byte 0 is in the low bits of a. */
using Block = core::Columns;
using core::operator^;

/** From an address that is a multiple of 16. */
WARPAES_HOST_DEVICE Block load(const void* from) {
  return core::load_aligned(static_cast<const uint8_t*>(from));
}
/** To an address that is a multiple of 16. */
WARPAES_HOST_DEVICE void store(void* to, Block block) {
  core::store_aligned(static_cast<uint8_t*>(to), block);
}
/** The first `bytes` bytes of a block at any address, 16 at most; the others are zero. */
WARPAES_HOST_DEVICE Block load_bytes(const void* from, uint32_t bytes) {
  return core::load_bytes(static_cast<const uint8_t*>(from), bytes);
}
/** The first `bytes` bytes of the block, 16 at most, to any address. */
WARPAES_HOST_DEVICE void store_bytes(void* to, Block block, uint32_t bytes) {
  core::store_bytes(static_cast<uint8_t*>(to), block, bytes);
}

/** An expanded key: 240 bytes that go to a kernel as a parameter, best a `const __grid_constant__` one.
 * Whoever has made it wipes it. */
template <int KeyBits>
struct Key {
  static_assert(KeyBits == 128 || KeyBits == 192 || KeyBits == 256, "AES has keys of 128, 192 and 256 bits");
  static constexpr int kRounds = KeyBits / 32 + 6; /**< FIPS 197, table 3 */
  core::RoundKeys round_keys;                      /**< a secret, as the key itself */
};

/** On the host; in a time that does not depend on the key. @param key KeyBits / 8 bytes */
template <int KeyBits>
Key<KeyBits> make_key(const uint8_t* key) {
  Key<KeyBits> made{};
  core::expand_key(key, KeyBits / 32, made.round_keys);
  return made;
}

/** Overwrites a secret of the host with zeros, which no compiler leaves out. */
template <class Secret>
void wipe(Secret& secret) {
  volatile auto* const bytes = reinterpret_cast<volatile uint8_t*>(&secret);
  for (size_t i = 0; i < sizeof secret; i++) bytes[i] = 0;
}

/** The expanded key of the equivalent inverse cipher: other round keys than the cipher's, to be handled as
 * those are. */
template <int KeyBits>
struct InverseKey {
  static constexpr int kRounds = Key<KeyBits>::kRounds; /**< FIPS 197, table 3 */
  core::RoundKeys round_keys;                           /**< a secret, in the order of use */
};

/** FIPS 197 section 5.3.5, on the host; in a time that does not depend on the key.
 * @param key KeyBits / 8 bytes, the same as for make_key() */
template <int KeyBits>
InverseKey<KeyBits> make_inverse_key(const uint8_t* key) {
  InverseKey<KeyBits> made{};
  Key<KeyBits> forward = make_key<KeyBits>(key);
  core::invert_key(forward.round_keys, Key<KeyBits>::kRounds, made.round_keys);
  wipe(forward);
  return made;
}

/** One block on the host, without tables, in some microseconds: for hash keys and tags. */
template <int KeyBits>
Block encrypt_on_host(const Key<KeyBits>& key, Block block) {
  uint8_t bytes[16];
  core::store_bytes(bytes, block, 16);
  core::careful_block(key.round_keys, Key<KeyBits>::kRounds, bytes, bytes);
  const Block encrypted = core::load_bytes(bytes, 16);
  wipe(bytes);
  return encrypted;
}

/** The cipher, as one thread has it.
 *
 *     extern __shared__ __align__(16) uint8_t shared[];
 *     Aes<256>::fill(shared, threadIdx.x, blockDim.x);
 *     __syncthreads();
 *     const Aes<256> aes(shared, key, threadIdx.x % 32);
 *     const Block keystream = aes.encrypt(counter.block(i));
 *
 * @tparam Tables how many of the four T-tables are in shared memory, 32 KiB each: 1, 2 or 4. What is not
 * there is made by rotating words. One fits into what every kernel has; four are the fastest, and need
 *         cudaFuncAttributeMaxDynamicSharedMemorySize, and a GPU that has so much. */
template <int KeyBits, int Tables = 1>
class Aes {
  static_assert(Tables == 1 || Tables == 2 || Tables == 4, "1, 2 or 4 tables");

 public:
  /** How many bytes of shared memory the tables take. */
  static constexpr size_t kSharedBytes = size_t{Tables} * core::kTableBytes;

  /** Fills the tables. All threads of a thread block call it, and then __syncthreads().
   *  @param shared kSharedBytes of shared memory, at an address that is a multiple of 16
   *  @param thread number of the calling thread in its thread block, of `threads` */
  WARPAES_HOST_DEVICE static void fill(void* shared, uint32_t thread, uint32_t threads) {
#if defined(__CUDA_ARCH__)
    const uint32_t* const t0 = core::device_tables::t0.word;
#else
    const uint32_t* const t0 = core::kT0.data();
#endif
    core::LanePrivateTables<Tables>::fill(static_cast<uint8_t*>(shared), t0, thread, threads);
  }

  /** @param shared the memory that fill() has filled. It has to outlive this object
   *  @param key has to outlive this object, too
   *  @param lane of the thread in its warp, 0 to 31 */
  WARPAES_HOST_DEVICE Aes(const void* shared, const Key<KeyBits>& key, uint32_t lane)
      : tables_(static_cast<const uint8_t*>(shared), lane), keys_(key.round_keys) {}

  /** FIPS 197 section 5.1. */
  WARPAES_HOST_DEVICE Block encrypt(Block block) const {
    block = add_round_key(block, 0);
    return tables_.template encrypt<Key<KeyBits>::kRounds, 1>(block, keys_);
  }

  /** The cipher's steps one by one, for a kernel that does a step once for several blocks: counters that
   * differ in their last byte have most of round 1 in common. The cipher is add_round_key(0), round(1) to
   * round(Nr - 1) and last_round(), with Nr = Key<KeyBits>::kRounds. Fewer rounds than that are no cipher.
   * AddRoundKey, section 5.1.4. @param number of the round key, 0 to Nr */
  WARPAES_HOST_DEVICE Block add_round_key(Block state, int number) const {
    return core::LanePrivateTables<Tables>::add_round_key(state, keys_, number);
  }
  /** SubBytes, ShiftRows, MixColumns and AddRoundKey. @param number of the round, 1 to Nr - 1 */
  WARPAES_HOST_DEVICE Block round(Block state, int number) const {
    return tables_.round(state, keys_.word + 4 * number);
  }
  /** Round Nr, which has no MixColumns. */
  WARPAES_HOST_DEVICE Block last_round(Block state) const {
    return tables_.last_round(state, keys_.word + 4 * Key<KeyBits>::kRounds);
  }

 private:
  core::LanePrivateTables<Tables> tables_;
  const core::RoundKeys& keys_;
};

/** The inverse cipher, as one thread has it: for the decryption of ECB, CBC and XTS. CTR and GCM need none.
 *
 *     extern __shared__ __align__(16) uint8_t shared[];
 *     InverseAes<256>::fill(shared, threadIdx.x, blockDim.x);
 *     __syncthreads();
 *     const InverseAes<256> aes(shared, inverse_key, threadIdx.x % 32);
 *     const Block plaintext = aes.decrypt(sealed) ^ sealed_before;  // CBC
 *
 * Its tables are as large as those of Aes, and looked up in the same way, so that time tells nothing about
 * the data. But they are others: a kernel that needs both classes gives each a memory of its own.
 *
 * @tparam Tables 1, 2 or 4, as for Aes */
template <int KeyBits, int Tables = 1>
class InverseAes {
  static_assert(Tables == 1 || Tables == 2 || Tables == 4, "1, 2 or 4 tables");

 public:
  /** How many bytes of shared memory the tables take. */
  static constexpr size_t kSharedBytes = size_t{Tables} * core::kTableBytes;

  /** Fills the tables, as Aes::fill() does: all threads of a thread block call it, and then __syncthreads().
   *  @param shared kSharedBytes of shared memory, at an address that is a multiple of 16
   *  @param thread number of the calling thread in its thread block, of `threads` */
  WARPAES_HOST_DEVICE static void fill(void* shared, uint32_t thread, uint32_t threads) {
#if defined(__CUDA_ARCH__)
    const uint32_t* const t0 = core::device_tables::inverse_t0.word;
#else
    const uint32_t* const t0 = core::kInverseT0.data();
#endif
    core::LanePrivateTables<Tables>::fill(static_cast<uint8_t*>(shared), t0, thread, threads);
  }

  /** @param shared the memory that this class' fill() has filled. It has to outlive this object
   *  @param key has to outlive this object, too
   *  @param lane of the thread in its warp, 0 to 31 */
  WARPAES_HOST_DEVICE InverseAes(const void* shared, const InverseKey<KeyBits>& key, uint32_t lane)
      : tables_(static_cast<const uint8_t*>(shared), lane), keys_(key.round_keys) {}

  /** FIPS 197 section 5.3, as the equivalent inverse cipher of section 5.3.5: undoes Aes::encrypt(). */
  WARPAES_HOST_DEVICE Block decrypt(Block block) const {
    return tables_.template decrypt<InverseKey<KeyBits>::kRounds>(block, keys_);
  }

 private:
  core::LanePrivateTables<Tables> tables_;
  const core::RoundKeys& keys_;
};

/** CTR's counter blocks, SP 800-38A section 6.5: the keystream's block i is that of counter block i. */
class CtrCounter {
 public:
  /** @param first 16 bytes */
  WARPAES_HOST_DEVICE explicit CtrCounter(const uint8_t* first) : first_(core::load_counter(first)) {}
  /** Counter block `index`; the counter has 128 bits and begins anew after them. */
  WARPAES_HOST_DEVICE Block block(uint64_t index) const {
    return core::to_columns({core::add128(first_, index).low, core::add128(first_, index).high});
  }

 private:
  core::CounterBlock first_;
};

/** GCM's counter blocks for nonces of 12 bytes, SP 800-38D section 7.1: block 0 is J0, with which the tag is
 * encrypted, and block i + 1 is that of the text's block i. A text has less than 2^32 - 1 blocks. */
class GcmCounter {
 public:
  /** @param nonce 12 bytes */
  WARPAES_HOST_DEVICE explicit GcmCounter(const uint8_t* nonce)
      : first_{core::load_be64(nonce), uint64_t{core::load_be32(nonce + 8)} << 32 | 1} {}
  /** Counter block `index`, which is below 2^32. */
  WARPAES_HOST_DEVICE Block block(uint64_t index) const {
    return core::to_columns({core::add32(first_, index).low, core::add32(first_, index).high});
  }

 private:
  core::CounterBlock first_;
};

/** GHASH's key H, or a power of it: as secret as the cipher's key, since whoever has it can forge tags. */
struct HashKey {
  core::Gf128 value; /**< the element of the field */
};

/** On the host: H, the encrypted block of zeros. */
template <int KeyBits>
HashKey make_hash_key(const Key<KeyBits>& key) {
  return {core::ghash_key(core::to_gf128(encrypt_on_host(key, Block{0, 0, 0, 0})))};
}

/** H^exponent in GHASH's field; H is its own first power. */
WARPAES_HOST_DEVICE HashKey power(HashKey key, uint64_t exponent) {
  return {core::gf128_power(key.value, exponent)};
}

/** A product in GHASH's field, SP 800-38D section 6.3. */
WARPAES_HOST_DEVICE Block multiply(Block block, HashKey key) {
  return core::to_columns(core::gf128_multiply(core::to_gf128(block), key.value));
}

/** The last block that GHASH takes: the lengths of additional data and text, SP 800-38D section 7.1 step 5.
 */
WARPAES_HOST_DEVICE Block lengths_block(uint64_t aad_bytes, uint64_t text_bytes) {
  return core::to_columns(core::ghash_lengths(aad_bytes, text_bytes));
}

/** GHASH of one block after the other, SP 800-38D section 6.4.
 *
 * GHASH of the blocks X1 to Xn is X1 * H^n ^ … ^ Xn * H, so threads can share it. Thread t of T, with H^T as
 * its key, adds the blocks t, t + T, t + 2T …, and finish() brings its sum to the place of its last block;
 * then all sums are XORed. A sum is a secret, too: with the blocks that it is of, H can be computed. */
class Ghash {
 public:
  /** @param key H, or H^T where T threads share the blocks */
  WARPAES_HOST_DEVICE explicit Ghash(HashKey key) : key_(key) {}

  /** A last block that is short has zeros behind it. */
  WARPAES_HOST_DEVICE void add(Block block) {
    sum_ = core::gf128_multiply(sum_, key_.value) ^ core::to_gf128(block);
  }

  /** @param hash_key H itself
   *  @param behind how many blocks follow the last one that was added: those of other threads and the lengths
   *  @return what GHASH's sum has of these blocks */
  WARPAES_HOST_DEVICE Block finish(HashKey hash_key, uint64_t behind) const {
    return core::to_columns(core::gf128_multiply(sum_, core::gf128_power(hash_key.value, behind + 1)));
  }

 private:
  HashKey key_;
  core::Gf128 sum_{0, 0};
};

}  // namespace warpaes::device

#endif
