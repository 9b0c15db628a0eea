// PNG by libpng's simplified interface (its manual, section V), which has no setjmp() in its caller.
#include <fmt/format.h>
#include <png.h>

#include <algorithm>

#include "lab/picture/picture.hpp"

namespace warpaes::core::lab {
namespace {

/// libpng's state, freed on every path.
struct Image : png_image {
  Image() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(this); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

constexpr uint8_t kSignature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};  // PNG, section 5.2

uint32_t big_endian(std::span<const uint8_t, 4> bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

/// A PNG is a row of chunks, each with its length, type, data and CRC, and the last is IEND (PNG, section
/// 5.3). libpng stops reading when it has all rows, so it would accept a file that lacks what follows them.
bool has_an_end(std::span<const uint8_t> file) {
  constexpr size_t kAround = 12;
  constexpr char kLast[] = {'I', 'E', 'N', 'D'};
  for (size_t at = sizeof kSignature; file.size() - at >= kAround;) {
    const uint64_t length = big_endian(file.subspan(at).first<4>());
    if (length > file.size() - at - kAround) return false;
    if (std::equal(std::begin(kLast), std::end(kLast), file.begin() + static_cast<ptrdiff_t>(at) + 4))
      return true;
    at += kAround + length;
  }
  return false;
}

}  // namespace

bool is_png(std::span<const uint8_t> file) {
  return file.size() >= sizeof kSignature &&
         std::equal(std::begin(kSignature), std::end(kSignature), file.begin());
}

Picture read_png(std::span<const uint8_t> file) {
  const auto broken = [](const Image& image) {
    return UnreadablePicture(fmt::format("a broken PNG ({})", image.message));
  };
  if (!has_an_end(file)) throw UnreadablePicture("a PNG that ends too early");
  Image image;
  if (!png_image_begin_read_from_memory(&image, file.data(), file.size())) throw broken(image);
  const bool coloured = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  image.format = coloured ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture picture = empty_picture(image.width, image.height, coloured ? 3 : 1);
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr)) throw broken(image);
  return picture;
}

std::vector<uint8_t> png_of(const Picture& picture) {
  Image image;
  image.width = picture.width;
  image.height = picture.height;
  image.format = picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  // An encrypted picture cannot be compressed, so there is room for its full size at the first attempt.
  std::vector<uint8_t> file(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t bytes = file.size();
  if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, picture.pixels.data(), 0, nullptr)) {
    throw std::runtime_error(fmt::format("libpng cannot write the picture: {}", image.message));
  }
  file.resize(bytes);
  return file;
}

}  // namespace warpaes::core::lab
