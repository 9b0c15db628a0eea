#include "modes/key_wrap.hpp"

#include <openssl/crypto.h>

#include <cstring>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/mode_table.hpp"
#include "modes/regions.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core {
namespace {

constexpr uint64_t kSemiblock = 8;

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

/// @return the length of the output
uint64_t require_valid_run(warpaes_mode mode, Direction direction, const BlockRun& run) {
  const LengthRule& lengths = mode_row(mode).lengths(direction);
  lengths.require(run.bytes);
  const uint64_t output_bytes = lengths.output(run.bytes);
  require_valid_text(run.input, run.bytes, run.output, output_bytes);
  return output_bytes;
}

}  // namespace

void key_wrap(const Engine& engine, const EngineKey& key, warpaes_mode mode, const BlockRun& run) {
  const uint64_t padded = require_valid_run(mode, WARPAES_DIRECTION_ENCRYPT, run) - kSemiblock;
  require_composable(engine, "key wrap");
  uint8_t* const semiblocks = run.output + kSemiblock;
  std::memmove(semiblocks, run.input, run.bytes);
  std::memset(semiblocks + run.bytes, 0, padded - run.bytes);
  const uint64_t check = mode == WARPAES_MODE_KW ? kKwCheck : uint64_t{kKwpCheck} << 32 | run.bytes;
  store_be64(run.output, Wrap(engine, key, semiblocks, padded).encrypt(check));
}

uint64_t key_unwrap(const Engine& engine, const EngineKey& key, warpaes_mode mode, const BlockRun& run) {
  const uint64_t padded = require_valid_run(mode, WARPAES_DIRECTION_DECRYPT, run);
  require_composable(engine, "key wrap");
  const uint64_t first = load_be64(run.input);
  std::memmove(run.output, run.input + kSemiblock, padded);
  const uint64_t check = Wrap(engine, key, run.output, padded).decrypt(first);
  const Unwrapped found = mode == WARPAES_MODE_KW ? Unwrapped{is_zero(check ^ kKwCheck), padded}
                                                  : checked_kwp(check, run.output, padded);
  if (found.right != 1) {
    OPENSSL_cleanse(run.output, padded);
    throw Failure(WARPAES_ERROR_AUTHENTICATION, "wrapped under another key, or damaged");
  }
  return found.bytes;
}

}  // namespace warpaes::core
