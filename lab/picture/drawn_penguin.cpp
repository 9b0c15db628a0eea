// A penguin made of ellipses. Its areas are flat, and that is what ECB cannot hide, because equal blocks stay
// equal. Rows have 16 x 24 pixels, which are 3 x 24 blocks, so that in all rows blocks lie exactly below each
// other.
#include "lab/picture/picture.hpp"

namespace warpaes::core::lab {
namespace {

struct Colour {
  uint8_t red, green, blue;
};

constexpr Colour kSky = {196, 226, 245}, kIce = {240, 246, 250}, kBlack = {28, 30, 38},
                 kWhite = {255, 255, 255}, kOrange = {244, 158, 28};

struct Ellipse {
  int x, y, half_width, half_height;
  Colour colour;
};

constexpr uint32_t kWidth = 384, kHeight = 448;

/// Later ones are painted over earlier ones.
constexpr Ellipse kEllipses[] = {
    {192, 470, 330, 110, kIce},                                 // the ground
    {140, 408, 50, 18, kOrange},  {244, 408, 50, 18, kOrange},  // feet
    {84, 262, 26, 92, kBlack},    {300, 262, 26, 92, kBlack},   // flippers
    {192, 268, 116, 144, kBlack},                               // body
    {192, 112, 82, 84, kBlack},                                 // head
    {192, 288, 82, 112, kWhite},                                // belly
    {162, 112, 34, 38, kWhite},   {222, 112, 34, 38, kWhite},   // cheeks
    {170, 106, 10, 12, kBlack},   {214, 106, 10, 12, kBlack},   // eyes
    {192, 142, 30, 16, kOrange},                                // beak
};

constexpr bool holds(const Ellipse& ellipse, int x, int y) {
  const int64_t dx = x - ellipse.x, dy = y - ellipse.y;
  const int64_t a = ellipse.half_width, b = ellipse.half_height;
  return dx * dx * b * b + dy * dy * a * a <= a * a * b * b;
}

Colour colour_at(int x, int y) {
  Colour colour = kSky;
  for (const Ellipse& ellipse : kEllipses) {
    if (holds(ellipse, x, y)) colour = ellipse.colour;
  }
  return colour;
}

}  // namespace

Picture drawn_penguin() {
  Picture picture = empty_picture(kWidth, kHeight, 3);
  uint8_t* pixel = picture.pixels.data();
  for (int y = 0; y < static_cast<int>(kHeight); y++) {
    for (int x = 0; x < static_cast<int>(kWidth); x++) {
      const Colour colour = colour_at(x, y);
      *pixel++ = colour.red;
      *pixel++ = colour.green;
      *pixel++ = colour.blue;
    }
  }
  return picture;
}

}  // namespace warpaes::core::lab
