#include "two_pass_modes.hpp"

#include <algorithm>
#include <cstring>

#include "late_cmac.hpp"
#include "polyval_sum.hpp"
#include "secret_file.hpp"

namespace warpaes::cli {
namespace {

using Block = MacBlock;

/// Eight bytes at a time, which compilers do by themselves only where they know all about the memory.
void xor_bytes_into(uint8_t* into, const uint8_t* from, const uint8_t* stream, uint64_t bytes) {
  uint64_t at = 0;
  for (uint64_t word = 0, other = 0; at + sizeof word <= bytes; at += sizeof word) {
    std::memcpy(&word, from + at, sizeof word);
    std::memcpy(&other, stream + at, sizeof other);
    word ^= other;
    std::memcpy(into + at, &word, sizeof word);
  }
  for (; at < bytes; at++) into[at] = from[at] ^ stream[at];
}

void store_little_endian(uint8_t* to, size_t bytes, uint64_t number) {
  for (; bytes != 0; bytes--, number >>= 8) *to++ = static_cast<uint8_t>(number);
}

void store_big_endian(uint8_t* end, size_t bytes, uint64_t number) {
  for (; bytes != 0; bytes--, number >>= 8) *--end = static_cast<uint8_t>(number);
}

/// CTR from any block on.
class KeyStream {
 public:
  KeyStream(const warpaes::Context& context, std::span<const uint8_t> key)
      : cipher_(context, Mode::ctr, key) {}
  void start(const Block& counter) { counter_ = counter; }
  void crypt(uint64_t offset, Input from, Output into) const {
    (void)cipher_.encrypt({.input = from, .output = into, .nonce = counter_at(offset / kBlockBytes)});
  }
  /// E_K of the counter, added to the block.
  void crypt_block(const Block& counter, Block& block) const {
    (void)cipher_.encrypt({.input = block, .output = block, .nonce = counter});
  }

 private:
  /// As many blocks further on: it is a number of 128 bits, whose last byte counts least.
  Block counter_at(uint64_t blocks) const {
    Block counter = counter_;
    unsigned carried = 0;
    for (size_t i = counter.size(); i-- != 0; blocks >>= 8) {
      carried += counter[i] + static_cast<uint8_t>(blocks);
      counter[i] = static_cast<uint8_t>(carried);
      carried >>= 8;
    }
    return counter;
  }

  warpaes::Cipher cipher_;
  Block counter_ = {};
};

/// SP 800-38C with the formats of its appendix A.
class CcmInPasses : public TwoPassMode {
 public:
  CcmInPasses(const RawJob& job, const warpaes::Context& context, std::span<const uint8_t> key,
              std::span<const uint8_t> nonce)
      : job_(job), nonce_(nonce.begin(), nonce.end()), mac_(context, key), stream_(context, key) {}

  bool hashes_at_once() const override { return false; }

  /// Appendix A.2: the length stands in the first block, and the additional data behind it.
  void expect(uint64_t bytes) override {
    Block first = counter(0);
    first[0] |= static_cast<uint8_t>((job_.aad.empty() ? 0 : 0x40) | (job_.tag_length - 2) / 2 << 3);
    store_big_endian(first.data() + first.size(), 15 - nonce_.size(), bytes);
    mac_.add(first);
    if (!job_.aad.empty()) add_aad();
  }

  void hash(std::span<const uint8_t> plaintext) override {
    mac_.add(plaintext);
    hashed_ += plaintext.size();
  }

  /// CBC-MAC is CMAC without the subkey that CMAC adds to the last block: so that is added once more.
  Block tag() override {
    pad(hashed_);
    SecretArray subkey;
    stream_.crypt_block({}, subkey);
    double_block(subkey);
    Block tag = mac_.finish(subkey);
    stream_.crypt_block(counter(0), tag);
    return tag;
  }

  void rewind(std::span<const uint8_t>) override { stream_.start(counter(1)); }
  void crypt(uint64_t offset, Input from, Output into) const override { stream_.crypt(offset, from, into); }

 private:
  /// Appendix A.3.
  Block counter(uint8_t number) const {
    Block block = {};
    block[0] = static_cast<uint8_t>(15 - nonce_.size() - 1);
    std::ranges::copy(nonce_, block.begin() + 1);
    block.back() = number;
    return block;
  }

  void add_aad() {
    const uint64_t bytes = job_.aad.size();
    std::array<uint8_t, 6> length = {0xff, 0xfe};  // no more additional data is read than 4 bytes can say
    const bool is_short = bytes < 0xff00;
    store_big_endian(length.data() + (is_short ? 2 : 6), is_short ? 2 : 4, bytes);
    mac_.add(std::span(length).first(is_short ? 2 : 6));
    mac_.add(job_.aad);
    pad((is_short ? 2 : 6) + bytes);
  }

  void pad(uint64_t behind) {
    constexpr Block kZeros = {};
    mac_.add(std::span(kZeros).first((kBlockBytes - behind % kBlockBytes) % kBlockBytes));
  }

  const RawJob& job_;
  const std::vector<uint8_t> nonce_;
  LateCmac mac_;
  KeyStream stream_;
  uint64_t hashed_ = 0;
};

/// RFC 5297, for messages of at least a block.
class SivInPasses : public TwoPassMode {
 public:
  SivInPasses(const RawJob& job, const warpaes::Context& context, std::span<const uint8_t> key)
      : mac_(context, key.first(key.size() / 2)), stream_(context, key.last(key.size() / 2)) {
    add_string(Block{});
    if (job.has_aad) add_string(job.aad);
    if (!job.iv.empty()) add_string(job.iv);
  }

  void hash(std::span<const uint8_t> plaintext) override { mac_.add(plaintext); }
  Block tag() override { return mac_.finish(of_strings_); }

  /// Section 2.5: two bits of the tag are no part of the counter.
  void rewind(std::span<const uint8_t> tag) override {
    Block counter;
    std::ranges::copy(tag, counter.begin());
    counter[8] &= 0x7f;
    counter[12] &= 0x7f;
    stream_.start(counter);
  }
  void crypt(uint64_t offset, Input from, Output into) const override { stream_.crypt(offset, from, into); }

 private:
  /// Section 2.4.
  void add_string(std::span<const uint8_t> string) {
    SecretArray mac;
    mac_.of_whole(string, mac);
    double_block(of_strings_);
    add_to_block(of_strings_.data(), mac.data());
  }

  LateCmac mac_;
  KeyStream stream_;
  SecretArray of_strings_;
};

/// RFC 8452. Its counter is little-endian, so the key stream is ECB of counters.
class GcmSivInPasses : public TwoPassMode {
 public:
  GcmSivInPasses(const RawJob& job, const warpaes::Context& context, std::span<const uint8_t> key,
                 std::span<const uint8_t> nonce)
      : GcmSivInPasses(job, context, nonce, derived_keys(context, key, nonce)) {}

  void hash(std::span<const uint8_t> plaintext) override {
    polyval_.add_padded(plaintext);
    hashed_ += plaintext.size();
  }

  Block tag() override {
    Block lengths;
    store_little_endian(lengths.data(), 8, 8 * job_.aad.size());
    store_little_endian(lengths.data() + 8, 8, 8 * hashed_);
    polyval_.add_padded(lengths);
    SecretArray sum;
    polyval_.store(sum);
    add_to_block(sum.data(), nonce_.data(), nonce_.size());
    sum.back() &= 0x7f;
    Block tag;
    (void)cipher_.encrypt({.input = sum, .output = tag});
    return tag;
  }

  void rewind(std::span<const uint8_t> tag) override {
    std::ranges::copy(tag, counter_.begin());
    counter_.back() |= 0x80;
    number_ = 0;
    for (size_t i = sizeof number_; i != 0; i--) number_ = number_ << 8 | counter_[i - 1];
  }

  void crypt(uint64_t offset, Input from, Output into) const override {
    const auto* const source = static_cast<const uint8_t*>(from.data());
    auto* const target = static_cast<uint8_t*>(into.data());
    for (uint64_t at = 0; at < from.size(); at += kAtOnce) {
      const uint64_t bytes = std::min<uint64_t>(from.size() - at, kAtOnce);
      add_stream(offset + at, {source + at, bytes}, {target + at, bytes});
    }
  }

 private:
  static constexpr size_t kAtOnce = 256 << 10;  // of the text, which stays in a core's cache
  static constexpr size_t kHashKey = 16;

  GcmSivInPasses(const RawJob& job, const warpaes::Context& context, std::span<const uint8_t> nonce,
                 const SecretBytes& keys)
      : job_(job),
        nonce_(nonce.begin(), nonce.end()),
        cipher_(context, Mode::ecb, keys.bytes().subspan(kHashKey)),
        polyval_(keys.bytes().first(kHashKey)) {
    polyval_.add_padded(job.aad);
  }

  /// Section 4: the key of the hash, and that of the cipher.
  static SecretBytes derived_keys(const warpaes::Context& context, std::span<const uint8_t> key,
                                  std::span<const uint8_t> nonce) {
    const size_t halves = (kHashKey + key.size()) / 8;
    SecretBytes blocks(halves * kBlockBytes), keys(kHashKey + key.size());
    for (size_t i = 0; i < halves; i++) {
      uint8_t* const block = blocks.data() + i * kBlockBytes;
      store_little_endian(block, 4, i);
      std::ranges::copy(nonce, block + 4);
    }
    const warpaes::Cipher cipher(context, Mode::ecb, key);
    (void)cipher.encrypt({.input = blocks.bytes(), .output = blocks.bytes()});
    for (size_t i = 0; i < halves; i++) std::copy_n(blocks.data() + i * kBlockBytes, 8, keys.data() + 8 * i);
    return keys;
  }

  /// The key stream is made where its sum with the text will be; of a block that is cut, elsewhere.
  void add_stream(uint64_t offset, std::span<const uint8_t> from, std::span<uint8_t> into) const {
    const size_t whole = from.size() / kBlockBytes * kBlockBytes;
    auto number = static_cast<uint32_t>(number_ + offset / kBlockBytes);
    for (size_t at = 0; at < whole; at += kBlockBytes) put_counter(into.data() + at, number++);
    if (whole != 0) (void)cipher_.encrypt({.input = into.first(whole), .output = into.first(whole)});
    xor_bytes_into(into.data(), from.data(), into.data(), whole);
    if (whole == from.size()) return;
    SecretArray last;
    put_counter(last.data(), number);
    (void)cipher_.encrypt({.input = last, .output = last});
    xor_bytes_into(into.data() + whole, from.data() + whole, last.data(), from.size() - whole);
  }

  void put_counter(uint8_t* block, uint32_t number) const {
    std::memcpy(block, counter_.data(), kBlockBytes);
    store_little_endian(block, sizeof number, number);
  }

  const RawJob& job_;
  const std::vector<uint8_t> nonce_;
  warpaes::Cipher cipher_;
  PolyvalSum polyval_;
  uint64_t hashed_ = 0;
  Block counter_ = {};
  uint32_t number_ = 0;
};

}  // namespace

std::unique_ptr<TwoPassMode> two_pass_mode(const RawJob& job, const warpaes::Context& context,
                                           std::span<const uint8_t> key, std::span<const uint8_t> nonce) {
  if (job.mode.mode == Mode::ccm) return std::make_unique<CcmInPasses>(job, context, key, nonce);
  if (job.mode.is_siv()) return std::make_unique<SivInPasses>(job, context, key);
  return std::make_unique<GcmSivInPasses>(job, context, key, nonce);
}

}  // namespace warpaes::cli
