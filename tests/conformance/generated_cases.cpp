#include "generated_cases.hpp"

#include "case_generator.hpp"
#include "modes/modes.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::conformance {

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

namespace {

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
        for (const Mode mode : {Mode::ecb, Mode::ctr, Mode::gcm, Mode::cbc, Mode::cfb, Mode::ofb, Mode::xts,
                                Mode::gcm_siv, Mode::ccm, Mode::eax, Mode::ocb3, Mode::siv}) {
          if (mode == Mode::gcm_siv && key_bits == 192) continue;
          const bool whole_blocks = mode == Mode::ecb || mode == Mode::cbc;
          Case test = generator.data_case(mode, key_bits, whole_blocks ? 1'040 : 1'047, about);
          if (is_aead(mode)) generator.with_aad(test, 37, true);
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

}  // namespace

void visit_generated_cases(uint64_t largest, Share& share, const Visitor& visit) {
  Generator generator(share, visit);
  visit_lengths(generator, largest);
  visit_alignments(generator);
  visit_counters(generator);
  visit_data_units(generator, largest);
  visit_aead_modes(generator, largest);
}

}  // namespace warpaes::core::conformance
