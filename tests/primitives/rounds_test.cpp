// Single rounds and whole ciphers, both ways of writing them, against FIPS 197's examples.
#include <gtest/gtest.h>

#include <random>

#include "fips197_examples.hpp"
#include "primitives/fips197_rounds.hpp"
#include "primitives/hex.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core {
namespace {

using fips197::State;

State state_of(std::string_view digits) {
  const std::vector<uint8_t> bytes = bytes_of_hex(digits);
  State state{};
  std::copy(bytes.begin(), bytes.end(), state.begin());
  return state;
}

TTableState columns_of(const State& state) {
  return {load_le32(state.data()), load_le32(state.data() + 4), load_le32(state.data() + 8),
          load_le32(state.data() + 12)};
}

TEST(SBox, HasTheStandardsValues) {  // table 4 and the example of section 5.1.1
  EXPECT_EQ(kSBox[0x53], 0xed);
  EXPECT_EQ(kSBox[0x00], 0x63);
  EXPECT_EQ(kSBox[0x01], 0x7c);
  EXPECT_EQ(kSBox[0x9a], 0xb8);
  EXPECT_EQ(kSBox[0xff], 0x16);
  EXPECT_EQ(kInverseSBox[0x16], 0xff);
  for (int v = 0; v < 256; v++) EXPECT_EQ(kInverseSBox[kSBox[v]], v);
}

TEST(Rounds, EveryIntermediateStateOfAppendixB) {
  const KeySchedule schedule(bytes_of_hex(fips197_examples::kCipherKey));
  State state = state_of(fips197_examples::kCipherInput);
  fips197::add_round_key(state, schedule.encryption().word);
  for (int round = 1; round <= 10; round++) {
    SCOPED_TRACE(round);
    const auto& expected = fips197_examples::kCipherRounds[round - 1];
    EXPECT_EQ(hex_of_bytes(state), expected.start);
    fips197::sub_bytes(state);
    EXPECT_EQ(hex_of_bytes(state), expected.after_sub_bytes);
    fips197::shift_rows(state);
    EXPECT_EQ(hex_of_bytes(state), expected.after_shift_rows);
    if (round < 10) {
      fips197::mix_columns(state);
      EXPECT_EQ(hex_of_bytes(state), expected.after_mix_columns);
    }
    fips197::add_round_key(state, schedule.encryption().word + 4 * round);
  }
  EXPECT_EQ(hex_of_bytes(state), fips197_examples::kCipherOutput);
}

TEST(Rounds, InversesUndoAppendixB) {
  for (int round = 1; round < 10; round++) {
    SCOPED_TRACE(round);
    const auto& example = fips197_examples::kCipherRounds[round - 1];
    State state = state_of(example.after_mix_columns);
    fips197::inverse_mix_columns(state);
    EXPECT_EQ(hex_of_bytes(state), example.after_shift_rows);
    fips197::inverse_shift_rows(state);
    EXPECT_EQ(hex_of_bytes(state), example.after_sub_bytes);
    fips197::inverse_sub_bytes(state);
    EXPECT_EQ(hex_of_bytes(state), example.start);
  }
}

TEST(Rounds, EquivalentInverseRoundOfAppendixC1) {
  const auto& example = fips197_examples::kEquivalentInverseRound;
  const KeySchedule schedule(bytes_of_hex(fips197_examples::kVectors[0].key));
  State state = state_of(example.start);
  fips197::inverse_sub_bytes(state);
  EXPECT_EQ(hex_of_bytes(state), example.after_sub_bytes);
  fips197::inverse_shift_rows(state);
  EXPECT_EQ(hex_of_bytes(state), example.after_shift_rows);
  fips197::inverse_mix_columns(state);
  EXPECT_EQ(hex_of_bytes(state), example.after_mix_columns);
  fips197::add_round_key(state, schedule.decryption().word + 4);
  EXPECT_EQ(hex_of_bytes(state), example.next_start);

  const TTableState by_table =
      t_table_round(kTTableDecryption, columns_of(state_of(example.start)), schedule.decryption().word + 4);
  EXPECT_EQ(by_table, columns_of(state_of(example.next_start)));
}

TEST(Rounds, TTablesGiveTheRoundsOfAppendixB) {
  const KeySchedule schedule(bytes_of_hex(fips197_examples::kCipherKey));
  TTableState state = columns_of(state_of(fips197_examples::kCipherRounds[0].start));
  for (int round = 1; round < 10; round++) {
    state = t_table_round(kTTableEncryption, state, schedule.encryption().word + 4 * round);
    EXPECT_EQ(state, columns_of(state_of(fips197_examples::kCipherRounds[round].start))) << "round " << round;
  }
  state = t_table_last_round(kTTableEncryption, state, schedule.encryption().word + 40);
  EXPECT_EQ(state, columns_of(state_of(fips197_examples::kCipherOutput)));
}

/// EQINVCIPHER(), algorithm 4 of section 5.3.5: the order of the rounds that T-tables need.
void equivalent_decrypt(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  const uint32_t* const keys = schedule.decryption().word;
  State state{};
  std::copy_n(input, state.size(), state.begin());
  fips197::add_round_key(state, keys);
  for (int round = 1; round <= schedule.rounds(); round++) {
    fips197::inverse_sub_bytes(state);
    fips197::inverse_shift_rows(state);
    if (round < schedule.rounds()) fips197::inverse_mix_columns(state);
    fips197::add_round_key(state, keys + 4 * round);
  }
  std::copy(state.begin(), state.end(), output);
}

void t_table_encrypt(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), input, output);
}
void t_table_decrypt(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  t_table_block(kTTableDecryption, schedule.decryption(), schedule.rounds(), input, output);
}

struct Form {
  const char* name;
  void (*encrypt)(const KeySchedule&, const uint8_t*, uint8_t*);
  void (*decrypt)(const KeySchedule&, const uint8_t*, uint8_t*);
};
constexpr Form kForms[] = {
    {"FIPS 197 5.1 and 5.3", fips197::encrypt_block, fips197::decrypt_block},
    {"FIPS 197 5.3.5", fips197::encrypt_block, equivalent_decrypt},
    {"T-tables", t_table_encrypt, t_table_decrypt},
};

TEST(Ciphers, AppendixC) {
  for (const Form& form : kForms) {
    for (const auto& vector : fips197_examples::kVectors) {
      SCOPED_TRACE(std::string(form.name) + " " + std::string(vector.key));
      const KeySchedule schedule(bytes_of_hex(vector.key));
      State block = state_of(fips197_examples::kPlaintext);
      form.encrypt(schedule, block.data(), block.data());
      EXPECT_EQ(hex_of_bytes(block), vector.ciphertext);
      form.decrypt(schedule, block.data(), block.data());
      EXPECT_EQ(hex_of_bytes(block), fips197_examples::kPlaintext);
    }
  }
}

TEST(Ciphers, AllFormsAgreeOnRandomBlocks) {
  std::mt19937 random(20260101);
  const auto random_bytes = [&](size_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
  };
  for (int i = 0; i < 300; i++) {
    const KeySchedule schedule(random_bytes(16 + 8 * (i % 3)));
    const std::vector<uint8_t> plaintext = random_bytes(16);
    std::vector<uint8_t> first(16), other(16);
    kForms[0].encrypt(schedule, plaintext.data(), first.data());
    for (const Form& form : kForms) {
      form.encrypt(schedule, plaintext.data(), other.data());
      ASSERT_EQ(other, first) << form.name;
      form.decrypt(schedule, first.data(), other.data());
      ASSERT_EQ(other, plaintext) << form.name;
    }
  }
}

}  // namespace
}  // namespace warpaes::core
