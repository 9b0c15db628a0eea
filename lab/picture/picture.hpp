// A picture as a cipher sees it: rows of bytes, one after another, that can be taken for blocks.
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
  std::vector<uint8_t> pixels;  // channels bytes each, row by row from the top, without gaps
};

/// A picture that cannot be read. The message goes behind the file's name and a colon.
class UnreadablePicture : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// 2^26 pixels: a file of some bytes can claim to be a picture of gigabytes.
constexpr uint64_t kMostPixels = uint64_t{1} << 26;

/// A picture of that size, all zero. Throws UnreadablePicture for sizes of 0 and beyond kMostPixels.
Picture empty_picture(uint64_t width, uint64_t height, unsigned channels);

/// Reads what read_png() or read_netpbm() reads. Throws UnreadablePicture, saying what is wrong.
Picture read_picture(std::span<const uint8_t> file);

/// Any PNG, as 8 bits a channel; what is transparent is laid on white.
Picture read_png(std::span<const uint8_t> file);
bool is_png(std::span<const uint8_t> file);
std::vector<uint8_t> png_of(const Picture& picture);

/// Netpbm's PPM and PGM, binary (P6, P5) and plain (P3, P2), as 8 bits a channel.
Picture read_netpbm(std::span<const uint8_t> file);
bool is_netpbm(std::span<const uint8_t> file);

/// The picture that is taken if none is named.
Picture drawn_penguin();

}  // namespace warpaes::core::lab
