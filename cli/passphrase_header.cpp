#include "passphrase_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "warpaes/kdf.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kNameBytes = 16, kCostsAt = 16, kReservedAt = 28, kSaltAt = 32;

using Costs = std::array<uint32_t, 3>;
using Bytes = std::span<const uint8_t>;

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

void derive_by_scrypt(Bytes passphrase, Bytes salt, const Costs& costs, std::span<uint8_t> key) {
  warpaes::scrypt(passphrase, salt, {.cost = costs[0], .block_size = costs[1], .lanes = costs[2]}, key);
}

void derive_by_argon2id(Bytes passphrase, Bytes salt, const Costs& costs, std::span<uint8_t> key) {
  warpaes::argon2id(passphrase, salt, {.iterations = costs[0], .memory_kib = costs[1], .lanes = costs[2]},
                    key);
}

struct FunctionRow {
  PassphraseFunction function;
  std::string_view name;  // what a file begins with
  Costs usual;
  Request (*request)(const Costs& costs);
  void (*derive)(Bytes passphrase, Bytes salt, const Costs& costs, std::span<uint8_t> key);
};

constexpr FunctionRow kPassphraseFunctions[] = {
    // 128 MiB; N = 2^17, r = 8, p = 1.
    {PassphraseFunction::scrypt, "warpaes.scrypt.1", {1 << 17, 8, 1}, scrypt_request, derive_by_scrypt},
    // RFC 9106 section 4, the second choice: 3 passes, 64 MiB, 4 lanes.
    {PassphraseFunction::argon2id, "warpaes.argon2id", {3, 1 << 16, 4}, argon2id_request, derive_by_argon2id},
};

const FunctionRow& row_of(PassphraseFunction function) {
  return *std::ranges::find(kPassphraseFunctions, function, &FunctionRow::function);
}

/// Big-endian numbers of 32 bits.
Costs costs_in(Bytes header) {
  Costs costs = {};
  for (size_t i = 0; i < 4 * costs.size(); i++) costs[i / 4] = costs[i / 4] << 8 | header[kCostsAt + i];
  return costs;
}

void require_bearable(const FunctionRow& row, Bytes header) {
  const Request request = row.request(costs_in(header));
  const Bytes reserved = header.subspan(kReservedAt, kSaltAt - kReservedAt);
  const bool is_reserved = std::ranges::all_of(reserved, [](uint8_t byte) { return byte == 0; });
  if (!request.makes_sense || !is_reserved) {
    throw Error(WARPAES_ERROR_LENGTH,
                "what it says about its passphrase makes no sense: it is damaged, or "
                "of a newer version");
  }
  if (request.memory > kMostMemory || request.takes_too_long) {
    throw Error(WARPAES_ERROR_LENGTH,
                fmt::format("to make its key of a passphrase would take {} MiB of memory{}: more than any "
                            "file of warpaes does",
                            request.memory >> 20, request.takes_too_long ? " and very long" : ""));
  }
}

}  // namespace

PassphraseHeader PassphraseHeader::fresh(PassphraseFunction function) {
  const FunctionRow& row = row_of(function);
  PassphraseHeader header;
  header.function_ = function;
  std::ranges::copy(row.name, header.bytes_.begin());
  for (size_t i = 0; i < 4 * row.usual.size(); i++) {
    header.bytes_[kCostsAt + i] = static_cast<uint8_t>(row.usual[i / 4] >> (24 - 8 * (i % 4)));
  }
  warpaes::random(std::span(header.bytes_).subspan(kSaltAt));
  return header;
}

bool PassphraseHeader::is_one(std::span<const uint8_t> beginning) {
  return beginning.size() >= kPassphraseHeaderBytes &&
         std::ranges::any_of(kPassphraseFunctions, [&](const FunctionRow& row) {
           return std::ranges::equal(row.name, beginning.first(kNameBytes));
         });
}

std::optional<PassphraseHeader> PassphraseHeader::read(std::span<const uint8_t> beginning) {
  if (beginning.size() < kPassphraseHeaderBytes) return std::nullopt;
  for (const FunctionRow& row : kPassphraseFunctions) {
    if (!std::ranges::equal(row.name, beginning.first(kNameBytes))) continue;
    PassphraseHeader header;
    header.function_ = row.function;
    std::ranges::copy(beginning.first(kPassphraseHeaderBytes), header.bytes_.begin());
    require_bearable(row, header.bytes_);
    return header;
  }
  return std::nullopt;
}

void PassphraseHeader::derive_key(std::span<const uint8_t> passphrase, std::span<uint8_t, 32> key) const {
  const Bytes header(bytes_);
  row_of(function_).derive(passphrase, header.subspan(kSaltAt), costs_in(header), key);
}

}  // namespace warpaes::cli
