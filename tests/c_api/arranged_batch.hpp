// A batch in one piece of memory. An arrangement says where its keys, nonces, additional data, messages and
// tags lie; the lists of lengths and the arrays of pointers are in the same memory. A call works on it, and
// afterwards every byte of it is compared. tests/modes/batch_image.hpp also serves device calls, and knows
// fewer arrangements.
#pragma once

#include "mode_rows.hpp"

namespace warpaes::core::testing {

/// Where one thing of every message lies.
enum class Lie {
  row,       // one behind the other, in a piece of memory of its own
  shared,    // once, for all messages
  frame,     // beside the message's other things, a frame's stride apart
  scattered  // in no order, by an array of pointers
};

struct Arrangement {
  const char* name;
  Lie data, nonces, aad, tags;
  bool ragged = false, in_place = false;
};

/// Every way for each of the four, alone and with the others.
std::span<const Arrangement> arrangements();

/// What a ragged and scattered batch has an array of.
enum class List { lengths, aad_lengths, inputs, outputs, nonces, aads, tags, keys };

enum class Keys { one, row, shared, scattered };
constexpr Keys kKeys[] = {Keys::one, Keys::row, Keys::shared, Keys::scattered};
const char* name_of(Keys keys);

class ArrangedBatch {
 public:
  /// @param length of the messages, or the most that ragged ones have
  ArrangedBatch(const ModeRow& row, const Arrangement& arrangement, Keys keys, size_t count, size_t length);

  size_t count() const { return examples_.size(); }
  bool has_own_keys() const { return keys_ != Keys::one; }
  /// The key of the cipher; empty if each message brings its own.
  Bytes cipher_key() const { return has_own_keys() ? Bytes() : examples_[0].key; }
  const Example& example(size_t m) const { return examples_[m]; }
  const Answer& answer(size_t m) const { return answers_[m]; }

  /// Puts plaintexts where the input is, or ciphertexts and tags.
  void begin(warpaes_direction direction);
  /// Makes message m one that decryption refuses; after begin(). Modes that notice nothing: has no effect.
  void damage(size_t m);
  /// Says that the call leaves message m alone, with this status, for an entry that cannot be right.
  void leave_alone(size_t m, warpaes_status status) { left_alone_[m] = status; }
  /// Overwrites an entry of an array: a length, or an address. After batch(), which writes them all.
  void set_entry(List list, size_t m, uint64_t value);
  void set_entry(List list, size_t m, const void* address) {
    set_entry(list, m, reinterpret_cast<uintptr_t>(address));
  }
  /// The arrays of pointers are written for an image that lies at `base`.
  warpaes_batch batch(uint8_t* base);
  /// What a right call makes of the image as it is now.
  Bytes expected() const;
  /// Compares the image with it, message by message and then as a whole.
  void expect_right(const Bytes& expected) const;
  /// The status that a call on host memory has to return.
  warpaes_status expected_status() const;

  uint8_t* input(size_t m) { return memory.data() + input_.at(m); }
  uint8_t* output(size_t m) { return memory.data() + output_.at(m); }
  uint8_t* key(size_t m) { return memory.data() + key_.at(m); }
  int32_t status(size_t m) const;

  Bytes memory;

 private:
  /// Would several messages be encrypted with one key and one nonce, in a mode that does not survive it? Then
  /// the call refuses, and writes nothing.
  bool repeats_nonces() const;

  struct Place {
    size_t base = 0, stride = 0, size = 0;
    size_t pointers = 0;  // where the array of pointers is; 0: there is none
    size_t count = 1;
    /// Pointers go through the pieces in another order.
    size_t at(size_t m) const { return base + stride * (pointers == 0 ? m : (m * 7 + 3) % count); }
  };
  Place place(Lie lie, size_t size);
  size_t take(size_t size);
  void lay_out(const Arrangement& arrangement);
  void lay_out_frames(const std::vector<std::pair<Place*, Lie>>& places);
  void put(size_t at, const Bytes& bytes) { put(memory, at, bytes.data(), bytes.size()); }
  static void put(Bytes& to, size_t at, const void* bytes, size_t count);
  template <class Source>
  void point(Source& source, const Place& place, uint8_t* base);

  const ModeRow& row_;
  Keys keys_;
  bool ragged_, in_place_;
  size_t most_text_ = 0;
  warpaes_direction direction_ = WARPAES_DIRECTION_ENCRYPT;
  std::vector<Example> examples_;
  std::vector<Answer> answers_;
  std::vector<bool> damaged_;
  std::vector<warpaes_status> left_alone_;
  Place key_, nonce_, aad_, input_, output_, tag_;
  size_t lengths_ = 0, aad_lengths_ = 0, statuses_ = 0, output_lengths_ = 0;
};

}  // namespace warpaes::core::testing
