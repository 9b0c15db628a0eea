// PKCS#7 padding (RFC 5652 section 6.3): n bytes of value n, 1 to 16 of them, fill up the last block.
#include <openssl/crypto.h>

#include <cstring>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

namespace warpaes::core {
namespace {

/// 1 if a < b, else 0. Both must be less than 2^31.
unsigned less(unsigned a, unsigned b) { return (a - b) >> 31; }

}  // namespace

uint64_t pkcs7_padded_bytes(uint64_t bytes) {
  if (bytes > UINT64_MAX - 16) throw Failure(WARPAES_ERROR_LENGTH, "too long to be padded");
  return bytes / 16 * 16 + 16;
}

void pkcs7_pad(uint8_t* block, size_t bytes) {
  std::memset(block + bytes, static_cast<int>(16 - bytes), 16 - bytes);
}

Unpadded pkcs7_unpad(uint8_t* block) {
  const unsigned padding = block[15];
  unsigned wrong = less(padding, 1) | less(16, padding);
  for (unsigned i = 0; i < 16; i++) {
    const unsigned in_padding = less(15 - i, padding);
    wrong |= (0u - in_padding) & (block[i] ^ padding);
  }
  const unsigned right = less(wrong, 1);
  const unsigned bytes = (0u - right) & (16 - padding);
  for (unsigned i = 0; i < 16; i++) block[i] = static_cast<uint8_t>(block[i] & (0u - less(i, bytes)));
  return {static_cast<uint8_t>(right), static_cast<uint8_t>(bytes)};
}

void require_valid_pkcs7_encryption(const ChainRun& run) {
  const Region input{"the input", run.input, 1, 0, run.bytes};
  const Region output{"the output", run.output, 1, 0, pkcs7_padded_bytes(run.bytes)};
  require_valid({"the initialisation vector", run.iv, 1, 0, 16});
  require_valid(input);
  require_valid(output);
  if (run.input != run.output) require_disjoint(output, input);
}

void require_valid_pkcs7_decryption(const ChainRun& run) {
  if (run.bytes % 16 != 0 || run.bytes == 0) {
    throw Failure(WARPAES_ERROR_LENGTH, "a padded ciphertext is one block or more: " +
                                            std::to_string(run.bytes) + " is no such multiple of 16");
  }
  require_valid_chain(run);
}

void cbc_pkcs7_encrypt(const CbcOfBlocks& cbc, const ChainRun& run) {
  require_valid_pkcs7_encryption(run);
  const uint64_t whole = run.bytes / 16 * 16;
  SecretBlock last;
  if (run.bytes != whole) std::memcpy(last.data(), run.input + whole, run.bytes - whole);
  pkcs7_pad(last.data(), run.bytes - whole);
  cbc(WARPAES_DIRECTION_ENCRYPT, {run.iv, run.input, run.output, whole});
  const uint8_t* const previous = whole == 0 ? run.iv : run.output + whole - 16;
  cbc(WARPAES_DIRECTION_ENCRYPT, {previous, last.data(), run.output + whole, 16});
}

uint64_t cbc_pkcs7_decrypt(const CbcOfBlocks& cbc, const ChainRun& run) {
  require_valid_pkcs7_decryption(run);
  cbc(WARPAES_DIRECTION_DECRYPT, run);
  const Unpadded last = pkcs7_unpad(run.output + run.bytes - 16);
  if (last.right != 1) {
    OPENSSL_cleanse(run.output, run.bytes);
    throw Failure(WARPAES_ERROR_PADDING, "the padding is wrong: wrong key or IV, or damaged data");
  }
  return run.bytes - 16 + last.bytes;
}

}  // namespace warpaes::core
