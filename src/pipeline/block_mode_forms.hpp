// CBC and ECB with padding, CBC with ciphertext stealing, and CFB-1 of any number of bits, on host memory.
#pragma once

#include "modes/cbc_endings.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core {

/// A message of any number of bits. The highest bit of a byte comes first.
struct BitRun {
  const uint8_t* iv;
  const uint8_t* input;
  uint8_t* output;  // bits of its last byte that are no part of the message become 0
  uint64_t bits;
};

/// The mode of whole blocks that a padded message is done in. ECB is given an IV, too, and does not look at
/// it.
enum class PaddedBlocks { ecb, cbc };

void pkcs7_encrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run);
/// @return the length of the message. Throws PADDING
uint64_t pkcs7_decrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run);
void cbc_cts_host(const Key& key, Direction direction, Stealing variant, const ChainRun& run);
void cfb1_bits_host(const Key& key, Direction direction, const BitRun& run);

}  // namespace warpaes::core
