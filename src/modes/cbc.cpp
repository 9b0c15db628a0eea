// CBC, SP 800-38A section 6.2: C_j = E(P_j XOR C_(j-1)), with the initialisation vector as C_0; and its
// endings for messages that are not whole blocks (cbc_endings.hpp).
#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {
namespace {

using Block = std::array<uint8_t, 16>;

void encrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  const uint8_t* previous = run.iv;
  for (uint64_t at = 0; at < run.bytes; at += 16) {
    xor_bytes(run.output + at, run.input + at, previous, 16);
    engine.encrypt_blocks(key, {run.output + at, run.output + at, 16}, nullptr);
    previous = run.output + at;
  }
}

/// In place, each ciphertext is needed once more after it has been overwritten. So decryption goes to scratch
/// memory first, piece by piece, and keeps the last block of each piece for the next.
void decrypt_composed(const Engine& engine, const EngineKey& key, const ChainRun& run) {
  ChainScratch decrypted;
  Block previous, last;
  std::memcpy(previous.data(), run.iv, 16);
  for (uint64_t at = 0; at < run.bytes; at += decrypted.size()) {
    const uint64_t part = std::min<uint64_t>(decrypted.size(), run.bytes - at);
    const uint8_t* const input = run.input + at;
    uint8_t* const text = decrypted.data();
    engine.decrypt_blocks(key, {input, text, part}, nullptr);
    xor_bytes(text, text, previous.data(), 16);
    xor_bytes(text + 16, text + 16, input, part - 16);
    std::memcpy(last.data(), input + part - 16, 16);
    std::memcpy(run.output + at, text, part);
    previous = last;
  }
}

/// 1 if a < b, else 0. Both must be less than 2^31.
unsigned less(unsigned a, unsigned b) { return (a - b) >> 31; }

struct Unpadded {
  uint8_t right;  // is the padding right? 1 or 0
  uint8_t bytes;  // of the message in its last block, 0 to 15; 0 if the padding is wrong
};

/// Always examines all 16 bytes, so that time tells nothing, and sets those that are no message to zero.
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

/// The last two blocks, to which the message contributes `bytes` = 17 to 32 bytes.
class Ending {
 public:
  Ending(const CbcOfBlocks& cbc, Stealing variant, const ChainRun& run)
      : cbc_(cbc),
        run_(run),
        cut_(run.bytes - 16),
        swapped_(variant == Stealing::cs3 || (variant == Stealing::cs2 && cut_ != 16)) {}

  /// Sections 3.1 to 3.3: puts zeros behind the message and encrypts it in CBC; of the block before the last
  /// only the first `cut` bytes are used.
  void encrypt() {
    std::memcpy(text_.data(), run_.input, run_.bytes);
    cbc_(WARPAES_DIRECTION_ENCRYPT, {run_.iv, text_.data(), text_.data(), 32});
    uint8_t* const before_last = swapped_ ? run_.output + 16 : run_.output;
    uint8_t* const last = swapped_ ? run_.output : run_.output + cut_;
    std::memcpy(before_last, text_.data(), cut_);
    std::memcpy(last, text_.data() + 16, 16);
  }

  /// The last block's decryption contains what was cut off the block before. The rest of it, XORed with the
  /// ciphertext of that block, is the end of the message.
  void decrypt() {
    static constexpr uint8_t kZeros[16] = {};
    const uint8_t* const before_last = swapped_ ? run_.input + 16 : run_.input;
    const uint8_t* const last = swapped_ ? run_.input : run_.input + cut_;
    cbc_(WARPAES_DIRECTION_DECRYPT, {kZeros, last, text_.data() + 16, 16});
    std::memcpy(text_.data(), before_last, cut_);
    std::memcpy(text_.data() + cut_, text_.data() + 16 + cut_, 16 - cut_);
    xor_bytes(text_.data() + 16, text_.data() + 16, text_.data(), cut_);
    cbc_(WARPAES_DIRECTION_DECRYPT, {run_.iv, text_.data(), text_.data(), 16});
    std::memcpy(run_.output, text_.data(), run_.bytes);
  }

 private:
  const CbcOfBlocks& cbc_;
  const ChainRun& run_;
  const uint64_t cut_;
  const bool swapped_;
  Wiped<std::array<uint8_t, 32>> text_{};
};

}  // namespace

void cbc(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
         void* workspace, size_t workspace_bytes, Stream stream) {
  require_valid_message(WARPAES_MODE_CBC, direction, run);
  if (run.bytes == 0) return;
  if (direction == WARPAES_DIRECTION_DECRYPT && engine.cbc_decrypt != nullptr) {
    unchain(engine, engine.cbc_decrypt, key, run, workspace, workspace_bytes, stream);
  } else if (direction == WARPAES_DIRECTION_ENCRYPT && engine.cbc_encrypt != nullptr) {
    engine.cbc_encrypt(key, run, stream);
  } else {
    cbc_composed(engine, key, direction, run);
  }
}

void cbc_composed(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run) {
  require_composable(engine, direction == WARPAES_DIRECTION_ENCRYPT ? "CBC encryption" : "CBC decryption");
  (direction == WARPAES_DIRECTION_ENCRYPT ? encrypt_composed : decrypt_composed)(engine, key, run);
}

void pkcs7_pad(uint8_t* block, size_t bytes) {
  std::memset(block + bytes, static_cast<int>(16 - bytes), 16 - bytes);
}

void refuse_padding() {
  throw Failure(WARPAES_ERROR_PADDING, "the padding is wrong: wrong key or IV, or damaged data");
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
    refuse_padding();
  }
  return run.bytes - 16 + last.bytes;
}

void cbc_cts(const CbcOfBlocks& cbc, Direction direction, Stealing variant, const ChainRun& run) {
  // The three variants have the same lengths.
  require_valid_message(WARPAES_MODE_CBC_CS1, direction, run);
  if (run.bytes == 16) return cbc(direction, run);
  const uint64_t before = (run.bytes - 17) / 16 * 16;
  std::array<uint8_t, 16> previous;
  std::memcpy(previous.data(), run.iv, 16);
  if (direction == WARPAES_DIRECTION_DECRYPT && before != 0)
    std::memcpy(previous.data(), run.input + before - 16, 16);
  cbc(direction, {run.iv, run.input, run.output, before});
  if (direction == WARPAES_DIRECTION_ENCRYPT && before != 0)
    std::memcpy(previous.data(), run.output + before - 16, 16);
  const ChainRun rest{previous.data(), run.input + before, run.output + before, run.bytes - before};
  Ending ending(cbc, variant, rest);
  direction == WARPAES_DIRECTION_ENCRYPT ? ending.encrypt() : ending.decrypt();
}

}  // namespace warpaes::core
