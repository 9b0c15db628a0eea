// Many messages in one piece of host or device memory, laid out as formats lay them out, with bytes between
// them that nobody may touch.
#pragma once

#include "message_image.hpp"

namespace warpaes::core::testing {

/// Where the parts of a batch's messages lie.
enum class Layout : uint8_t {
  kRows,     // all inputs, then all outputs, all nonces and so on, each at a stride of its own
  kShared,   // rows, and one string of additional data for all messages, and one key in place of a key each
  kFrames,   // nonce, additional data, ciphertext and tag beside each other, at the stride of a frame
  kPointers  // anywhere, backwards, and of different lengths: arrays of pointers and lengths
};
constexpr Layout kLayouts[] = {Layout::kRows, Layout::kShared, Layout::kFrames, Layout::kPointers};
const char* name_of(Layout layout);

struct BatchShape {
  Layout layout;
  bool in_place = false;
  bool key_each = false;
  bool on_device = false;
  size_t gap = 0;  // between messages, more or less of it in each part
};

/// What is wrong with one message of a batch.
enum class Wrong : uint8_t {
  kNothing,
  kDamaged,  // the tag, the padding or the wrapped key: its output becomes zero
  // The rest is left alone. A key of XTS with equal halves, which needs a key each:
  kEqualKeys,
  // Entries of arrays that cannot be:
  kNullInput,
  kNullOutput,
  kNullNonce,
  kNullAad,
  kNullTag,
  kNullKey,
  kTooLong,
  kOverlap
};

/// Messages of one batch: under one key or a key each, of one length or, for pointers, of many.
std::vector<ModeMessage> messages_for(const ListedMode& row, const BatchShape& shape, size_t count,
                                      const MessageShape& like);

class BatchImage {
 public:
  /// @param messages as messages_for makes them
  /// @param wrong of each message; empty: nothing
  BatchImage(const std::vector<ModeMessage>& messages, warpaes_direction direction, const BatchShape& shape,
             const std::vector<Wrong>& wrong = {});

  /// For another batch of the same messages: each second one right, and all that can be wrong with the rest.
  /// @param from with which of the kinds to begin: a small batch has only some of them
  std::vector<Wrong> what_can_be_wrong(size_t from = 0) const;
  size_t size() const { return memory_.bytes().size(); }
  /// Decides where it lies. @return the arguments of a call
  warpaes_batch place_at(uint8_t* base);
  /// What has to be in the memory before the call, and after it.
  const Bytes& before() const { return before_; }
  Bytes after() const;
  /// What the call has to return, on the host.
  warpaes_status status() const;

 private:
  /// What there is once a message, or, of SIV's additional data, several times.
  struct Column {
    size_t length = 0;            // the most that one takes
    std::vector<size_t> offsets;  // empty: the call has no such thing
    size_t array = 0;             // of pointers
  };
  Column lay_row(size_t length, size_t count);
  void lay_in_rows();
  void lay_in_frames();
  void take_arrays();
  warpaes_source source(uint8_t* base, const Column& column);
  warpaes_target target(uint8_t* base, const Column& column);
  void put_lengths(uint8_t* base, warpaes_batch& batch);
  void put_wrong_entries(uint8_t* base);
  void put_contents();
  const Column& column_of(Wrong wrong) const;
  bool can_be(Wrong wrong, size_t message) const;
  size_t count() const { return messages_->size(); }
  bool has_pointers() const { return shape_.layout == Layout::kPointers; }

  const std::vector<ModeMessage>* messages_;
  warpaes_direction direction_;
  BatchShape shape_;
  std::vector<Wrong> wrong_;
  std::vector<Exchange> exchanges_;
  size_t strings_;  // of additional data a message has
  bool has_output_, has_output_lengths_, has_statuses_;
  Column inputs_, outputs_, nonces_, aads_, tags_, keys_;
  size_t lengths_ = 0, aad_lengths_ = 0, output_lengths_ = 0, statuses_ = 0;
  size_t rows_ = 0;
  PieceOfMemory memory_;
  Bytes before_;
};

}  // namespace warpaes::core::testing
