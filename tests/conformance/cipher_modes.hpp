// Translates the kernels' names of modes, which include the direction, into the terms of batches.
#pragma once

#include <stdexcept>

#include "modes/batch.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core::conformance {

struct ModeAndDirection {
  warpaes_mode mode;
  Direction direction;
  const ModeRow& row() const { return mode_row(mode); }
};

inline ModeAndDirection mode_of(CipherMode mode) {
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    for (size_t i = 0; i < mode_rows().size(); i++) {
      const ModeRow& row = mode_rows()[i];
      if (row.is_aead || row.cipher_mode(direction) != mode) continue;
      return {static_cast<warpaes_mode>(i + 1), direction};
    }
  }
  throw std::logic_error("no mode of batches");
}

inline uint64_t output_bytes(CipherMode mode, uint64_t bytes) {
  const ModeAndDirection found = mode_of(mode);
  return found.row().lengths(found.direction).output(bytes);
}
inline bool changes_length(CipherMode mode) { return mode_of(mode).row().changes_length(); }

inline bool has_cipher_batch(const Engine& engine, CipherMode mode) {
  return has_batches(engine, mode_of(mode).mode);
}
inline bool has_cipher_key_each(const Engine& engine, CipherMode mode) {
  return engine.memory == Memory::host || engine.modes[mode_of(mode).mode].run_key_each != nullptr;
}
/// Does it do batches of the mode itself, rather than compose them from the cipher?
inline bool has_own_batches(const Engine& engine, CipherMode mode) {
  return engine.modes[mode_of(mode).mode].run != nullptr;
}

}  // namespace warpaes::core::conformance
