#include "modes/mac_chain.hpp"

#include <algorithm>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {

void MacChain::start() {
  link_.fill(0);
  held_bytes_ = 0;
}

void MacChain::chain(const uint8_t* input, uint64_t bytes) {
  ChainScratch scratch;
  for (uint64_t at = 0; at < bytes; at += scratch.bytes.size()) {
    const uint64_t part = std::min<uint64_t>(scratch.bytes.size(), bytes - at);
    cbc(engine_, key_, WARPAES_DIRECTION_ENCRYPT, {link_.data(), input + at, scratch.bytes.data(), part},
        nullptr, 0, nullptr);
    std::copy_n(scratch.bytes.data() + part - link_.size(), link_.size(), link_.begin());
  }
}

void MacChain::add(const uint8_t* data, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t fits = std::min<uint64_t>(held_.size() - held_bytes_, bytes);
  std::copy_n(data, fits, held_.begin() + static_cast<ptrdiff_t>(held_bytes_));
  held_bytes_ += fits;
  if (fits == bytes) return;
  chain(held_.data(), held_.size());
  const uint64_t left = bytes - fits, before_last = (left - 1) / 16 * 16;
  chain(data + fits, before_last);
  held_bytes_ = left - before_last;
  std::copy_n(data + fits + before_last, held_bytes_, held_.begin());
}

void MacChain::pad() {
  if (held_bytes_ == 0) return;
  std::fill(held_.begin() + static_cast<ptrdiff_t>(held_bytes_), held_.end(), uint8_t{0});
  held_bytes_ = held_.size();
}

MacBlock MacChain::finish(const MacBlock& mask) {
  xor_bytes(held_.data(), held_.data(), mask.data(), held_.size());
  chain(held_.data(), held_.size());
  held_bytes_ = 0;
  return link_;
}

Cmac::Cmac(const Engine& engine, const EngineKey& key) : chain_(engine, key), masks_{} {
  SecretBlock l;
  engine.encrypt_blocks(key, {l.data(), l.data(), l.size()}, nullptr);
  masks_ = cmac_subkeys(l);
}

/// Section 6.2 steps 3 and 4: a last block that is not whole is padded by a one bit and zeros, and has a mask
/// of its own.
MacBlock Cmac::finish() {
  const size_t last = chain_.last_bytes();
  if (last == 16) return chain_.finish(masks_.whole);
  constexpr uint8_t kOne = 0x80;
  chain_.add(&kOne, 1);
  chain_.pad();
  return chain_.finish(masks_.padded);
}

}  // namespace warpaes::core
