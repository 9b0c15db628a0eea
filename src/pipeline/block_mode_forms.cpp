// The rarer forms of CBC and CFB on host memory, made of cbc_host() and cfb1_host().
#include "pipeline/block_mode_forms.hpp"

#include "modes/last_ciphertext.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "pipeline/host_run.hpp"

namespace warpaes::core {
namespace {

CbcOfBlocks cbc_under(const Key& key) {
  return [&key](Direction direction, const ChainRun& run) { cbc_host(key, direction, run); };
}

CbcOfBlocks blocks_under(const Key& key, PaddedBlocks mode) {
  if (mode == PaddedBlocks::cbc) return cbc_under(key);
  return [&key](Direction direction, const ChainRun& run) {
    ecb_host(key, direction, {run.input, run.output, run.bytes});
  };
}

/// Arguments have been checked: what `work` throws is a failure in the middle.
template <class Work>
void or_wipe(uint8_t* output, uint64_t bytes, const Work& work) {
  try {
    work();
  } catch (...) {
    wipe(output, bytes);
    throw;
  }
}

}  // namespace

void pkcs7_encrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_ENCRYPT, run);
  or_wipe(run.output, mode_row(WARPAES_MODE_CBC_PKCS7).encrypt.output(run.bytes),
          [&] { cbc_pkcs7_encrypt(blocks_under(key, mode), run); });
}

uint64_t pkcs7_decrypt_host(const Key& key, PaddedBlocks mode, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_DECRYPT, run);
  return cbc_pkcs7_decrypt(blocks_under(key, mode), run);
}

void cbc_cts_host(const Key& key, Direction direction, Stealing variant, const ChainRun& run) {
  require_valid_message(WARPAES_MODE_CBC_CS1, direction, run);
  or_wipe(run.output, run.bytes, [&] { cbc_cts(cbc_under(key), direction, variant, run); });
}

void cfb1_bits_host(const Key& key, Direction direction, const BitRun& run) {
  const uint64_t whole = run.bits / 8, bits_left = run.bits % 8, bytes = whole + (bits_left != 0);
  require_valid_message(WARPAES_MODE_CFB1, direction, {run.iv, run.input, run.output, bytes});
  or_wipe(run.output, bytes, [&] {
    LastCiphertext last(run.iv);
    last.run(direction, run.input, run.output, whole,
             [&](const ChainRun& part) { cfb1_host(key, direction, part); });
    if (bits_left == 0) return;
    const auto mask = static_cast<uint8_t>(0xff00u >> bits_left);
    uint8_t byte = run.input[whole] & mask;
    cfb1_host(key, direction, {last.data(), &byte, &byte, 1});
    run.output[whole] = byte & mask;
  });
}

}  // namespace warpaes::core
