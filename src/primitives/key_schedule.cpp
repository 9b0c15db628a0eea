#include "primitives/key_schedule.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "failure.hpp"
#include "primitives/inverse_key_expansion.hpp"
#include "primitives/key_expansion.hpp"

namespace warpaes::core {

KeySchedule::KeySchedule(std::span<const uint8_t> key) {
  if (key.size() != 16 && key.size() != 24 && key.size() != 32) {
    throw Failure(WARPAES_ERROR_KEY_LENGTH,
                  "a key is 16, 24 or 32 bytes, this one " + std::to_string(key.size()));
  }
  rounds_ = static_cast<int>(key.size() / 4) + 6;
  std::copy(key.begin(), key.end(), key_);
  expand_key(key_, rounds_ - 6, encryption_);
  invert_key(encryption_, rounds_, decryption_);
}

KeySchedule::~KeySchedule() {
  OPENSSL_cleanse(key_, sizeof key_);
  OPENSSL_cleanse(&encryption_, sizeof encryption_);
  OPENSSL_cleanse(&decryption_, sizeof decryption_);
}

}  // namespace warpaes::core
