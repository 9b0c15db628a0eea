// XTS: checks the arguments, and chooses between the engine's own form and the composed one.
#include <openssl/crypto.h>

#include <string>

#include "failure.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

void require_lengths(const XtsRun& run) {
  if (run.data_unit_bytes < kXtsMinUnitBytes || run.data_unit_bytes > kXtsMaxUnitBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "an XTS data unit is 16 bytes to 16 MiB (2^20 blocks), not " +
                                            std::to_string(run.data_unit_bytes) + " bytes");
  }
  const uint64_t last = run.bytes % run.data_unit_bytes;
  if (last != 0 && last < kXtsMinUnitBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "an XTS data unit is 16 bytes or longer, and the last one would be " +
                                            std::to_string(last));
  }
}

}  // namespace

void require_valid_xts(const XtsRun& run) {
  require_lengths(run);
  require_valid({"the tweak", run.tweak, 1, 0, 16});
  require_valid_text(run.input, run.bytes, run.output, run.bytes);
}

void require_valid_xts_keys(const KeySchedule& key, const KeySchedule& tweak_key) {
  if (key.key_bits() != tweak_key.key_bits()) {
    throw Failure(WARPAES_ERROR_XTS_KEYS, "XTS' two keys are of one size, these of " +
                                              std::to_string(key.key_bits()) + " and " +
                                              std::to_string(tweak_key.key_bits()) + " bits");
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

}  // namespace warpaes::core
