#include "modes/mac_chain.hpp"

#include <algorithm>

#include "modes/chain.hpp"
#include "modes/modes.hpp"

namespace warpaes::core {

void MacChain::start() {
  link_.fill(0);
  held_bytes_ = 0;
}

void MacChain::start_from(const uint8_t* link) {
  std::copy_n(link, link_.size(), link_.begin());
  held_bytes_ = 0;
}

namespace {

/// The links of a chain, of which only the last is wanted. What was written is wiped.
struct Links {
  std::array<uint8_t, 16 * kChainBlocksAtOnce> bytes;
  uint64_t written = 0;
  ~Links() { OPENSSL_cleanse(bytes.data(), written); }
};

}  // namespace

void MacChain::chain(const uint8_t* input, uint64_t bytes) {
  if (bytes == 0) return;
  if (bytes == link_.size()) {  // CBC of one block, whose IV need not be set
    xor_bytes(link_.data(), link_.data(), input, link_.size());
    return engine_.encrypt_blocks(key_, {link_.data(), link_.data(), link_.size()}, nullptr);
  }
  Links links;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is written before it is read
  links.written = std::min<uint64_t>(bytes, links.bytes.size());
  for (uint64_t at = 0; at < bytes; at += links.written) {
    const uint64_t part = std::min(links.written, bytes - at);
    cbc(engine_, key_, WARPAES_DIRECTION_ENCRYPT, {link_.data(), input + at, links.bytes.data(), part},
        nullptr, 0, nullptr);
    std::copy_n(links.bytes.data() + part - link_.size(), link_.size(), link_.begin());
  }
}

void MacChain::add(const uint8_t* data, uint64_t bytes) {
  if (bytes == 0) return;
  if (held_bytes_ != 0) {
    const uint64_t fits = std::min<uint64_t>(held_.size() - held_bytes_, bytes);
    std::copy_n(data, fits, held_.begin() + static_cast<ptrdiff_t>(held_bytes_));
    held_bytes_ += fits;
    if (fits == bytes) return;
    chain(held_.data(), held_.size());
    data += fits;
    bytes -= fits;
  }
  const uint64_t before_last = (bytes - 1) / 16 * 16;
  chain(data, before_last);
  held_bytes_ = bytes - before_last;
  std::copy_n(data + before_last, held_bytes_, held_.begin());
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

void Cmac::start_omac(uint8_t number) {
  MacBlock block{};
  block.back() = number;
  start();
  add(block.data(), block.size());
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

MacBlock Cmac::last_block(const uint8_t* data, uint64_t bytes) const {
  MacBlock block{};
  std::copy_n(data, bytes, block.begin());
  if (bytes < block.size()) block[bytes] = 0x80;
  const MacBlock& mask = bytes == block.size() ? masks_.whole : masks_.padded;
  xor_bytes(block.data(), block.data(), mask.data(), block.size());
  return block;
}

}  // namespace warpaes::core
