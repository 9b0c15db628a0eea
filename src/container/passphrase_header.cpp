#include "container/passphrase_header.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "derivation/derivation.hpp"
#include "failure.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core::cobblestone {
namespace {

constexpr size_t kNameBytes = 16, kCostsAt = 16, kReservedAt = 28, kSaltAt = 32;

using Costs = std::array<uint32_t, 3>;

/// The most that is accepted from a file: 16 times the usual work of scrypt, 21 times that of Argon2id.
constexpr uint64_t kMostMemory = uint64_t{1} << 30;
constexpr uint64_t kMostScryptWork = uint64_t{1} << 24;    // N * r * p
constexpr uint64_t kMostArgon2idWork = uint64_t{1} << 22;  // KiB that are filled, in all passes
constexpr uint32_t kMostLanes = 64;

struct Request {
  bool makes_sense;
  uint64_t memory;  // bytes
  bool takes_too_long;
};

Request scrypt_request(const Costs& costs) {
  const uint64_t n = costs[0], r = costs[1], p = costs[2];
  const bool is_cost = n >= 2 && std::has_single_bit(n) && (r > 1 || n < 1 << 16);  // N < 2^(16 r): RFC 7914
  const bool makes_sense = is_cost && r >= 1 && p >= 1 && p <= kMostLanes && r <= 1024;
  if (!makes_sense) return {false, 0, false};
  return {true, 128 * r * (n + p), n * r * p > kMostScryptWork};
}

Request argon2id_request(const Costs& costs) {
  const uint64_t iterations = costs[0], kib = costs[1], lanes = costs[2];
  const bool makes_sense = iterations >= 1 && lanes >= 1 && lanes <= kMostLanes && kib >= 8 * lanes;
  return {makes_sense, kib << 10, iterations * kib > kMostArgon2idWork};
}

void derive_by_scrypt(InputBytes passphrase, InputBytes salt, const Costs& costs, std::span<uint8_t> key) {
  scrypt(passphrase, salt, {.n = costs[0], .r = costs[1], .p = costs[2]}, key);
}

void derive_by_argon2id(InputBytes passphrase, InputBytes salt, const Costs& costs, std::span<uint8_t> key) {
  argon2id(passphrase, salt, {}, {}, {.iterations = costs[0], .memory_kib = costs[1], .lanes = costs[2]},
           key);
}

struct FunctionRow {
  warpaes_kdf_algorithm function;
  std::string_view name;  // what a file begins with
  Costs usual;
  Request (*request)(const Costs& costs);
  void (*derive)(InputBytes passphrase, InputBytes salt, const Costs& costs, std::span<uint8_t> key);
};

constexpr FunctionRow kFunctions[] = {
    // 128 MiB; N = 2^17, r = 8, p = 1.
    {WARPAES_KDF_SCRYPT, "warpaes.scrypt.1", {1 << 17, 8, 1}, scrypt_request, derive_by_scrypt},
    // RFC 9106 section 4, the second choice: 3 passes, 64 MiB, 4 lanes.
    {WARPAES_KDF_ARGON2ID, "warpaes.argon2id", {3, 1 << 16, 4}, argon2id_request, derive_by_argon2id},
};

const FunctionRow& row_of(warpaes_kdf_algorithm function) {
  const auto* const row = std::ranges::find(kFunctions, function, &FunctionRow::function);
  if (row != std::end(kFunctions)) return *row;
  throw Failure(
      WARPAES_ERROR_OPTION,
      "a container's key is made of a passphrase by scrypt or argon2id, and the algorithm is neither");
}

Costs costs_in(InputBytes header) {
  Costs costs = {};
  for (size_t i = 0; i < costs.size(); i++) costs[i] = load_be32(header.data() + kCostsAt + 4 * i);
  return costs;
}

}  // namespace

PassphraseHeader PassphraseHeader::fresh(warpaes_kdf_algorithm function) {
  const FunctionRow& row = row_of(function);
  PassphraseHeader header;
  header.function_ = function;
  std::ranges::copy(row.name, header.bytes_.begin());
  for (size_t i = 0; i < row.usual.size(); i++) {
    store_be32(header.bytes_.data() + kCostsAt + 4 * i, row.usual[i]);
  }
  random_public(std::span(header.bytes_).subspan(kSaltAt));
  return header;
}

std::optional<PassphraseHeader> PassphraseHeader::at(std::span<const uint8_t> beginning) {
  PassphraseHeader header;
  if (beginning.size() < header.bytes_.size()) return std::nullopt;
  for (const FunctionRow& row : kFunctions) {
    if (!std::ranges::equal(row.name, beginning.first(kNameBytes))) continue;
    header.function_ = row.function;
    std::ranges::copy(beginning.first(header.bytes_.size()), header.bytes_.begin());
    return header;
  }
  return std::nullopt;
}

void PassphraseHeader::require_bearable() const {
  const Request request = row_of(function_).request(costs_in(bytes_));
  const InputBytes reserved = bytes().subspan(kReservedAt, kSaltAt - kReservedAt);
  const bool is_reserved = std::ranges::all_of(reserved, [](uint8_t byte) { return byte == 0; });
  if (!request.makes_sense || !is_reserved) {
    throw Failure(
        WARPAES_ERROR_OPTION,
        "what the file says about its passphrase makes no sense: it is damaged, or of a newer version");
  }
  if (request.memory > kMostMemory || request.takes_too_long) {
    throw Failure(WARPAES_ERROR_OPTION,
                  "to make the file's key of a passphrase would take {} MiB of memory{}: more than any "
                  "file of warpaes does",
                  request.memory >> 20, request.takes_too_long ? " and very long" : "");
  }
}

void PassphraseHeader::derive_key(std::span<const uint8_t> passphrase, std::span<uint8_t> key) const {
  row_of(function_).derive(passphrase, bytes().subspan(kSaltAt), costs_in(bytes_), key);
}

}  // namespace warpaes::core::cobblestone
