// A picture as a cipher sees it: rows of bytes, one behind the other, which are cut into blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpaes::core::lab {

struct Picture {
  uint32_t width = 0, height = 0;
  unsigned channels = 3;        // 3: red, green, blue; 1: grey
  std::vector<uint8_t> pixels;  // `channels` bytes for each, row by row from the top, without gaps
};

/// Thrown for a picture that cannot be read. The message is made to stand behind the file's name and a colon.
class UnreadablePicture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The limit is 2^26 pixels, since a file of a few bytes can claim to be a picture of gigabytes.
constexpr uint64_t kMostPixels = uint64_t{1} << 26;

/// A picture of that size, all zero. Throws UnreadablePicture if a size is 0, or if there are more than
/// kMostPixels.
Picture empty_picture(uint64_t width, uint64_t height, unsigned channels);

/// Reads what read_png() or read_netpbm() can read. Throws UnreadablePicture, which says what is wrong.
Picture read_picture(std::span<const uint8_t> file);

/// Reads any PNG as 8 bits a channel; transparent parts are laid on white.
Picture read_png(std::span<const uint8_t> file);
bool is_png(std::span<const uint8_t> file);
std::vector<uint8_t> png_of(const Picture& picture);

/// Reads Netpbm's PPM and PGM, binary (P6, P5) and plain (P3, P2), as 8 bits a channel.
Picture read_netpbm(std::span<const uint8_t> file);
bool is_netpbm(std::span<const uint8_t> file);

/// The picture that is used if none is named.
Picture drawn_penguin();

}  // namespace warpaes::core::lab
