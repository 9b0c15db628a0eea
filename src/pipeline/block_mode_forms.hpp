// CBC and ECB with padding, CBC with ciphertext stealing, and CFB-1 of any number of bits, on host memory.
#pragma once

#include "modes/cbc_endings.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {

/// One message of any number of bits, the highest of a byte first.
struct BitRun {
  const uint8_t* iv;
  const uint8_t* input;
  uint8_t* output;  // those left over in its last byte become 0
  uint64_t bits;
};

/// The mode of whole blocks that is padded. ECB takes an IV as well, and does not look at it.
enum class PaddedBlocks { ecb, cbc };

void pkcs7_encrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run);
/// @return bytes of the message; throws PADDING
uint64_t pkcs7_decrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run);
void cbc_cts_host(const Key& key, Direction direction, Stealing variant, const ChainRun& run);
void cfb1_bits_host(const Key& key, Direction direction, const BitRun& run);

}  // namespace warpaes::core
