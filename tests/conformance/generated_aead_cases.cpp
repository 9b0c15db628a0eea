// Generated cases of the modes that encrypt and authenticate. All modes are treated alike; how they differ in
// nonces and tags is in mode_table.hpp.
#include <algorithm>

#include "case_generator.hpp"
#include "primitives/gf128.hpp"
#include "primitives/hex.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::conformance {
namespace {

/// A mode with the size of its keys.
struct KeyedMode {
  Mode mode;
  const ModeRow& row;
  int key_bits;
};

/// A message of a mode that chains is one lane's work on a GPU, which takes seconds for what a grid has done
/// in no time.
constexpr uint64_t kLargestInOneLane = uint64_t{4} << 20;

/// The longest nonce that leaves room for so many bytes: CCM's length has what the nonce leaves.
void with_nonce_for(Generator& generator, const KeyedMode& keyed, Case& test) {
  size_t nonce_bytes = test.nonces.size();
  while (test.bytes > keyed.row.most_bytes(nonce_bytes)) nonce_bytes--;
  if (nonce_bytes != test.nonces.size()) test.nonces = generator.random(nonce_bytes);
}

void visit_lengths(Generator& generator, const KeyedMode& keyed, uint64_t largest) {
  if (keyed.row.chains == Chains::always) largest = std::min(largest, kLargestInOneLane);
  for (const uint64_t bytes : boundary_lengths(largest)) {
    Case test = generator.data_case(keyed.mode, keyed.key_bits, bytes, "");
    with_nonce_for(generator, keyed, test);
    generator.with_aad(test, bytes % 45, true);
    generator.visit_all_shapes(std::move(test));
  }
}

/// The 16-byte nonce whose pre-counter block (SP 800-38D section 7.1 step 2) is the one given: GHASH of
/// one block and the lengths is (nonce * H + lengths) * H, and that can be solved.
Bytes nonce_for_counter(const Bytes& key, const Bytes& counter) {
  const KeySchedule schedule(key);
  uint8_t block[16] = {};
  t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), block, block);
  const Gf128 inverse = gf128_inverse(ghash_key(gf128_from_block(block)));
  const Gf128 inner = gf128_multiply(gf128_from_block(counter.data()), inverse) ^ ghash_lengths(0, 16);
  Bytes nonce(16);
  gf128_to_block(gf128_multiply(inner, inverse), nonce.data());
  return nonce;
}

/// GCM counts in 32 bits and never carries into the rest.
void visit_gcm_counters(Generator& generator, int key_bits) {
  for (const char* counter : {"0102030405060708090a0b0cffffffff", "ffffffffffffffffffffffffffffff80",
                              "00000000000000000000000080000000"}) {
    Case test = generator.data_case(Mode::gcm, key_bits, 20'003, std::string("counter ") + counter);
    test.nonces = nonce_for_counter(test.key, bytes_of_hex(counter));
    generator.visit_all_shapes(std::move(test));
  }
}

/// OCB3 shifts by the last six bits of the nonce (RFC 7253 section 4.2).
void visit_ocb3_shifts(Generator& generator, int key_bits) {
  for (uint8_t bottom = 0; bottom < 64; bottom++) {
    Case test = generator.data_case(Mode::ocb3, key_bits, 40, "shift by " + std::to_string(bottom));
    test.nonces.back() = static_cast<uint8_t>(0x80 | bottom);
    generator.visit_as_laid_out(std::move(test));
  }
}

void visit_nonces(Generator& generator, const KeyedMode& keyed) {
  for (const size_t nonce_bytes :
       {1, 2, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 60, 64, 127, 128, 129, 200, 4096}) {
    if (nonce_bytes < keyed.row.shortest_nonce || nonce_bytes > keyed.row.longest_nonce) continue;
    Case test =
        generator.data_case(keyed.mode, keyed.key_bits, 333, "nonce of " + std::to_string(nonce_bytes));
    test.nonces = generator.random(nonce_bytes);
    generator.visit_all_shapes(std::move(test));
  }
  if (keyed.mode == Mode::gcm) visit_gcm_counters(generator, keyed.key_bits);
  if (keyed.mode == Mode::ocb3) visit_ocb3_shifts(generator, keyed.key_bits);
  if (keyed.mode == Mode::ccm) {  // as long as a length of two bytes can say
    Case test = generator.data_case(keyed.mode, keyed.key_bits, 65'535, "nonce of 13");
    test.nonces = generator.random(13);
    generator.visit_all_shapes(std::move(test));
  }
}

/// Among the lengths are those around where CCM writes them in another way (SP 800-38C appendix A.2.2).
void visit_aad(Generator& generator, const KeyedMode& keyed) {
  for (const uint64_t aad_bytes :
       {1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 4'095, 4'096, 4'097, 65'279, 65'280, 65'281, 70'001}) {
    for (const uint64_t bytes : {0, 1, 100}) {
      Case test =
          generator.data_case(keyed.mode, keyed.key_bits, bytes, "AAD of " + std::to_string(aad_bytes));
      generator.with_aad(test, aad_bytes, true);
      generator.visit_all_shapes(std::move(test));
    }
  }
  for (size_t tag_bytes = 1; tag_bytes < 16; tag_bytes++) {
    if ((keyed.row.tag_lengths >> tag_bytes & 1) == 0) continue;
    Case test = generator.data_case(keyed.mode, keyed.key_bits, 100, "tag of " + std::to_string(tag_bytes));
    test.tag_bytes = tag_bytes;
    generator.visit_all_shapes(std::move(test));
  }
}

Case batch_case(Generator& generator, const KeyedMode& keyed, uint64_t messages, uint64_t bytes) {
  Case test = generator.data_case(keyed.mode, keyed.key_bits, bytes, std::to_string(messages) + " messages");
  test.messages = messages;
  test.nonce_bytes = keyed.row.recommended_nonce != 0 ? keyed.row.recommended_nonce : 12;
  test.nonces = generator.random(test.nonce_bytes * messages);
  test.input = generator.random(bytes * messages);
  return test;
}

struct BatchShape {
  uint64_t messages, bytes, aad_bytes;
  bool aad_shared;
  Layout layout;
};

constexpr BatchShape kBatchShapes[] = {
    {0, 16, 0, true, {}},
    {2, 0, 0, true, {}},
    {3, 0, 20, false, {}},
    {2, 1, 0, true, {1, 2, false, 0, false}},
    {33, 15, 13, true, {0, 0, false, 1, false}},
    {31, 16, 0, true, {0, 0, true, 0, false}},
    {32, 17, 16, false, {3, 5, false, 7, false}},
    {129, 100, 5, false, {0, 0, true, 12, false}},
    {64, 512, 0, true, {0, 0, false, 0, true}},
    {7, 4'099, 21, false, {9, 1, false, 3, true}},
    {17, 16'384, 0, true, {0, 0, false, 0, true}},
    {17, 16'384, 0, true, {0, 0, true, 0, true}},
    {3, 100'003, 33, true, {0, 8, false, 5, false}},
    {1'000, 33, 12, false, {0, 0, false, 0, false}},
};

void visit_batches(Generator& generator, const KeyedMode& keyed) {
  for (const BatchShape& shape : kBatchShapes) {
    Case test = batch_case(generator, keyed, shape.messages, shape.bytes);
    generator.with_aad(test, shape.aad_bytes, shape.aad_shared);
    test.layout = shape.layout;
    generator.visit_as_laid_out(std::move(test));
  }
}

void visit_forgeries(Generator& generator, const KeyedMode& keyed) {
  for (const uint64_t bytes : {0, 1, 16, 100, 5'000}) {
    Case test = generator.data_case(keyed.mode, keyed.key_bits, bytes, "");
    generator.with_aad(test, 20, true);
    generator.visit_forged(test, 0, "first tag bit", [](Case& forged) { forged.tags.front() ^= 0x80; });
    generator.visit_forged(test, 0, "last tag bit", [](Case& forged) { forged.tags.back() ^= 1; });
    generator.visit_forged(test, 0, "AAD bit", [](Case& forged) { forged.aad.back() ^= 1; });
    if (test.nonces.empty()) test.nonces = generator.random(12);  // SIV recommends none
    generator.visit_forged(test, 0, "nonce bit", [](Case& forged) { forged.nonces.front() ^= 1; });
    if (bytes == 0) continue;
    generator.visit_forged(test, 0, "data bit", [](Case& forged) { forged.input.back() ^= 1; });
  }
  for (const uint64_t victim : {0, 1, 40, 66}) {
    Case test = batch_case(generator, keyed, 67, 300);
    const size_t tag_bytes = (keyed.row.tag_lengths >> 12 & 1) != 0 ? 12 : 16;
    test.tag_bytes = tag_bytes;
    generator.visit_forged(test, victim, ("tag " + std::to_string(victim)).c_str(),
                           [&](Case& forged) { forged.tags[tag_bytes * (victim + 1) - 1] ^= 1; });
    generator.visit_forged(test, victim, ("data " + std::to_string(victim)).c_str(),
                           [&](Case& forged) { forged.input[300 * victim] ^= 1; });
  }
}

}  // namespace

void visit_aead_modes(Generator& generator, uint64_t largest) {
  for (const AeadMode& mode : kAeadModes) {
    for (const int key_bits : kKeyBits) {
      const KeyedMode keyed{mode.mode, mode_row(mode.aead), key_bits};
      if (key_bits == 192 && !keyed.row.has_192_bits()) continue;
      visit_lengths(generator, keyed, largest);
      visit_nonces(generator, keyed);
      visit_aad(generator, keyed);
      visit_batches(generator, keyed);
      visit_forgeries(generator, keyed);
    }
  }
}

}  // namespace warpaes::core::conformance
