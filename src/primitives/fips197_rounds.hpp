// AES as FIPS 197 writes it, one function for each of its transformations, so that the intermediate
// states of its examples can be compared. It is slow, and the addresses of its look-ups depend on the key.
#pragma once

#include <array>
#include <cstdint>

#include "primitives/key_schedule.hpp"

namespace warpaes::core::fips197 {

/// Section 3.4: byte s[r, c] in row r, column c is state[r + 4 * c], the order of the input bytes.
using State = std::array<uint8_t, 16>;

void sub_bytes(State& state);                                   // 5.1.1
void shift_rows(State& state);                                  // 5.1.2
void mix_columns(State& state);                                 // 5.1.3
void add_round_key(State& state, const uint32_t round_key[4]);  // 5.1.4

void inverse_shift_rows(State& state);   // 5.3.1
void inverse_sub_bytes(State& state);    // 5.3.2
void inverse_mix_columns(State& state);  // 5.3.3

/// CIPHER(), algorithm 1 of section 5.1.
void encrypt_block(const KeySchedule& schedule, const uint8_t* input, uint8_t* output);

/// INVCIPHER(), algorithm 3 of section 5.3. It uses the encryption schedule, backwards.
void decrypt_block(const KeySchedule& schedule, const uint8_t* input, uint8_t* output);

}  // namespace warpaes::core::fips197
