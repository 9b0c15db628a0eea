#include "primitives/key_schedule.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/mixed_columns.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core {
namespace {

// Nothing below looks a secret up in a table by its address or branches on it, so that the schedule
// is no leak beside an engine that has none.

/// S-box by reading the whole table and keeping the entry that is asked for.
uint8_t sub_byte(uint8_t index) {
  unsigned found = 0;
  for (unsigned i = 0; i < kSBox.size(); i++) {
    const unsigned all_ones_if_equal = ((i ^ index) - 1u) >> 8;
    found |= kSBox[i] & all_ones_if_equal;
  }
  return static_cast<uint8_t>(found);
}

/// SubWord(), FIPS 197 equation 5.11.
uint32_t sub_word(uint32_t word) {
  uint32_t result = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    result |= static_cast<uint32_t>(sub_byte(static_cast<uint8_t>(word >> shift))) << shift;
  }
  return result;
}

/// RotWord(), equation 5.10: [a0, a1, a2, a3] becomes [a1, a2, a3, a0]; a0 is in the low bits.
uint32_t rotate_word(uint32_t word) { return word >> 8 | word << 24; }

/// KeyExpansion(), algorithm 2 of section 5.2.
void expand(std::span<const uint8_t> key, int rounds, RoundKeys& schedule) {
  const int key_words = static_cast<int>(key.size() / 4);
  uint32_t* const w = schedule.word;
  for (int i = 0; i < key_words; i++) w[i] = load_le32(key.data() + 4 * i);

  uint8_t round_constant = 1;
  int phase = 0;  // i modulo Nk
  for (int i = key_words; i < 4 * (rounds + 1); i++) {
    uint32_t word = w[i - 1];
    if (phase == 0) {
      word = sub_word(rotate_word(word)) ^ round_constant;
      round_constant = times_x(round_constant);
    } else if (key_words > 6 && phase == 4) {
      word = sub_word(word);
    }
    w[i] = w[i - key_words] ^ word;
    phase = phase + 1 == key_words ? 0 : phase + 1;
  }
}

/// KeyExpansionEIC(), algorithm 5 of section 5.3.5, with the rounds turned into the order of use.
void invert(const RoundKeys& encryption, int rounds, RoundKeys& decryption) {
  for (int round = 0; round <= rounds; round++) {
    const bool mixed = round != 0 && round != rounds;
    for (int column = 0; column < 4; column++) {
      const uint32_t word = encryption.word[4 * (rounds - round) + column];
      decryption.word[4 * round + column] = mixed ? inverse_mixed_column(word) : word;
    }
  }
}

}  // namespace

KeySchedule::KeySchedule(std::span<const uint8_t> key) {
  if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
    throw Failure(WARPAES_ERROR_KEY_LENGTH,
                  "a key is 16, 24 or 32 bytes, this one " + std::to_string(key.size()));
  }
  rounds_ = static_cast<int>(key.size() / 4) + 6;
  std::copy(key.begin(), key.end(), key_);
  expand(key, rounds_, encryption_);
  invert(encryption_, rounds_, decryption_);
}

KeySchedule::~KeySchedule() {
  OPENSSL_cleanse(key_, sizeof key_);
  OPENSSL_cleanse(&encryption_, sizeof encryption_);
  OPENSSL_cleanse(&decryption_, sizeof decryption_);
}

}  // namespace warpaes::core
