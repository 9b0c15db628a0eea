#include "primitives/key_schedule.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "primitives/key_expansion.hpp"
#include "primitives/mixed_columns.hpp"

namespace warpaes::core {
namespace {

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
  expand_key(key_, rounds_ - 6, encryption_);
  invert(encryption_, rounds_, decryption_);
}

KeySchedule::~KeySchedule() {
  OPENSSL_cleanse(key_, sizeof key_);
  OPENSSL_cleanse(&encryption_, sizeof encryption_);
  OPENSSL_cleanse(&decryption_, sizeof decryption_);
}

}  // namespace warpaes::core
