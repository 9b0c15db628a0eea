#include "lab/picture/picture.hpp"

#include <fmt/format.h>

namespace warpaes::core::lab {

Picture empty_picture(uint64_t width, uint64_t height, unsigned channels) {
  if (width == 0 || height == 0) throw UnreadablePicture("a picture without pixels");
  // Each factor is bounded first, so that the product cannot overflow.
  if (width > kMostPixels || height > kMostPixels || width * height > kMostPixels) {
    throw UnreadablePicture(fmt::format("a picture of {} x {} pixels; the most that are taken are {}", width,
                                        height, kMostPixels));
  }
  Picture picture{static_cast<uint32_t>(width), static_cast<uint32_t>(height), channels, {}};
  picture.pixels.resize(width * height * channels);
  return picture;
}

Picture read_picture(std::span<const uint8_t> file) {
  if (file.empty()) throw UnreadablePicture("the file is empty");
  if (is_png(file)) return read_png(file);
  if (is_netpbm(file)) return read_netpbm(file);
  throw UnreadablePicture("no PNG, PPM or PGM");
}

}  // namespace warpaes::core::lab
