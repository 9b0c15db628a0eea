// CCM, GCM-SIV and SIV of a message that is not in memory as a whole. The library has them of whole messages
// only, so they are made here of its CMAC, CTR and ECB, by whatever engine the context has: a pass over the
// plaintext for the tag, and one that encrypts or decrypts.
#pragma once

#include <array>
#include <memory>

#include "raw_job.hpp"

namespace warpaes::cli {

using TwoPassTag = std::array<uint8_t, 16>;

class TwoPassMode {
 public:
  virtual ~TwoPassMode() = default;
  /// Can hash() begin before the message's length is known?
  virtual bool hashes_at_once() const { return true; }
  /// Before the first hash(), where that cannot begin at once.
  /// @param bytes of plaintext
  virtual void expect(uint64_t /*bytes*/) {}
  /// The next part of the plaintext: whole blocks, but for the last part.
  virtual void hash(std::span<const uint8_t> plaintext) = 0;
  /// When all of the plaintext has been seen. Only the first bytes count if the job's tag is shorter.
  virtual TwoPassTag tag() = 0;

  /// Before crypt().
  /// @param tag of the message; not all modes need it
  virtual void rewind(std::span<const uint8_t> tag) = 0;
  /// Encrypts or decrypts a part, in any order and by several threads at a time: whole blocks, but for the
  /// message's last part.
  /// @param offset in the message
  /// @param into other memory than `from`
  virtual void crypt(uint64_t offset, Input from, Output into) const = 0;
};

/// @param key the mode's
std::unique_ptr<TwoPassMode> two_pass_mode(const RawJob& job, const warpaes::Context& context,
                                           std::span<const uint8_t> key, std::span<const uint8_t> nonce);

}  // namespace warpaes::cli
