#include "random_cases.hpp"

#include <iterator>

#include "case_generator.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr Mode kModes[] = {Mode::ecb, Mode::ctr,     Mode::gcm, Mode::cbc, Mode::cfb,  Mode::ofb,
                           Mode::xts, Mode::gcm_siv, Mode::ccm, Mode::eax, Mode::ocb3, Mode::siv};

/// Most messages are short, as most paths are: all magnitudes are as likely as each other.
constexpr int kShortBits = 15;        // up to 32 KiB
constexpr uint64_t kLongOneIn = 200;  // and now and then one of
constexpr int kLongBits = 21;         // up to 2 MiB
constexpr uint64_t kBatchBytes = 1 << 16;
constexpr uint64_t kBatchMessages = 150;
constexpr uint64_t kBatchOneIn = 8;  // of forms that only batch_cases.hpp has

std::string name_of(uint64_t number, uint64_t seed) {
  return std::to_string(number) + " of seed " + std::to_string(seed) + ": ";
}

class RandomCase {
 public:
  RandomCase(Generator& generator, uint64_t seed, uint64_t number, uint64_t largest)
      : generator_(generator), name_(name_of(number, seed)), largest_(largest) {}

  void visit() {
    const Mode mode = kModes[below(std::size(kModes))];
    const int key_bits = kKeyBits[below(std::size(kKeyBits))];
    if (is_aead(mode)) {
      visit_aead(mode, key_bits);
    } else {
      visit_bytes(mode, key_bits);
    }
  }

 private:
  uint64_t below(uint64_t limit) { return generator_.below(limit); }
  bool one_in(uint64_t count) { return below(count) == 0; }

  uint64_t length(int bits) { return below(uint64_t{2} << below(static_cast<uint64_t>(bits))); }
  uint64_t length() { return std::min(length(one_in(kLongOneIn) ? kLongBits : kShortBits), largest_); }

  void place(Case& test) {
    test.layout.in_place = one_in(2);
    if (one_in(2)) return;  // on multiples of 16
    test.layout.input_offset = below(16);
    test.layout.output_offset = below(16);
  }

  void visit_bytes(Mode mode, int key_bits) {
    uint64_t bytes = length();
    if (mode == Mode::ecb || mode == Mode::cbc) bytes = bytes / 16 * 16;
    if (mode == Mode::xts) bytes = std::max(bytes, uint64_t{16});
    const uint64_t unit_bytes = mode == Mode::xts ? 16 + below(bytes - 15) : bytes;
    // A data unit has a block at least (IEEE 1619 section 5.1), the last one too.
    if (mode == Mode::xts && bytes % unit_bytes < 16) bytes -= bytes % unit_bytes;
    Case test = generator_.data_case(mode, key_bits, bytes, "");
    test.unit_bytes = unit_bytes;
    if (mode == Mode::ctr && one_in(4)) std::fill_n(test.nonces.rbegin(), below(17), 0xff);  // about to carry
    test.name = name_ + test.name;
    place(test);
    generator_.visit_as_laid_out(std::move(test));
  }

  /// Any length that the mode has, mostly the recommended one.
  void draw_nonces(Case& test, const ModeRow& row) {
    const bool batch = test.messages != 1;
    const size_t longest = std::min<size_t>(row.longest_nonce, 40);
    size_t nonce_bytes = row.recommended_nonce;
    const bool only_recommended = batch && test.mode == Mode::gcm;  // which kernels are made for
    if (!only_recommended && one_in(3)) {
      nonce_bytes = row.shortest_nonce + below(longest - row.shortest_nonce + 1);
    }
    while (test.bytes > row.most_bytes(nonce_bytes)) nonce_bytes--;
    test.nonce_bytes = nonce_bytes;
    test.nonces = generator_.random(nonce_bytes * test.messages);
  }

  void draw_tag_bytes(Case& test, const ModeRow& row) {
    do test.tag_bytes = 1 + below(16);
    while ((row.tag_lengths >> test.tag_bytes & 1) == 0);
  }

  void visit_aead(Mode mode, int key_bits) {
    const ModeRow& row = mode_row(aead_mode(mode)->aead);
    if (!row.has_192_bits() && key_bits == 192) key_bits = 256;
    const uint64_t messages = one_in(3) ? below(kBatchMessages) : 1;
    const uint64_t bytes = messages > 1 ? std::min(length(), kBatchBytes / messages) : length();
    Case test = generator_.data_case(mode, key_bits, bytes, std::to_string(messages) + " messages");
    test.name = name_ + test.name;
    test.messages = messages;
    test.input = generator_.random(bytes * messages);
    draw_nonces(test, row);
    draw_tag_bytes(test, row);
    const bool long_aad = messages == 1 && one_in(20);
    if (one_in(2)) generator_.with_aad(test, length(long_aad ? 17 : 10), messages == 1 || one_in(2));
    place(test);
    test.layout.tags_attached = one_in(2);
    test.layout.gap = one_in(2) ? below(20) : 0;
    if (messages != 0 && one_in(4)) {
      visit_forged(test);
    } else {
      generator_.visit_as_laid_out(std::move(test));
    }
  }

  /// One bit of one message is not as it was.
  void visit_forged(const Case& test) {
    const uint64_t victim = below(test.messages), bit = below(8);
    const uint64_t in_data = test.bytes != 0 ? below(test.bytes) : 0, in_tag = below(test.tag_bytes);
    const bool of_data = test.bytes != 0 && one_in(2);
    generator_.visit_forged_as_laid_out(
        test, victim, of_data ? "a bit of the data changed" : "a bit of the tag changed", [=](Case& forged) {
          uint8_t& byte = of_data ? forged.input[victim * forged.bytes + in_data]
                                  : forged.tags[victim * forged.tag_bytes + in_tag];
          byte = static_cast<uint8_t>(byte ^ 1u << bit);
        });
  }

  Generator& generator_;
  const std::string name_;
  const uint64_t largest_;
};

}  // namespace

void visit_random_cases(uint64_t seed, uint64_t cases, uint64_t largest, Share& share, const Visitor& visit,
                        const BatchVisitor& visit_batch) {
  Generator generator(share, visit);
  for (uint64_t number = 0; number < cases; number++) {
    generator.reseed({seed, number});
    if (number % kBatchOneIn != 0) {
      RandomCase(generator, seed, number, largest).visit();
    } else if (share.takes_next()) {
      visit_random_batch(Random(generator.below(UINT64_MAX)), name_of(number, seed), visit_batch);
    }
  }
}

}  // namespace warpaes::core::conformance
