// Makes generated cases: random data, and the answers on which the oracles agree.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <set>

#include "generated_cases.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core::conformance {

constexpr int kKeyBits[] = {128, 192, 256};

inline size_t recommended_nonce(Mode mode) { return mode_row(aead_mode(mode)->aead).recommended_nonce; }

/// Makes cases and passes them on, each in the shapes that follow from it.
class Generator {
 public:
  /// @param share asked once for each case before it is encrypted, which is what takes the time
  Generator(Share& share, const Visitor& visit) : share_(share), visit_(visit) {}

  /// What comes from here on depends on nothing but these.
  void reseed(std::initializer_list<uint64_t> seeds) {
    std::vector<uint32_t> halves;
    for (const uint64_t seed : seeds) {
      halves.push_back(static_cast<uint32_t>(seed));
      halves.push_back(static_cast<uint32_t>(seed >> 32));
    }
    std::seed_seq sequence(halves.begin(), halves.end());
    random_.seed(sequence);
  }

  /// 0 to limit - 1. The tiny bias of a remainder does no harm here.
  uint64_t below(uint64_t limit) { return random_() % limit; }

  /// Eight bytes from each step of the generator: cases reach 64 MiB.
  Bytes random(size_t count) {
    Bytes bytes((count + 7) / 8 * 8);
    for (size_t at = 0; at < bytes.size(); at += 8) {
      const uint64_t word = random_();
      std::memcpy(bytes.data() + at, &word, 8);
    }
    bytes.resize(count);
    return bytes;
  }

  Case data_case(Mode mode, int key_bits, uint64_t bytes, const std::string& about) {
    Case test;
    test.name = std::to_string(bytes) + " bytes" + (about.empty() ? "" : ", ") + about;
    test.mode = mode;
    test.key = random((has_two_keys(mode) ? 2 : 1) * key_bits / 8);
    test.bytes = bytes;
    test.unit_bytes = bytes;
    test.nonces = mode == Mode::ecb ? Bytes() : random(is_aead(mode) ? recommended_nonce(mode) : 16);
    test.input = random(bytes);
    return test;
  }

  void with_aad(Case& test, uint64_t bytes, bool shared) {
    test.aad_bytes = bytes;
    test.aad_shared = shared;
    test.aad = random(shared ? bytes : bytes * test.messages);
  }

  /// Encrypts and decrypts it, apart and in place.
  void visit_all_shapes(Case test) {
    if (!share_.takes_next()) return;
    oracles_.encrypt(test);
    for (const bool in_place : {false, true}) {
      test.layout.in_place = in_place;
      visit_both_directions(test);
    }
  }

  /// As its layout says.
  void visit_as_laid_out(Case test) {
    if (!share_.takes_next()) return;
    oracles_.encrypt(test);
    visit_both_directions(test);
  }

  /// Decryption with one thing changed, of message `victim`: it alone is refused and zeroed. Apart and in
  /// place.
  void visit_forged(Case test, uint64_t victim, const char* what, const std::function<void(Case&)>& forge) {
    if (!share_.takes_next()) return;
    Case forged = forgery_of(std::move(test), victim, what, forge);
    for (const bool in_place : {false, true}) {
      forged.layout.in_place = in_place;
      visit_(forged);
    }
  }
  void visit_forged_as_laid_out(Case test, uint64_t victim, const char* what,
                                const std::function<void(Case&)>& forge) {
    if (share_.takes_next()) visit_(forgery_of(std::move(test), victim, what, forge));
  }

 private:
  static Case decryption_of(const Case& encryption) {
    Case test = encryption;
    test.name += ", decrypt";
    test.direction = WARPAES_DIRECTION_DECRYPT;
    std::swap(test.input, test.output);
    test.statuses.assign(test.messages, WARPAES_OK);
    return test;
  }

  Case forgery_of(Case test, uint64_t victim, const char* what, const std::function<void(Case&)>& forge) {
    oracles_.encrypt(test);
    Case forged = decryption_of(test);
    forge(forged);
    forged.name += std::string(", ") + what;
    forged.statuses[victim] = WARPAES_ERROR_AUTHENTICATION;
    std::fill_n(forged.output.begin() + static_cast<ptrdiff_t>(victim * test.bytes), test.bytes, 0);
    return forged;
  }

  void visit_both_directions(const Case& encryption) {
    visit_(encryption);
    visit_(decryption_of(encryption));  // of CTR too: the same operation, on the ciphertext
  }

  Share& share_;
  const Visitor& visit_;
  const Oracles oracles_;
  std::mt19937_64 random_{38};
};

/// Around everything that an implementation may cut at: blocks, cache lines, warps (32 lanes), thread
/// blocks and grids of any power of two, chunks of a container.
std::set<uint64_t> boundary_lengths(uint64_t largest);

/// All that is only AEAD modes'.
void visit_aead_modes(Generator& generator, uint64_t largest);

}  // namespace warpaes::core::conformance
