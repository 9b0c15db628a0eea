// One case of the conformance test: data, and how it lies in memory. Vectors and generated cases are
// both made into this.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::conformance {

using Bytes = std::vector<uint8_t>;

enum class Mode { ecb, ctr, gcm };
constexpr const char* mode_name(Mode mode) {
  constexpr const char* names[] = {"ecb", "ctr", "gcm"};
  return names[static_cast<int>(mode)];
}

struct Layout {
  size_t input_offset = 0, output_offset = 0;  // past a multiple of 16
  bool in_place = false;
  size_t gap = 0;              // bytes between messages
  bool tags_attached = false;  // each tag follows its ciphertext, as in a container's chunks
};

/// Messages of one length, one after another without gaps in `input` and `output`.
struct Case {
  std::string name;
  Mode mode;
  Direction direction = WARPAES_ENCRYPT;  // CTR: ignored
  Bytes key;
  uint64_t messages = 1;
  uint64_t bytes = 0;
  Bytes nonces;  // CTR: the counter; GCM: one of any length, or 12 bytes a message
  Bytes aad;
  uint64_t aad_bytes = 0;  // GCM, of each message
  bool aad_shared = true;
  Bytes input;
  size_t tag_bytes = 16;
  Bytes tags;                     // encrypting: expected; decrypting: given
  Bytes output;                   // expected: all zero where the status is bad
  std::vector<int32_t> statuses;  // expected, decrypting
  Layout layout = {};

  int key_bits() const { return static_cast<int>(8 * key.size()); }
};

}  // namespace warpaes::conformance
