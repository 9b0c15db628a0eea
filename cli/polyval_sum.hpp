#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace warpaes::core {
class Polyval;
}

namespace warpaes::cli {

/// POLYVAL, RFC 8452 section 3, which no public function of the library has: a sum over blocks.
class PolyvalSum {
 public:
  /// @param key 16 bytes
  explicit PolyvalSum(std::span<const uint8_t> key);
  ~PolyvalSum();

  /// Zeros up to the end of the last block.
  void add_padded(std::span<const uint8_t> bytes);
  void store(std::span<uint8_t, 16> block) const;

 private:
  std::unique_ptr<core::Polyval> polyval_;
};

}  // namespace warpaes::cli
