// CMAC and the chain of MACs that it is made from; and CMAC of a batch, whose tags are made, or compared in
// constant time. A message's blocks wait for each other, so messages go side by side, one block of each in a
// call of the engine, which keeps its pipeline full.
#include <openssl/crypto.h>

#include <algorithm>
#include <array>

#include "engines/batch.hpp"
#include "modes/chain.hpp"
#include "modes/composed_batches.hpp"
#include "modes/mac_chain.hpp"
#include "modes/modes.hpp"
#include "primitives/wiped.hpp"
#include "process/residue.hpp"

namespace warpaes::core {
namespace {

/// The links of a chain, of which only the last is wanted. What was written is wiped.
struct Links {
  std::array<uint8_t, 16 * kChainBlocksAtOnce> bytes;
  uint64_t written = 0;
  ~Links() { OPENSSL_cleanse(bytes.data(), written); }
};

/// So many that a call costs little for each; their links and what is known of them fit the first-level
/// cache.
constexpr size_t kLanes = 32;
/// Fewer are faster one after another, by the engine's CBC.
constexpr size_t kFewestLanes = 6;

class CmacLanes {
 public:
  CmacLanes(const Engine& engine, const EngineKey& key, const Batch& batch)
      : engine_(engine), key_(key), batch_(batch), cmac_(engine, key) {}

  /// A lane that is free takes the next message, so when few are running, none are waiting.
  /// @return are all tags right that were compared?
  bool run() {
    while (running_ < kLanes && begin_next(running_)) running_++;
    while (running_ >= kFewestLanes) step();
    while (running_ > 0) finish_alone(--running_);
    return all_right_;
  }

 private:
  struct Lane {
    const uint8_t* data;  // what is left
    uint64_t bytes;
    uint8_t* tag;
    uint64_t index;
  };

  uint8_t* link(size_t lane) { return links_.data() + 16 * lane; }

  /// Puts the next message that can be worked on into a lane. @return is there one?
  bool begin_next(size_t lane) {
    while (next_ < batch_.messages) {
      const BatchMessage message = message_of(batch_, next_++);
      if (message.status != WARPAES_OK) {
        tell(batch_, message.index, {message.status, 0});
        continue;
      }
      lanes_[lane] = {message.input, message.bytes, message.tag, message.index};
      std::fill_n(link(lane), 16, uint8_t{0});
      return true;
    }
    return false;
  }

  void end(size_t lane, const uint8_t* mac) {
    Status status = WARPAES_OK;
    if (writes_tags(batch_)) {
      std::copy_n(mac, batch_.tag_bytes, lanes_[lane].tag);
    } else if (CRYPTO_memcmp(mac, lanes_[lane].tag, batch_.tag_bytes) != 0) {
      status = WARPAES_ERROR_AUTHENTICATION;
      all_right_ = false;
    }
    tell(batch_, lanes_[lane].index, {status, 0});
  }

  /// A block of every message. From the last lane to the first, so that whoever takes the place of a message
  /// that has ended has had its block.
  void step() {
    std::array<bool, kLanes> ended{};
    for (size_t lane = 0; lane < running_; lane++) ended[lane] = add_block(lane);
    engine_.encrypt_blocks(key_, {links_.data(), links_.data(), 16 * running_}, nullptr);
    for (size_t lane = running_; lane-- > 0;) {
      if (!ended[lane]) continue;
      end(lane, link(lane));
      if (begin_next(lane)) continue;
      if (lane == --running_) continue;
      lanes_[lane] = lanes_[running_];
      std::copy_n(link(running_), 16, link(lane));
    }
  }

  /// @return was it the message's last block?
  bool add_block(size_t number) {
    Lane& lane = lanes_[number];
    if (lane.bytes <= 16) {
      const SecretBlock last(cmac_.last_block(lane.data, lane.bytes));
      xor_bytes(link(number), link(number), last.data(), last.size());
      return true;
    }
    xor_bytes(link(number), link(number), lane.data, 16);
    lane.data += 16;
    lane.bytes -= 16;
    return false;
  }

  void finish_alone(size_t lane) {
    cmac_.start_from(link(lane));
    cmac_.add(lanes_[lane].data, lanes_[lane].bytes);
    const SecretBlock mac(cmac_.finish());
    end(lane, mac.data());
  }

  const Engine& engine_;
  const EngineKey& key_;
  const Batch& batch_;
  Cmac cmac_;
  bool all_right_ = true;
  uint64_t next_ = 0;  // message of the batch
  size_t running_ = 0;
  std::array<Lane, kLanes> lanes_;
  Wiped<std::array<uint8_t, 16 * kLanes>> links_;
};

/// This is not inlined, for the reason of has_right_tag() in aead_messages.hpp: nothing of a forgery's right
/// tag may stay.
[[gnu::noinline]] bool opens(const Engine& engine, const EngineKey& key, const Batch& batch) {
  return CmacLanes(engine, key, batch).run();
}

}  // namespace

void MacChain::start() {
  link_.fill(0);
  held_bytes_ = 0;
}

void MacChain::start_from(const uint8_t* link) {
  std::copy_n(link, link_.size(), link_.begin());
  held_bytes_ = 0;
}

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
  xor_block(held_, mask);
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
  xor_block(block, mask);
  return block;
}

void cmac_composed(const Engine& engine, const BatchKey& key, const Batch& batch) {
  require_composable(engine, "batches of this mode");
  if (!opens(engine, key.prepared, batch)) wipe_residue(StackDepth::callers_thread);
}

}  // namespace warpaes::core
