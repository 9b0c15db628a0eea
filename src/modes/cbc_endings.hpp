// What CBC does with messages that are no whole number of blocks: padding, PKCS#7 (RFC 5652 section 6.3),
// and ciphertext stealing (addendum to SP 800-38A).
#pragma once

#include <functional>

#include "engines/engine.hpp"

namespace warpaes::core {

/// CBC of whole blocks under some key: cbc() or cbc_host().
using CbcOfBlocks = std::function<void(Direction direction, const ChainRun& run)>;

/// Length of the ciphertext: the next multiple of 16. Throws LENGTH if no 64-bit number is.
uint64_t pkcs7_padded_bytes(uint64_t bytes);

/// Makes the last block out of the `bytes` < 16 bytes that it begins with.
void pkcs7_pad(uint8_t* block, size_t bytes);

struct Unpadded {
  uint8_t right;  // 1 or 0
  uint8_t bytes;  // of the message in its last block, 0 to 15; 0 if it is not right
};

/// Looks at all 16 bytes whatever they are, and what is no message becomes zero: the time tells nothing.
Unpadded pkcs7_unpad(uint8_t* block);

void cbc_pkcs7_encrypt(const CbcOfBlocks& cbc, const ChainRun& run);
/// @return bytes of the message; those of the output behind it are zero. Throws PADDING, the output is then
///         all zero.
uint64_t cbc_pkcs7_decrypt(const CbcOfBlocks& cbc, const ChainRun& run);

/// Where the block goes that was cut: CS1: before the last one. CS3: behind it. CS2: as CS3 if it is short,
/// as CS1 if it is whole (that is CBC).
enum class Stealing { cs1 = 1, cs2 = 2, cs3 = 3 };

/// 16 bytes or more (LENGTH); one block is CBC, as nothing can be stolen.
void cbc_cts(const CbcOfBlocks& cbc, Direction direction, Stealing variant, const ChainRun& run);

void require_valid_cts(const ChainRun& run);
/// With the padding that output has.
void require_valid_pkcs7_encryption(const ChainRun& run);
void require_valid_pkcs7_decryption(const ChainRun& run);

}  // namespace warpaes::core
