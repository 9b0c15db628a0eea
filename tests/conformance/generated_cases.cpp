#include "generated_cases.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

#include "modes/modes.hpp"
#include "primitives/gf128.hpp"
#include "primitives/hex.hpp"
#include "primitives/key_schedule.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::conformance {
namespace {

constexpr int kKeyBits[] = {128, 192, 256};

/// Makes cases and passes them on, each in the shapes that follow from it.
class Generator {
 public:
  explicit Generator(const Visitor& visit) : visit_(visit) {}

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
    test.key = random((mode == Mode::xts ? 2 : 1) * key_bits / 8);
    test.bytes = bytes;
    test.unit_bytes = bytes;
    test.nonces = mode == Mode::ecb ? Bytes() : random(mode == Mode::gcm ? 12 : 16);
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
    oracles_.encrypt(test);
    for (const bool in_place : {false, true}) {
      test.layout.in_place = in_place;
      visit_both_directions(test);
    }
  }

  /// As its layout says.
  void visit_as_laid_out(Case test) {
    oracles_.encrypt(test);
    visit_both_directions(test);
  }

  /// Decryption with one thing changed, of message `victim`: it alone is refused and zeroed.
  void visit_forged(Case test, uint64_t victim, const char* what, const std::function<void(Case&)>& forge) {
    oracles_.encrypt(test);
    Case forged = decryption_of(test);
    forge(forged);
    forged.name += std::string(", ") + what;
    forged.statuses[victim] = WARPAES_ERROR_AUTHENTICATION;
    std::fill_n(forged.output.begin() + static_cast<ptrdiff_t>(victim * test.bytes), test.bytes, 0);
    for (const bool in_place : {false, true}) {
      forged.layout.in_place = in_place;
      visit_(forged);
    }
  }

 private:
  static Case decryption_of(const Case& encryption) {
    Case test = encryption;
    test.name += ", decrypt";
    test.direction = WARPAES_DECRYPT;
    std::swap(test.input, test.output);
    test.statuses.assign(test.messages, WARPAES_OK);
    return test;
  }

  void visit_both_directions(const Case& encryption) {
    visit_(encryption);
    visit_(decryption_of(encryption));  // of CTR too: the same operation, on the ciphertext
  }

  const Visitor& visit_;
  const Oracles oracles_;
  std::mt19937_64 random_{38};
};

/// Around everything that an implementation may cut at: blocks, cache lines, warps (32 lanes), thread
/// blocks and grids of any power of two, chunks of a container.
std::set<uint64_t> boundary_lengths(uint64_t largest) {
  std::set<uint64_t> lengths;
  for (uint64_t bytes = 0; bytes <= 80; bytes++) lengths.insert(bytes);
  const auto around = [&](uint64_t bytes) {
    for (const uint64_t length : {bytes - 16, bytes - 1, bytes, bytes + 1, bytes + 16})
      lengths.insert(length);
  };
  for (uint64_t bytes = 128; bytes <= 65536; bytes *= 2) around(bytes);
  for (const uint64_t blocks : {31, 33, 255, 257, 768, 1023}) around(16 * blocks);
  for (const uint64_t k : {3, 5, 9, 31, 33, 65}) around(512 * k);
  for (const uint64_t bytes : {262'144, 393'221, 1'048'583}) lengths.insert(bytes);
  lengths.insert(kLargestOnGpu);
  lengths.erase(lengths.upper_bound(largest), lengths.end());
  return lengths;
}

void visit_lengths(Generator& generator, uint64_t largest) {
  for (const uint64_t bytes : boundary_lengths(largest)) {
    for (const int key_bits : kKeyBits) {
      if (bytes % 16 == 0) generator.visit_all_shapes(generator.data_case(Mode::ecb, key_bits, bytes, ""));
      for (const Mode mode : {Mode::ctr, Mode::cfb, Mode::ofb}) {
        generator.visit_all_shapes(generator.data_case(mode, key_bits, bytes, ""));
      }
      if (bytes % 16 == 0) generator.visit_all_shapes(generator.data_case(Mode::cbc, key_bits, bytes, ""));
      if (bytes >= 16 && bytes <= kXtsMaxUnitBytes) {
        generator.visit_all_shapes(generator.data_case(Mode::xts, key_bits, bytes, ""));
      }
      Case test = generator.data_case(Mode::gcm, key_bits, bytes, "");
      generator.with_aad(test, bytes % 45, true);
      generator.visit_all_shapes(std::move(test));
    }
  }
  if (largest >= kLargestOnGpu) {  // whole blocks, which kLargestOnGpu is not
    for (const int key_bits : kKeyBits) {
      for (const Mode mode : {Mode::ecb, Mode::cbc}) {
        generator.visit_all_shapes(generator.data_case(mode, key_bits, kLargestOnGpu / 16 * 16, ""));
      }
    }
  }
}

void visit_alignments(Generator& generator) {
  for (const int key_bits : kKeyBits) {
    for (size_t input_offset = 0; input_offset < 16; input_offset++) {
      for (size_t output_offset = 0; output_offset < 16; output_offset++) {
        const std::string about =
            "input + " + std::to_string(input_offset) + ", output + " + std::to_string(output_offset);
        for (const Mode mode :
             {Mode::ecb, Mode::ctr, Mode::gcm, Mode::cbc, Mode::cfb, Mode::ofb, Mode::xts}) {
          const bool whole_blocks = mode == Mode::ecb || mode == Mode::cbc;
          Case test = generator.data_case(mode, key_bits, whole_blocks ? 1'040 : 1'047, about);
          if (mode == Mode::gcm) generator.with_aad(test, 37, true);
          test.layout.input_offset = input_offset;
          test.layout.output_offset = output_offset;
          generator.visit_as_laid_out(test);
          if (input_offset != output_offset) continue;
          test.layout.in_place = true;
          generator.visit_as_laid_out(std::move(test));
        }
      }
    }
  }
}

void visit_counters(Generator& generator) {
  for (const char* counter : {"00000000000000000000000000000000", "000000000000000000000000fffffff0",
                              "0000000000000000ffffffffffffffc0", "00000000fffffffffffffffffffffffe",
                              "ffffffffffffffffffffffffffffff00", "ffffffffffffffffffffffffffffffff"}) {
    for (const int key_bits : kKeyBits) {
      Case test = generator.data_case(Mode::ctr, key_bits, 20'003, std::string("counter ") + counter);
      test.nonces = bytes_of_hex(counter);
      generator.visit_all_shapes(std::move(test));
    }
  }
}

struct UnitShape {
  uint64_t unit_bytes, bytes;
};

/// Many data units a call: of one block, with tails, sectors with check bytes, of few and of many warps; the
/// last one shorter, with a tail or without; in numbers that leave some over, wherever units are counted.
constexpr UnitShape kUnitShapes[] = {
    {16, 16 * 100},          {17, 17 * 67},
    {31, 31 * 33 + 16},      {32, 32 * 129},
    {33, 33 * 65 + 20},      {48, 48 * 77},
    {80, 80 * 50 + 16},      {496, 496 * 9},
    {512, 512 * 65},         {512, 512 * 31 + 500},
    {513, 513 * 34},         {520, 520 * 67},
    {528, 528 * 37 + 33},    {1'040, 1'040 * 41},
    {4'096, 4'096 * 35},     {4'096, 4'096 * 33 + 16},
    {4'096, 4'096 + 4'095},  {4'104, 4'104 * 5},
    {4'160, 4'160 * 9 + 96}, {65'536, 65'536 * 3 + 1'000},
    {65'552, 65'552 * 2},    {100'000, 300'000},
    {4'096, 1'048'576},      {1'000'000, 1'048'583},
    {512, 4 << 20},          {4'096, (32 << 20) + 17},
    {16 << 20, 64 << 20},
};

void visit_data_units(Generator& generator, uint64_t largest) {
  for (const int key_bits : kKeyBits) {
    for (const UnitShape& shape : kUnitShapes) {
      if (shape.bytes > largest) continue;
      Case test = generator.data_case(Mode::xts, key_bits, shape.bytes,
                                      "data units of " + std::to_string(shape.unit_bytes));
      test.unit_bytes = shape.unit_bytes;
      generator.visit_all_shapes(std::move(test));
    }
    for (const char* tweak : {"00000000000000000000000000000000", "f0ffffffffffffff0000000000000000",
                              "f8ffffff000000000000000000000000", "fbffffffffffffffffffffffffffffff"}) {
      Case test = generator.data_case(Mode::xts, key_bits, 20'000, std::string("tweak ") + tweak);
      test.nonces = bytes_of_hex(tweak);
      test.unit_bytes = 512;
      generator.visit_all_shapes(std::move(test));
    }
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

void visit_nonces(Generator& generator) {
  for (const int key_bits : kKeyBits) {
    for (const size_t nonce_bytes :
         {1, 2, 8, 11, 13, 15, 16, 17, 31, 32, 33, 60, 64, 127, 128, 129, 200, 4096}) {
      Case test = generator.data_case(Mode::gcm, key_bits, 333, "nonce of " + std::to_string(nonce_bytes));
      test.nonces = generator.random(nonce_bytes);
      generator.visit_all_shapes(std::move(test));
    }
    // GCM counts in 32 bits and never carries into the rest.
    for (const char* counter : {"0102030405060708090a0b0cffffffff", "ffffffffffffffffffffffffffffff80",
                                "00000000000000000000000080000000"}) {
      Case test = generator.data_case(Mode::gcm, key_bits, 20'003, std::string("counter ") + counter);
      test.nonces = nonce_for_counter(test.key, bytes_of_hex(counter));
      generator.visit_all_shapes(std::move(test));
    }
  }
}

void visit_aad(Generator& generator) {
  for (const int key_bits : kKeyBits) {
    for (const uint64_t aad_bytes : {1, 15, 16, 17, 31, 32, 33, 255, 256, 257, 4'095, 4'096, 4'097, 70'001}) {
      for (const uint64_t bytes : {0, 1, 100}) {
        Case test = generator.data_case(Mode::gcm, key_bits, bytes, "AAD of " + std::to_string(aad_bytes));
        generator.with_aad(test, aad_bytes, true);
        generator.visit_all_shapes(std::move(test));
      }
    }
    for (size_t tag_bytes = 12; tag_bytes < 16; tag_bytes++) {
      Case test = generator.data_case(Mode::gcm, key_bits, 100, "tag of " + std::to_string(tag_bytes));
      test.tag_bytes = tag_bytes;
      generator.visit_all_shapes(std::move(test));
    }
  }
}

Case batch_case(Generator& generator, int key_bits, uint64_t messages, uint64_t bytes) {
  Case test = generator.data_case(Mode::gcm, key_bits, bytes, std::to_string(messages) + " messages");
  test.messages = messages;
  test.nonces = generator.random(12 * messages);
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

void visit_batches(Generator& generator) {
  for (const int key_bits : kKeyBits) {
    for (const BatchShape& shape : kBatchShapes) {
      Case test = batch_case(generator, key_bits, shape.messages, shape.bytes);
      generator.with_aad(test, shape.aad_bytes, shape.aad_shared);
      test.layout = shape.layout;
      generator.visit_as_laid_out(std::move(test));
    }
  }
}

void visit_forgeries(Generator& generator) {
  for (const int key_bits : kKeyBits) {
    for (const uint64_t bytes : {0, 1, 16, 100, 5'000}) {
      Case test = generator.data_case(Mode::gcm, key_bits, bytes, "");
      generator.with_aad(test, 20, true);
      generator.visit_forged(test, 0, "first tag bit", [](Case& forged) { forged.tags.front() ^= 0x80; });
      generator.visit_forged(test, 0, "last tag bit", [](Case& forged) { forged.tags.back() ^= 1; });
      generator.visit_forged(test, 0, "AAD bit", [](Case& forged) { forged.aad.back() ^= 1; });
      generator.visit_forged(test, 0, "nonce bit", [](Case& forged) { forged.nonces.front() ^= 1; });
      if (bytes == 0) continue;
      generator.visit_forged(test, 0, "data bit", [](Case& forged) { forged.input.back() ^= 1; });
    }
    for (const uint64_t victim : {0, 1, 40, 66}) {
      Case test = batch_case(generator, key_bits, 67, 300);
      test.tag_bytes = 13;
      generator.visit_forged(test, victim, ("tag " + std::to_string(victim)).c_str(),
                             [&](Case& forged) { forged.tags[13 * victim + 12] ^= 1; });
      generator.visit_forged(test, victim, ("data " + std::to_string(victim)).c_str(),
                             [&](Case& forged) { forged.input[300 * victim] ^= 1; });
    }
  }
}

}  // namespace

void visit_generated_cases(uint64_t largest, const Visitor& visit) {
  Generator generator(visit);
  visit_lengths(generator, largest);
  visit_alignments(generator);
  visit_counters(generator);
  visit_data_units(generator, largest);
  visit_nonces(generator);
  visit_aad(generator);
  visit_batches(generator);
  visit_forgeries(generator);
}

}  // namespace warpaes::conformance
