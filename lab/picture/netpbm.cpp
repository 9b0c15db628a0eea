// Netpbm's formats (netpbm.sourceforge.net/doc/ppm.html and pgm.html). A file begins with "P6 width height
// maxval" and one white space, and the samples follow as bytes; or it begins with "P3", and the samples
// follow as decimal numbers.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lab/picture/picture.hpp"

namespace warpaes::core::lab {
namespace {

struct Format {
  char digit;
  unsigned channels;
  bool plain;
};

constexpr Format kFormats[] = {{'2', 1, true}, {'3', 3, true}, {'5', 1, false}, {'6', 3, false}};

constexpr uint64_t kHighestMaxval = 65535;

const Format* format_of(std::span<const uint8_t> file) {
  if (file.size() < 2 || file[0] != 'P') return nullptr;
  const auto found = std::ranges::find(kFormats, static_cast<char>(file[1]), &Format::digit);
  return found == std::end(kFormats) ? nullptr : found;
}

bool is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  uint8_t byte() {
    if (rest_.empty()) throw UnreadablePicture("a PPM that ends too early");
    const uint8_t first = rest_.front();
    rest_ = rest_.subspan(1);
    return first;
  }

  /// A number of the header, or of a plain format: white space and comments before it are skipped.
  uint64_t number(const char* what) {
    skip_space();
    if (rest_.empty()) throw UnreadablePicture("a PPM that ends too early");
    if (!is_digit(rest_.front())) throw UnreadablePicture(fmt::format("a PPM whose {} is no number", what));
    uint64_t value = 0;
    while (!rest_.empty() && is_digit(rest_.front())) {
      value = std::min<uint64_t>(value * 10 + (byte() - '0'),
                                 uint64_t{1} << 40);  // larger than any number that is accepted
    }
    return value;
  }

  void one_space() {
    if (!is_space(byte())) throw UnreadablePicture("a PPM without white space behind its header");
  }

  size_t left() const { return rest_.size(); }

 private:
  void skip_space() {
    while (!rest_.empty() && (is_space(rest_.front()) || rest_.front() == '#')) {
      if (byte() == '#') skip_line();
    }
  }
  void skip_line() {
    while (!rest_.empty() && rest_.front() != '\n' && rest_.front() != '\r') byte();
  }

  std::span<const uint8_t> rest_;
};

/// Checks that the samples are there before memory is taken for a picture.
void require_samples(const Reader& reader, uint64_t samples, uint64_t bytes_each) {
  if (reader.left() >= samples * bytes_each) return;
  throw UnreadablePicture(fmt::format("a PPM that ends too early: {} bytes of samples, {} needed",
                                      reader.left(), samples * bytes_each));
}

}  // namespace

bool is_netpbm(std::span<const uint8_t> file) { return format_of(file) != nullptr; }

Picture read_netpbm(std::span<const uint8_t> file) {
  const Format& format = *format_of(file);
  Reader reader(file.subspan(2));
  const uint64_t width = reader.number("width"), height = reader.number("height");
  const uint64_t maxval = reader.number("highest value");
  if (maxval == 0 || maxval > kHighestMaxval) {
    throw UnreadablePicture(
        fmt::format("a PPM whose highest value is {}, not 1 to {}", maxval, kHighestMaxval));
  }
  const uint64_t bytes_each = format.plain || maxval < 256 ? 1 : 2;
  if (!format.plain) reader.one_space();
  if (width != 0 && height != 0 && width <= kMostPixels && height <= kMostPixels / width) {
    require_samples(reader, width * height * format.channels, bytes_each);
  }
  Picture picture = empty_picture(width, height, format.channels);
  for (uint8_t& sample : picture.pixels) {
    uint64_t value = format.plain ? reader.number("sample") : reader.byte();
    if (bytes_each == 2) value = value << 8 | reader.byte();
    if (value > maxval)
      throw UnreadablePicture(fmt::format("a PPM with a sample of {} above {}", value, maxval));
    sample = static_cast<uint8_t>((value * 255 + maxval / 2) / maxval);
  }
  return picture;
}

}  // namespace warpaes::core::lab
