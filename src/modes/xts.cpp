// XTS: checks the arguments, and chooses between the engine's own form and the one composed from nothing but
// the block functions, in the words of IEEE 1619 section 5.
#include <algorithm>
#include <array>
#include <cstring>

#include "failure.hpp"
#include "modes/chain.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/wiped.hpp"
#include "primitives/xts_tweak.hpp"

namespace warpaes::core {
namespace {

void require_lengths(const XtsRun& run) {
  if (run.data_unit_bytes < kXtsMinUnitBytes || run.data_unit_bytes > kXtsMaxUnitBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "an XTS data unit is 16 bytes to 16 MiB (2^20 blocks), not {} bytes",
                  run.data_unit_bytes);
  }
  const uint64_t last = run.bytes % run.data_unit_bytes;
  if (last != 0 && last < kXtsMinUnitBytes) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  "an XTS data unit is 16 bytes or longer, and the last one would be {}", last);
  }
}

XtsTweak load_tweak(const uint8_t* block) {
  return {{load_le32(block), load_le32(block + 4), load_le32(block + 8), load_le32(block + 12)}};
}

void store_tweak(uint8_t* block, const XtsTweak& tweak) {
  for (int i = 0; i < 4; i++) store_le32(block + 4 * i, tweak.word[i]);
}

/// An encrypted tweak, which is wiped at its end.
struct SecretTweak : XtsTweak {
  explicit SecretTweak(const XtsTweak& value) : XtsTweak(value) {}
  ~SecretTweak() { OPENSSL_cleanse(this, sizeof *this); }
  SecretTweak(const SecretTweak&) = default;
  SecretTweak& operator=(const SecretTweak&) = default;
  using XtsTweak::operator=;
};

class DataUnits {
 public:
  DataUnits(const Engine& engine, const XtsKeys& keys, Direction direction)
      : engine_(engine), keys_(keys), direction_(direction) {}

  void crypt(XtsTweak number, const uint8_t* input, uint8_t* output, uint64_t bytes) {
    uint8_t* const block = tweaks_.data();
    store_tweak(block, number);
    engine_.encrypt_blocks(keys_.tweak, {block, block, 16}, nullptr);
    tweak_ = load_tweak(block);
    const uint64_t tail = bytes % 16;
    const uint64_t plain_blocks = bytes / 16 - (tail != 0 ? 1 : 0);
    for (uint64_t at = 0; at < 16 * plain_blocks; at += scratch_.size()) {
      blocks(input + at, output + at, std::min<uint64_t>(scratch_.size(), 16 * plain_blocks - at));
    }
    if (tail != 0) steal(input + 16 * plain_blocks, output + 16 * plain_blocks, tail);
  }

 private:
  /// Sections 5.3.1 and 5.4.1 for blocks that follow each other.
  void blocks(const uint8_t* input, uint8_t* output, uint64_t bytes) {
    uint8_t* const tweaks = tweaks_.data();
    for (uint64_t at = 0; at < bytes; at += 16, tweak_ = xts_times_x(tweak_, 1)) {
      store_tweak(tweaks + at, tweak_);
    }
    uint8_t* const text = scratch_.data();
    xor_bytes(text, input, tweaks, bytes);
    (direction_ == WARPAES_DIRECTION_ENCRYPT ? engine_.encrypt_blocks : engine_.decrypt_blocks)(
        keys_.data, {text, text, bytes}, nullptr);
    xor_bytes(output, text, tweaks, bytes);
  }

  /// Sections 5.3.2 and 5.4.2: the last whole block, and the `tail` bytes behind it, which are filled up to a
  /// block from what the first of two ciphers makes. Decryption uses the two tweaks in reverse order.
  void steal(const uint8_t* input, uint8_t* output, uint64_t tail) {
    Wiped<std::array<uint8_t, 16>> whole, last;
    std::memcpy(last.data(), input + 16, tail);
    const SecretTweak first(tweak_);
    if (direction_ == WARPAES_DIRECTION_DECRYPT) tweak_ = xts_times_x(first, 1);
    blocks(input, whole.data(), 16);
    std::memcpy(last.data() + tail, whole.data() + tail, 16 - tail);
    if (direction_ == WARPAES_DIRECTION_DECRYPT) tweak_ = first;
    blocks(last.data(), output, 16);
    std::memcpy(output + 16, whole.data(), tail);
  }

  const Engine& engine_;
  const XtsKeys& keys_;
  const Direction direction_;
  SecretTweak tweak_{XtsTweak{}};  // of the next block
  ChainScratch tweaks_, scratch_;
};

}  // namespace

void require_valid_xts(const XtsRun& run) {
  require_lengths(run);
  require_valid({"the tweak", run.tweak, 1, 0, 16});
  require_valid_text(run.input, run.bytes, run.output, run.bytes);
}

void require_valid_xts_keys(const KeySchedule& key, const KeySchedule& tweak_key) {
  if (key.key_bits() != tweak_key.key_bits()) {
    throw Failure(WARPAES_ERROR_XTS_KEYS, "XTS' two keys are of one size, these of {} and {} bits",
                  key.key_bits(), tweak_key.key_bits());
  }
  if (CRYPTO_memcmp(key.key().data(), tweak_key.key().data(), key.key().size()) == 0) {
    throw Failure(WARPAES_ERROR_XTS_KEYS, "XTS' two keys must differ, these are equal");
  }
}

void xts(const Engine& engine, const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream) {
  require_valid_xts(run);
  if (run.bytes == 0) return;
  if (engine.xts != nullptr && (engine.xts_has_192_bits || keys.bits != 192)) {
    engine.xts(keys, direction, run, stream);
  } else {
    xts_composed(engine, keys, direction, run);
  }
}

void xts_composed(const Engine& engine, const XtsKeys& keys, Direction direction, const XtsRun& run) {
  require_composable(engine, "XTS");
  const XtsTweak first = load_tweak(run.tweak);
  DataUnits units(engine, keys, direction);
  for (uint64_t at = 0; at < run.bytes; at += run.data_unit_bytes) {
    units.crypt(xts_unit_number(first, at / run.data_unit_bytes), run.input + at, run.output + at,
                std::min(run.data_unit_bytes, run.bytes - at));
  }
}

}  // namespace warpaes::core
