#include "late_cmac.hpp"

#include <algorithm>

#include "warpaes/operation.hpp"

namespace warpaes::cli {
namespace {

/// By an engine of the CPU, which takes parts as they come.
class CmacOperation : public CmacInParts {
 public:
  explicit CmacOperation(const warpaes::Cipher& cmac) : operation_(cmac, {}) {}

  void add(std::span<const uint8_t> bytes) override { operation_.update(Input(bytes), {}); }
  MacBlock finish() override {
    MacBlock mac;
    (void)operation_.finish(mac).length();
    return mac;
  }

 private:
  warpaes::Operation operation_;
};

/// The chain of blocks goes on from one call to the next: what the last call gave is added to the first block
/// of the next one. All calls but the last are of whole blocks, and take back the subkey that CMAC adds to
/// their last block.
class CmacOfCalls : public CmacInParts {
 public:
  CmacOfCalls(const warpaes::Context& context, const warpaes::Cipher& cmac, std::span<const uint8_t> key)
      : cmac_(cmac), buffer_(context, kAtOnce) {
    (void)warpaes::Cipher(context, Mode::ecb, key).encrypt({.input = subkey_, .output = subkey_});
    double_block(subkey_);
  }

  void add(std::span<const uint8_t> bytes) override {
    while (!bytes.empty()) {
      if (filled_ == kAtOnce) go_on();
      const size_t taken = std::min(bytes.size(), kAtOnce - filled_);
      std::copy_n(bytes.begin(), taken, buffer_.data() + filled_);
      filled_ += taken;
      bytes = bytes.subspan(taken);
    }
  }

  /// The message has at least a block, and so has the buffer.
  MacBlock finish() override {
    add_to_block(buffer_.data(), link_.data());
    MacBlock mac;
    call(filled_, mac);
    return mac;
  }

 private:
  /// Enough that a call costs little beside the chain.
  static constexpr size_t kAtOnce = 256 << 10;

  /// The last block stays, as it may be the message's last one.
  void go_on() {
    constexpr size_t kBytes = kAtOnce - kBlockBytes;
    add_to_block(buffer_.data(), link_.data());
    add_to_block(buffer_.data() + kBytes - kBlockBytes, subkey_.data());
    call(kBytes, link_);
    std::copy_n(buffer_.data() + kBytes, kBlockBytes, buffer_.data());
    filled_ = kBlockBytes;
  }

  void call(size_t bytes, MacBlock& mac) {
    (void)cmac_.encrypt({.input = Input(buffer_.data(), bytes), .tag = mac});
  }

  const warpaes::Cipher& cmac_;
  warpaes::HostBuffer buffer_;
  size_t filled_ = 0;
  SecretArray link_, subkey_;
};

std::unique_ptr<CmacInParts> cmac_in_parts(const warpaes::Context& context, const warpaes::Cipher& cmac,
                                           std::span<const uint8_t> key) {
  try {
    return std::make_unique<CmacOperation>(cmac);
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_UNSUPPORTED) throw;
    return cmac_of_calls(context, cmac, key);
  }
}

}  // namespace

std::unique_ptr<CmacInParts> cmac_of_calls(const warpaes::Context& context, const warpaes::Cipher& cmac,
                                           std::span<const uint8_t> key) {
  return std::make_unique<CmacOfCalls>(context, cmac, key);
}

void add_to_block(uint8_t* sum, const uint8_t* other, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) sum[i] ^= other[i];
}

void double_block(MacBlock& block) {
  const auto carried = static_cast<uint8_t>(block[0] >> 7);
  for (size_t i = 0; i + 1 < block.size(); i++) {
    block[i] = static_cast<uint8_t>(block[i] << 1 | block[i + 1] >> 7);
  }
  block.back() = static_cast<uint8_t>(block.back() << 1 ^ 0x87 * carried);
}

LateCmac::LateCmac(const warpaes::Context& context, std::span<const uint8_t> key)
    : cipher_(context, Mode::cmac, key), cmac_(cmac_in_parts(context, cipher_, key)) {}

void LateCmac::of_whole(std::span<const uint8_t> message, MacBlock& mac) const {
  (void)cipher_.encrypt({.input = message, .tag = mac});
}

void LateCmac::add(std::span<const uint8_t> bytes) {
  if (bytes.size() < kBlockBytes) return add_few(bytes);
  cmac_->add(std::span(held_).first(held_bytes_));
  cmac_->add(bytes.first(bytes.size() - kBlockBytes));
  std::ranges::copy(bytes.last(kBlockBytes), held_.begin());
  held_bytes_ = kBlockBytes;
}

void LateCmac::add_few(std::span<const uint8_t> bytes) {
  const size_t all = held_bytes_ + bytes.size(), gone = all - std::min(all, kBlockBytes);
  cmac_->add(std::span(held_).first(gone));
  std::copy(held_.begin() + static_cast<ptrdiff_t>(gone), held_.begin() + static_cast<ptrdiff_t>(held_bytes_),
            held_.begin());
  std::ranges::copy(bytes, held_.begin() + static_cast<ptrdiff_t>(held_bytes_ - gone));
  held_bytes_ = all - gone;
}

MacBlock LateCmac::finish(const MacBlock& added) {
  add_to_block(held_.data(), added.data());
  cmac_->add(std::span(held_).first(held_bytes_));
  return cmac_->finish();
}

}  // namespace warpaes::cli
