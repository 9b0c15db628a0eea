#include "primitives/fips197_rounds.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "primitives/sbox.hpp"

namespace warpaes::core::fips197 {
namespace {

void substitute(State& state, const std::array<uint8_t, 256>& box) {
  for (uint8_t& byte : state) byte = box[byte];
}

/// Row r of the result takes its bytes `r * columns` columns further right.
void rotate_rows(State& state, unsigned columns) {
  const State before = state;
  for (unsigned row = 0; row < 4; row++) {
    for (unsigned column = 0; column < 4; column++) {
      state[row + 4 * column] = before[row + 4 * ((column + row * columns) % 4)];
    }
  }
}

/// The products of all bytes with one factor.
template <uint8_t kFactor>
constexpr std::array<uint8_t, 256> kProducts = [] {
  std::array<uint8_t, 256> products{};
  for (int byte = 0; byte < 256; byte++) products[byte] = gf256_multiply(static_cast<uint8_t>(byte), kFactor);
  return products;
}();

/// Multiplies every column by the circulant matrix whose first row is given, in GF(2^8).
template <uint8_t kFirst, uint8_t kSecond, uint8_t kThird, uint8_t kFourth>
void multiply_columns(State& state) {
  for (uint8_t* column = state.data(); column != state.data() + state.size(); column += 4) {
    const uint8_t before[] = {column[0], column[1], column[2], column[3]};
    for (unsigned row = 0; row < 4; row++) {
      column[row] = kProducts<kFirst>[before[row]] ^ kProducts<kSecond>[before[(row + 1) % 4]] ^
                    kProducts<kThird>[before[(row + 2) % 4]] ^ kProducts<kFourth>[before[(row + 3) % 4]];
    }
  }
}

State load(const uint8_t* input) {
  State state;
  std::copy_n(input, state.size(), state.begin());
  return state;
}

void store_and_wipe(State& state, uint8_t* output) {
  std::copy(state.begin(), state.end(), output);
  OPENSSL_cleanse(state.data(), state.size());
}

}  // namespace

void sub_bytes(State& state) { substitute(state, kSBox); }
void inverse_sub_bytes(State& state) { substitute(state, kInverseSBox); }

void shift_rows(State& state) { rotate_rows(state, 1); }
void inverse_shift_rows(State& state) { rotate_rows(state, 3); }

void mix_columns(State& state) { multiply_columns<2, 3, 1, 1>(state); }
void inverse_mix_columns(State& state) { multiply_columns<14, 11, 13, 9>(state); }

void add_round_key(State& state, const uint32_t round_key[4]) {
  for (int i = 0; i < 16; i++) state[i] ^= static_cast<uint8_t>(round_key[i / 4] >> (8 * (i % 4)));
}

void encrypt_block(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  const uint32_t* const keys = schedule.encryption().word;
  const int rounds = schedule.rounds();
  State state = load(input);
  add_round_key(state, keys);
  for (int round = 1; round < rounds; round++) {
    sub_bytes(state);
    shift_rows(state);
    mix_columns(state);
    add_round_key(state, keys + 4 * round);
  }
  sub_bytes(state);
  shift_rows(state);
  add_round_key(state, keys + 4 * rounds);
  store_and_wipe(state, output);
}

void decrypt_block(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  const uint32_t* const keys = schedule.encryption().word;
  const int rounds = schedule.rounds();
  State state = load(input);
  add_round_key(state, keys + 4 * rounds);
  for (int round = rounds - 1; round > 0; round--) {
    inverse_shift_rows(state);
    inverse_sub_bytes(state);
    add_round_key(state, keys + 4 * round);
    inverse_mix_columns(state);
  }
  inverse_shift_rows(state);
  inverse_sub_bytes(state);
  add_round_key(state, keys);
  store_and_wipe(state, output);
}

}  // namespace warpaes::core::fips197
