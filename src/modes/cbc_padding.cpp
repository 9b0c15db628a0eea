// PKCS#7 padding (RFC 5652 section 6.3): n bytes of value n, 1 to 16 of them, fill up the last block.
#include <openssl/crypto.h>

#include <cstring>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

/// 1 if a < b, else 0. Both must be less than 2^31.
unsigned less(unsigned a, unsigned b) { return (a - b) >> 31; }

}  // namespace

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

void cbc_pkcs7_encrypt(const CbcOfBlocks& cbc, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_ENCRYPT, run);
  const uint64_t whole = run.bytes / 16 * 16;
  SecretBlock last;
  if (run.bytes != whole) std::memcpy(last.data(), run.input + whole, run.bytes - whole);
  pkcs7_pad(last.data(), run.bytes - whole);
  cbc(WARPAES_DIRECTION_ENCRYPT, {run.iv, run.input, run.output, whole});
  const uint8_t* const previous = whole == 0 ? run.iv : run.output + whole - 16;
  cbc(WARPAES_DIRECTION_ENCRYPT, {previous, last.data(), run.output + whole, 16});
}

uint64_t cbc_pkcs7_decrypt(const CbcOfBlocks& cbc, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_DECRYPT, run);
  cbc(WARPAES_DIRECTION_DECRYPT, run);
  const Unpadded last = pkcs7_unpad(run.output + run.bytes - 16);
  if (last.right != 1) {
    OPENSSL_cleanse(run.output, run.bytes);
    throw Failure(WARPAES_ERROR_PADDING, "the padding is wrong: wrong key or IV, or damaged data");
  }
  return run.bytes - 16 + last.bytes;
}

}  // namespace warpaes::core
