// Messages that come in parts. What a mode carries from one part to the next is a PartedMode; an Operation
// cuts parts into what the mode takes, and sees to it that nothing is done after an error.
#pragma once

#include <memory>

#include "pipeline/context.hpp"
#include "warpaes/operation.h"

namespace warpaes::core {

/// What a mode takes, and how much of the message it wants to have at its end.
struct Shape {
  uint64_t unit = 1;  // the length of each part is a multiple of it
  uint64_t keep = 0;  // how many bytes stay for finish(), if there are so many
  bool makes_output = true;
};

/// A mode under one key in one direction, on host memory. It has what each part leaves for the next.
class PartedMode : public SecretObject {
 public:
  virtual ~PartedMode() = default;
  virtual Shape shape() const { return {}; }
  /// @param output null if the mode makes none; else the same as input, or apart from it
  /// @param bytes a multiple of the unit
  virtual void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) = 0;
  /// @param held the message's last bytes, fewer than keep + unit: at least `keep`, or all if it has fewer
  /// @return how many bytes were written to output
  virtual uint64_t finish(uint8_t* /*held*/, uint64_t /*bytes*/, uint8_t* /*output*/) { return 0; }
  /// The most that finish() would write with so many bytes held.
  virtual uint64_t finish_bytes(uint64_t) const { return 0; }
  /// Goes to a byte of the message. Throws MODE if the mode cannot.
  virtual void seek(uint64_t offset);
  /// Makes another one that has taken the same parts. Throws MODE if the mode cannot.
  virtual std::unique_ptr<PartedMode> copy() const;
};

/// The lengths of nonce and tag are those of the mode, and what it has no use for is empty.
struct OperationOptions {
  warpaes_mode mode;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;
  const Key* tweak_key = nullptr;  // in XTS
  std::span<const uint8_t> iv;   // in XTS the tweak, in CTR the first counter block, in AEAD modes the nonce
  uint64_t data_unit_bytes = 0;  // in XTS
  size_t tag_bytes = 0;          // in modes that make tags
  std::span<const uint8_t> aad = {};  // in AEAD modes
};

/// A message that comes in parts, for one thread at a time. A call that throws has wiped what was held, and
/// all later calls throw STATE.
class Operation {
 public:
  Operation(const Key& key, const OperationOptions& options);
  ~Operation();
  /// Makes another one that has taken the same parts. Throws MODE in most modes.
  Operation(const Operation& other);
  Operation& operator=(const Operation&) = delete;

  /// How many bytes update() of `bytes` bytes would write, exactly.
  uint64_t update_bytes(uint64_t bytes) const;
  /// The most that finish() may write.
  uint64_t finish_bytes() const;

  /// @param output has room for `room` bytes, and is the same as input or apart from it
  /// @return how many bytes were written
  uint64_t update(const uint8_t* input, uint64_t bytes, uint8_t* output, uint64_t room);
  uint64_t finish(uint8_t* output, uint64_t room);
  /// Ends decryption in a mode with a tag, in place of finish(). Throws AUTHENTICATION if the tag is wrong.
  uint64_t verify(std::span<const uint8_t> tag, uint8_t* output, uint64_t room);
  void seek(uint64_t offset);

 private:
  template <class Work>
  uint64_t or_die(const Work& work);
  PartedMode& alive() const;
  void update_apart(const uint8_t* input, uint64_t bytes, uint8_t* output);
  void update_in_place(uint8_t* data, uint64_t bytes);
  void hold(const uint8_t* data, uint64_t bytes);
  void require_end(bool verified) const;
  void die();

  std::unique_ptr<PartedMode> mode_;
  Shape shape_;
  size_t checked_tag_bytes_;  // the tag's length in decryption in modes with a tag, else 0
  SecretBytes held_;          // as large as it can get
  uint64_t held_bytes_ = 0;
};

/// Throws MODE for a mode that cannot be done in parts, and OPTION for a direction in which plaintext would
/// leave before its tag is checked.
void require_parted_mode(warpaes_mode mode, Direction direction);
/// Throws MODE or OPTION for a mode of which no plaintext could leave before its tag is checked.
void require_unverified_mode(warpaes_mode mode, Direction direction);

}  // namespace warpaes::core
