#include "polyval_sum.hpp"

#include "primitives/polyval.hpp"

namespace warpaes::cli {

PolyvalSum::PolyvalSum(std::span<const uint8_t> key)
    : polyval_(std::make_unique<core::Polyval>(key.data())) {}
PolyvalSum::~PolyvalSum() = default;

void PolyvalSum::add_padded(std::span<const uint8_t> bytes) {
  polyval_->add_padded(bytes.data(), bytes.size());
}
void PolyvalSum::store(std::span<uint8_t, 16> block) const { polyval_->store_sum(block.data()); }

}  // namespace warpaes::cli
