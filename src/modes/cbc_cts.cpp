// CBC with ciphertext stealing, addendum to SP 800-38A (October 2010).
#include <array>
#include <cstring>

#include "modes/cbc_endings.hpp"
#include "modes/chain.hpp"
#include "modes/modes.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core {
namespace {

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
