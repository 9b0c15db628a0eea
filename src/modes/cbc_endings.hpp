// CBC of messages that are not a whole number of blocks: PKCS#7 padding (RFC 5652 section 6.3) and ciphertext
// stealing (addendum to SP 800-38A).
#pragma once

#include <functional>

#include "engines/engine.hpp"

namespace warpaes::core {

/// CBC of whole blocks under some key: cbc() or chain_host().
using CbcOfBlocks = std::function<void(Direction direction, const ChainRun& run)>;

/// Pads a block that begins with `bytes` < 16 bytes of the message.
void pkcs7_pad(uint8_t* block, size_t bytes);

/// Throws PADDING.
[[noreturn]] void refuse_padding();

void cbc_pkcs7_encrypt(const CbcOfBlocks& cbc, const ChainRun& run);
/// @return the length of the message; the output behind it is zero. Throws PADDING, and then all of the
///        output is zero
uint64_t cbc_pkcs7_decrypt(const CbcOfBlocks& cbc, const ChainRun& run);

/// Where the block goes that was cut: before the last one in CS1, behind it in CS3. CS2 does as CS3 if it was
/// cut, and as CS1, which then is plain CBC, if it is whole.
enum class Stealing { cs1 = 1, cs2 = 2, cs3 = 3 };

/// The message must have 16 bytes or more (LENGTH). A single block is plain CBC, as there is nothing to steal
/// from.
void cbc_cts(const CbcOfBlocks& cbc, Direction direction, Stealing variant, const ChainRun& run);

}  // namespace warpaes::core
