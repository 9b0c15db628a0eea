// Where a message's text is read: what is encrypted or decrypted, without the nonce before it and the tag
// behind it.
#pragma once

#include <optional>
#include <vector>

#include "input_file.hpp"
#include "spool.hpp"

namespace warpaes::cli {

class TextSource {
 public:
  virtual ~TextSource() = default;
  /// How many bytes there are, if they can be read in any order and by several threads at a time.
  virtual std::optional<uint64_t> bytes_in_place() const = 0;
  /// How many to expect, if that is known.
  virtual std::optional<uint64_t> expected() const { return bytes_in_place(); }
  /// @param offset in the text: what has been read so far, unless there are bytes_in_place()
  /// @return bytes read; fewer than asked for only at the end
  virtual uint64_t read(uint64_t offset, std::span<uint8_t> into) = 0;
};

/// What is left of an input, but for a tag at its end.
class InputText : public TextSource {
 public:
  /// @param tag_length 0: there is no tag
  InputText(InputFile& from, size_t tag_length);

  std::optional<uint64_t> bytes_in_place() const override { return in_place_; }
  std::optional<uint64_t> expected() const override;
  uint64_t read(uint64_t offset, std::span<uint8_t> into) override;

  size_t tag_length() const { return tag_length_; }
  /// When all of the text has been read; shorter only if the input is.
  std::span<const uint8_t> tag() const { return tag_; }

 private:
  InputFile& from_;
  const size_t tag_length_;
  const std::optional<uint64_t> in_place_;
  std::vector<uint8_t> tag_;
};

/// Keeps what it reads from another one, to be read once more.
class SpoolingText : public TextSource {
 public:
  SpoolingText(TextSource& from, Spool& spool) : from_(from), spool_(spool) {}
  std::optional<uint64_t> bytes_in_place() const override { return std::nullopt; }
  std::optional<uint64_t> expected() const override { return from_.expected(); }
  uint64_t read(uint64_t offset, std::span<uint8_t> into) override;

 private:
  TextSource& from_;
  Spool& spool_;
};

class SpooledText : public TextSource {
 public:
  explicit SpooledText(const Spool& spool) : spool_(spool) {}
  std::optional<uint64_t> bytes_in_place() const override { return spool_.size(); }
  uint64_t read(uint64_t offset, std::span<uint8_t> into) override {
    spool_.read_at(offset, into);
    return into.size();
  }

 private:
  const Spool& spool_;
};

}  // namespace warpaes::cli
