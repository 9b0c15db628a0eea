#include "modes/key_wrap.hpp"

#include <openssl/crypto.h>

#include <cstring>
#include <string>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/regions.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core {
namespace {

constexpr uint64_t kSemiblock = 8;

/// SP 800-38F section 5.3.1: KW takes 2 to 2^54 - 1 semiblocks, KWP 1 to 2^32 - 1 bytes.
constexpr uint64_t kKwMost = ((uint64_t{1} << 54) - 1) * kSemiblock, kKwpMost = (uint64_t{1} << 32) - 1;

/// The check values ICV1 of section 6.2 and ICV2 of section 6.3.
constexpr uint64_t kKwCheck = 0xa6a6a6a6a6a6a6a6u;
constexpr uint32_t kKwpCheck = 0xa65959a6u;

/// W and its inverse (section 6.1) in the form that RFC 3394 section 2.2 gives them: a check value in front
/// of n semiblocks, and six steps for each of these. If n = 1, which only KWP has, it is a single block of
/// AES.
class Wrap {
 public:
  Wrap(const Engine& engine, const EngineKey& key, uint8_t* semiblocks, uint64_t bytes)
      : engine_(engine), key_(key), semiblocks_(semiblocks), count_(bytes / kSemiblock) {}

  uint64_t encrypt(uint64_t check) {
    if (count_ == 1) return through(engine_.encrypt_blocks, check, 0);
    uint64_t step = 0;
    for (int pass = 0; pass < 6; pass++) {
      for (uint64_t i = 0; i < count_; i++) check = through(engine_.encrypt_blocks, check, i) ^ ++step;
    }
    return check;
  }

  uint64_t decrypt(uint64_t check) {
    if (count_ == 1) return through(engine_.decrypt_blocks, check, 0);
    uint64_t step = 6 * count_;
    for (int pass = 0; pass < 6; pass++) {
      for (uint64_t i = count_; i-- > 0;) check = through(engine_.decrypt_blocks, check ^ step--, i);
    }
    return check;
  }

 private:
  uint64_t through(decltype(Engine::encrypt_blocks) cipher, uint64_t check, uint64_t i) {
    store_be64(block_.data(), check);
    std::memcpy(block_.data() + kSemiblock, semiblocks_ + kSemiblock * i, kSemiblock);
    cipher(key_, {block_.data(), block_.data(), 16}, nullptr);
    std::memcpy(semiblocks_ + kSemiblock * i, block_.data() + kSemiblock, kSemiblock);
    return load_be64(block_.data());
  }

  const Engine& engine_;
  const EngineKey& key_;
  uint8_t* const semiblocks_;
  const uint64_t count_;
  SecretBlock block_;
};

/// 1 if the bit pattern is zero, else 0; without a branch.
uint64_t is_zero(uint64_t word) { return 1 ^ ((word | (0 - word)) >> 63); }

struct Unwrapped {
  uint64_t right;  // is the key genuine? 1 or 0
  uint64_t bytes;
};

Unwrapped checked_kwp(uint64_t check, const uint8_t* semiblocks, uint64_t padded) {
  const uint64_t bytes = check & 0xffffffffu;
  // Section 6.3, KWP-AD: there must be fewer than 8 bytes of padding, all of them zero.
  const uint64_t padding = padded - bytes;
  uint64_t right = is_zero(check >> 32 ^ kKwpCheck) & is_zero(padding / kSemiblock);
  for (uint64_t i = 1; i < kSemiblock; i++) {
    const uint64_t in_padding = (i - padding - 1) >> 63;  // 1 if i <= padding
    right &= is_zero((0 - in_padding) & semiblocks[padded - i]);
  }
  return {right, bytes};
}

void require_fit(const WrapRun& run, uint64_t output_bytes) {
  const Region input{"the input", run.input, 1, 0, run.bytes};
  const Region output{"the output", run.output, 1, 0, output_bytes};
  require_valid(input);
  require_valid(output);
  if (run.input != run.output) require_disjoint(output, input);
}

[[noreturn]] void refuse(const char* what, uint64_t bytes) {
  throw Failure(WARPAES_ERROR_LENGTH, what + std::string(", not ") + std::to_string(bytes));
}

}  // namespace

uint64_t wrapped_bytes(Wrapping mode, uint64_t bytes) {
  if (mode == Wrapping::kwp) {
    if (bytes < 1 || bytes > kKwpMost) refuse("KWP wraps 1 to 2^32 - 1 bytes", bytes);
    return (bytes + kSemiblock - 1) / kSemiblock * kSemiblock + kSemiblock;
  }
  if (bytes < 2 * kSemiblock || bytes > kKwMost || bytes % kSemiblock != 0) {
    refuse("KW wraps 16 bytes or more, in multiples of 8 (KWP any number)", bytes);
  }
  return bytes + kSemiblock;
}

uint64_t unwrapped_room(Wrapping mode, uint64_t bytes) {
  const uint64_t least = mode == Wrapping::kwp ? 2 : 3;
  const uint64_t most = mode == Wrapping::kwp ? kKwpMost + 1 + kSemiblock : kKwMost + kSemiblock;
  if (bytes < least * kSemiblock || bytes > most || bytes % kSemiblock != 0) {
    refuse("what was wrapped is a multiple of 8 bytes, 24 or more (KWP: 16)", bytes);
  }
  return bytes - kSemiblock;
}

void require_valid_wrap(Wrapping mode, const WrapRun& run) {
  require_fit(run, wrapped_bytes(mode, run.bytes));
}

void require_valid_unwrap(Wrapping mode, const WrapRun& run) {
  require_fit(run, unwrapped_room(mode, run.bytes));
}

void key_wrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run) {
  require_valid_wrap(mode, run);
  require_composable(engine, "key wrap");
  const uint64_t padded = wrapped_bytes(mode, run.bytes) - kSemiblock;
  uint8_t* const semiblocks = run.output + kSemiblock;
  std::memmove(semiblocks, run.input, run.bytes);
  std::memset(semiblocks + run.bytes, 0, padded - run.bytes);
  const uint64_t check = mode == Wrapping::kw ? kKwCheck : uint64_t{kKwpCheck} << 32 | run.bytes;
  store_be64(run.output, Wrap(engine, key, semiblocks, padded).encrypt(check));
}

uint64_t key_unwrap(const Engine& engine, const EngineKey& key, Wrapping mode, const WrapRun& run) {
  require_valid_unwrap(mode, run);
  require_composable(engine, "key wrap");
  const uint64_t padded = run.bytes - kSemiblock;
  const uint64_t first = load_be64(run.input);
  std::memmove(run.output, run.input + kSemiblock, padded);
  const uint64_t check = Wrap(engine, key, run.output, padded).decrypt(first);
  const Unwrapped found = mode == Wrapping::kw ? Unwrapped{is_zero(check ^ kKwCheck), padded}
                                               : checked_kwp(check, run.output, padded);
  if (found.right != 1) {
    OPENSSL_cleanse(run.output, padded);
    throw Failure(WARPAES_ERROR_AUTHENTICATION, "wrapped under another key, or damaged");
  }
  return found.bytes;
}

}  // namespace warpaes::core
