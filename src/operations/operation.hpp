// Messages that come in parts. What a mode carries from one part to the next is a PartedMode; an Operation
// cuts parts into what the mode takes, and sees to it that nothing is done after an error.
#pragma once

#include <memory>

#include "pipeline/context.hpp"
#include "warpaes/operation.h"

namespace warpaes::core {

/// What a mode takes, and how much of the message it wants to have at its end.
struct Shape {
  uint64_t unit = 1;  // parts are multiples of it
  uint64_t keep = 0;  // bytes that stay for finish(), if there are so many
  bool makes_output = true;
};

/// A mode under one key in one direction, on host memory: what each part leaves for the next.
class PartedMode : public SecretObject {
 public:
  virtual ~PartedMode() = default;
  virtual Shape shape() const { return {}; }
  /// @param bytes a multiple of the unit; output null if the mode makes none; in place or apart
  virtual void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) = 0;
  /// @param held the message's last bytes: fewer than keep + unit, at least min(keep, the message's)
  /// @return bytes written to output
  virtual uint64_t finish(uint8_t* /*held*/, uint64_t /*bytes*/, uint8_t* /*output*/) { return 0; }
  /// The most that finish() would write.
  virtual uint64_t finish_bytes(uint64_t) const { return 0; }
  /// Goes to a byte of the message; throws MODE if the mode cannot.
  virtual void seek(uint64_t offset);
  /// The same mode, behind the same parts; throws MODE if the mode cannot.
  virtual std::unique_ptr<PartedMode> copy() const;
};

/// The lengths of nonce and tag are the mode's; what it has no use for is empty.
struct OperationOptions {
  warpaes_mode mode;
  Direction direction = WARPAES_DIRECTION_ENCRYPT;
  const Key* tweak_key = nullptr;     // XTS
  std::span<const uint8_t> iv;        // XTS: the tweak; CTR: the first counter block; GCM and its like: nonce
  uint64_t data_unit_bytes = 0;       // XTS
  size_t tag_bytes = 0;               // of modes that make tags
  std::span<const uint8_t> aad = {};  // of those that encrypt as well
};

/// For one thread at a time. After a throw it has wiped what it held, and refuses (STATE).
class Operation {
 public:
  Operation(const Key& key, const OperationOptions& options);
  ~Operation();
  /// Another one that has taken the same parts; throws MODE in most modes.
  Operation(const Operation& other);
  Operation& operator=(const Operation&) = delete;

  /// Bytes that update() of `bytes` bytes would write, exactly.
  uint64_t update_bytes(uint64_t bytes) const;
  /// The most that finish() may write.
  uint64_t finish_bytes() const;

  /// @param output room for `room` bytes; the same as input, or apart from it
  /// @return bytes written
  uint64_t update(const uint8_t* input, uint64_t bytes, uint8_t* output, uint64_t room);
  uint64_t finish(uint8_t* output, uint64_t room);
  /// Ends the decryption of a mode with a tag, in place of finish(); throws AUTHENTICATION if that is
  /// another.
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
  size_t checked_tag_bytes_;  // of decryption in modes with a tag; otherwise 0
  SecretBytes held_;          // as large as it can get
  uint64_t held_bytes_ = 0;
};

/// Throws MODE for modes that cannot be done in parts, OPTION for a direction in which plaintext would leave
/// before its tag is checked.
void require_parted_mode(warpaes_mode mode, Direction direction);
/// Throws for modes that are not decrypted in such a way.
void require_unverified_mode(warpaes_mode mode, Direction direction);

}  // namespace warpaes::core
