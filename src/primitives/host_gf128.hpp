// GF(2^128) on the host: by the CPU's instruction for carry-less multiplication where it has one, which is
// looked up at run time, else as gf128.hpp has it in plain C++. Neither has a branch or an address that
// depends on data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "primitives/gf128.hpp"

namespace warpaes::core {

/// Powers of a hash key that a run over many blocks takes: so many blocks are multiplied side by side and
/// reduced together.
constexpr size_t kHashPowers = 8;

/// How a block's bytes are read: as GHASH's (gf128_from_block) or as POLYVAL's (little-endian).
enum class HashOrder { ghash, polyval };

struct HostGf128 {
  const char* name;
  size_t powers;  // how many of the powers run() reads: kHashPowers, or the key alone
  Gf128 (*multiply)(Gf128 a, Gf128 b);
  /// For each block x of the data: sum = (sum ^ x) * key.
  /// @param power power[i] is key^(i + 1)
  Gf128 (*run)(const Gf128Factor* power, Gf128 sum, const uint8_t* data, uint64_t blocks, HashOrder order);
};

/// The arithmetic in plain C++, for any machine.
extern const HostGf128 plain_gf128;
/// The arithmetic by the CPU's instructions; null if this CPU has none that are known here.
const HostGf128* instruction_gf128();
/// The fastest arithmetic that this CPU has.
const HostGf128& host_gf128();

/// value^exponent and 1/value (0 for 0), as gf128.hpp defines them.
Gf128 host_power(Gf128 value, uint64_t exponent);
Gf128 host_inverse(Gf128 value);

}  // namespace warpaes::core
