// ECB, XTS, and the decryption of CBC and CFB, of messages that begin at no multiple of 16, on the emulated
// GPU: every address modulo 16, and lengths about those of rows and runs.
#include <gtest/gtest.h>

#include "emulated_engines.hpp"
#include "memory_rows.hpp"
#include "modes/modes.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Work = void (*)(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output,
                      size_t bytes);

/// A message of a mode.
struct Form {
  const char* name;
  size_t multiple;    // that lengths are of
  size_t unit_bytes;  // of XTS: the last data unit has at least 16 bytes. 0: one unit
  Work run;           // by the engine's own function, which takes it as it is
  Work by_mode;       // by the mode, which composes it for engines that have no such function

  /// @return a length that the form has, at most `bytes`
  size_t length(size_t bytes) const {
    bytes -= bytes % multiple;
    const size_t left = unit_bytes == 0 ? bytes : bytes % unit_bytes;
    return left < 16 ? bytes - left : bytes;
  }
};

const Bytes kIv{9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};

template <Engine::Unchain Engine::* Function>
void unchain(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output, size_t bytes) {
  Bytes workspace(engine.unchain_workspace_bytes(bytes));
  (engine.*Function)(keys.data, {kIv.data(), input, output, bytes}, workspace.data(), nullptr);
}

template <auto Mode>
void unchain_by_mode(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output,
                     size_t bytes) {
  Mode(engine, keys.data, WARPAES_DIRECTION_DECRYPT, {kIv.data(), input, output, bytes}, nullptr, 0, nullptr);
}

template <decltype(Engine::encrypt_blocks) Engine::* Function>
void blocks(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output, size_t bytes) {
  (engine.*Function)(keys.data, {input, output, bytes}, nullptr);
}

template <Direction Way>
void blocks_by_mode(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output,
                    size_t bytes) {
  ecb(engine, keys.data, Way, {input, output, bytes}, nullptr);
}

template <size_t UnitBytes>
XtsRun units(const uint8_t* input, uint8_t* output, size_t bytes) {
  return {kIv.data(), UnitBytes == 0 ? bytes : UnitBytes, input, output, bytes};
}

template <Direction Way, size_t UnitBytes>
void own_xts(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output, size_t bytes) {
  engine.xts(keys, Way, units<UnitBytes>(input, output, bytes), nullptr);
}

template <Direction Way, size_t UnitBytes>
void xts_by_mode(const Engine& engine, const XtsKeys& keys, const uint8_t* input, uint8_t* output,
                 size_t bytes) {
  xts(engine, keys, Way, units<UnitBytes>(input, output, bytes), nullptr);
}

template <Direction Way, size_t UnitBytes>
constexpr Form xts_form(const char* name) {
  return {name, 1, UnitBytes, own_xts<Way, UnitBytes>, xts_by_mode<Way, UnitBytes>};
}

constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

constexpr Form kForms[] = {
    {"ecb_encryption", 16, 0, blocks<&Engine::encrypt_blocks>, blocks_by_mode<kEncrypt>},
    {"ecb_decryption", 16, 0, blocks<&Engine::decrypt_blocks>, blocks_by_mode<kDecrypt>},
    {"cbc_decryption", 16, 0, unchain<&Engine::cbc_decrypt>, unchain_by_mode<cbc>},
    {"cfb_decryption", 1, 0, unchain<&Engine::cfb_decrypt>, unchain_by_mode<cfb>},
    xts_form<kEncrypt, 0>("xts_of_one_unit_encryption"),
    xts_form<kDecrypt, 0>("xts_of_one_unit_decryption"),
    xts_form<kEncrypt, 512>("xts_of_512_bytes"),
    xts_form<kDecrypt, 48>("xts_of_48_bytes"),
    xts_form<kEncrypt, 520>("xts_of_520_bytes"),
    xts_form<kDecrypt, 8208>("xts_of_8208_bytes"),
};

class ShiftedBlocks : public ::testing::TestWithParam<std::tuple<const Engine*, Form>> {
 protected:
  static const Engine& engine() { return *std::get<0>(GetParam()); }
  static const Form& form() { return std::get<1>(GetParam()); }

  /// Compares with what OpenSSL makes.
  void expect_right(size_t bytes, size_t input_offset, size_t output_offset, bool in_place) {
    SCOPED_TRACE(testing::Message() << bytes << " bytes from " << input_offset << " to " << output_offset
                                    << (in_place ? " in place" : ""));
    key_bytes_ = key_bytes_ == 32 ? 16 : key_bytes_ + 8;
    const Bytes data_key = random_bytes(random_, key_bytes_), tweak_key = random_bytes(random_, key_bytes_);
    const Bytes text = random_bytes(random_, bytes);
    Bytes expected(bytes);
    run(form().by_mode, engine_named("openssl"), data_key, tweak_key, text.data(), expected.data(), bytes);

    const MemoryRows input(input_offset, 1, bytes, 0), apart(output_offset, 1, bytes, 0);
    const MemoryRows& output = in_place ? input : apart;
    std::ranges::copy(text, input.data());
    run(form().run, engine(), data_key, tweak_key, input.data(), output.data(), bytes);
    EXPECT_TRUE(output.copy(0) == expected);
    EXPECT_TRUE(output.has_only_rows());
  }

 private:
  static void run(Work by, const Engine& engine, const Bytes& data_key, const Bytes& tweak_key,
                  const uint8_t* input, uint8_t* output, size_t bytes) {
    const auto data = engine.prepare(KeySchedule(data_key), 0),
               tweak = engine.prepare(KeySchedule(tweak_key), 0);
    by(engine, {*data, *tweak, static_cast<int>(8 * data_key.size())}, input, output, bytes);
  }

  std::mt19937_64 random_{3};
  size_t key_bytes_ = 32;
};

TEST_P(ShiftedBlocks, EveryAddressIsRight) {
  for (size_t input_offset = 0; input_offset < 16; input_offset++) {
    for (const size_t output_offset : {size_t{0}, (5 * input_offset + 3) % 16, input_offset}) {
      const size_t about = 1'700 + 97 * input_offset + 211 * output_offset;
      expect_right(form().length(about), input_offset, output_offset, false);
    }
    expect_right(form().length(2'064), input_offset, 0, true);
  }
}

/// A row has 512 bytes. Runs are as long as they must be for all warps to have one.
TEST_P(ShiftedBlocks, EveryLengthIsRight) {
  for (const size_t rows : {0u, 1u, 2u, 3u, 4u, 17u, 130u}) {
    for (const size_t more : {1u, 5u, 16u, 17u, 31u, 32u, 256u, 480u, 495u, 496u, 511u, 512u}) {
      const size_t bytes = form().length(512 * rows + more);
      if (bytes == 0) continue;
      expect_right(bytes, 1 + more % 15, more % 16, more % 2 != 0);
      expect_right(bytes, 0, 0, false);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, ShiftedBlocks,
                         ::testing::Combine(::testing::ValuesIn(emulated_engines()),
                                            ::testing::ValuesIn(kForms)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)->kernel) + "_" +
                                  std::get<1>(test.param).name;
                         });

}  // namespace
}  // namespace warpaes::core
