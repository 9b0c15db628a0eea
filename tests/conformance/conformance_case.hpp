// One case of the conformance test: data, and how it lies in memory. Vectors and generated cases are
// both made into this.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/engine.hpp"

namespace warpaes::core::conformance {

using Bytes = std::vector<uint8_t>;

enum class Mode { ecb, ctr, gcm, cbc, cfb, ofb, xts, gcm_siv, ccm, eax, ocb3, siv };
constexpr const char* mode_name(Mode mode) {
  constexpr const char* names[] = {"ecb", "ctr",     "gcm", "cbc", "cfb",  "ofb",
                                   "xts", "gcm-siv", "ccm", "eax", "ocb3", "siv"};
  return names[static_cast<int>(mode)];
}

struct AeadMode {
  Mode mode;
  Aead aead;
};
constexpr AeadMode kAeadModes[] = {{Mode::gcm, WARPAES_MODE_GCM},   {Mode::gcm_siv, WARPAES_MODE_GCM_SIV},
                                   {Mode::ccm, WARPAES_MODE_CCM},   {Mode::eax, WARPAES_MODE_EAX},
                                   {Mode::ocb3, WARPAES_MODE_OCB3}, {Mode::siv, WARPAES_MODE_SIV}};

/// Null for a mode that authenticates nothing.
constexpr const AeadMode* aead_mode(Mode mode) {
  for (const AeadMode& row : kAeadModes) {
    if (row.mode == mode) return &row;
  }
  return nullptr;
}
/// Their keys are one behind the other: XTS' is the data's and then the tweak's, SIV's the MAC's and then the
/// cipher's.
constexpr bool has_two_keys(Mode mode) { return mode == Mode::xts || mode == Mode::siv; }
constexpr bool is_aead(Mode mode) { return aead_mode(mode) != nullptr; }

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
  Direction direction = WARPAES_DIRECTION_ENCRYPT;  // CTR and OFB: ignored
  Bytes key;                                        // XTS, SIV: both, one after the other
  uint64_t messages = 1;
  uint64_t bytes = 0;
  Bytes nonces;  // CTR: the counter; XTS: the tweak; CBC, CFB, OFB: the initialisation vector; AEAD: one of
                 // any length, or nonce_bytes a message
  size_t nonce_bytes = 12;  // AEAD, of each of several messages
  uint64_t unit_bytes = 0;  // XTS
  Bytes aad;
  uint64_t aad_bytes = 0;  // of each message
  bool aad_shared = true;
  std::vector<uint64_t> aad_strings;  // SIV, if not empty: the lengths of the strings that `aad` consists of
  Bytes input;
  size_t tag_bytes = 16;
  Bytes tags;                     // encrypting: expected; decrypting: given
  Bytes output;                   // expected: all zero where the status is bad
  std::vector<int32_t> statuses;  // expected, decrypting
  Layout layout = {};
  std::string unusable;  // why no engine is offered it: a published case beyond what the library does

  /// Of one key.
  int key_bits() const { return static_cast<int>(8 * key.size() / (has_two_keys(mode) ? 2 : 1)); }
  /// Of an AEAD mode.
  size_t message_nonce_bytes() const { return messages == 1 ? nonces.size() : nonce_bytes; }
  ChainRun chain_run(const uint8_t* from, uint8_t* to) const { return {nonces.data(), from, to, bytes}; }
  XtsRun xts_run(const uint8_t* from, uint8_t* to) const {
    return {nonces.data(), unit_bytes, from, to, bytes};
  }
};

}  // namespace warpaes::core::conformance
