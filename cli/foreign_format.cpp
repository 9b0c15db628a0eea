#include "foreign_format.hpp"

#include <algorithm>
#include <string_view>

namespace warpaes::core::cli {
namespace {

struct ForeignRow {
  std::string_view begins;
  ForeignFormat format;
};

constexpr ForeignFormat kAge = {"an age file", "`age -d` opens it"};
constexpr ForeignFormat kGpg = {"an OpenPGP file", "`gpg -d` opens it"};
constexpr ForeignFormat kZip = {"a zip archive", "`unzip` opens it"};
constexpr ForeignFormat kOpenssl = {"a file of `openssl enc`", "`openssl enc -d` opens it"};

constexpr ForeignRow kForeignTable[] = {
    {"age-encryption.org/", kAge},    {"-----BEGIN AGE ENCRYPTED FILE", kAge},
    {"-----BEGIN PGP MESSAGE", kGpg}, {{"PK\x03\x04", 4}, kZip},
    {"Salted__", kOpenssl},           {"U2FsdGVkX1", kOpenssl},  // the same by base64
};

struct Packet {
  unsigned type = 0;
  std::span<const uint8_t> body = {};
};

/// The header of an OpenPGP packet, RFC 9580 section 4.2; type 0 if it is none.
Packet packet_in(std::span<const uint8_t> bytes) {
  if (bytes.size() < 6 || (bytes[0] & 0x80) == 0) return {};
  if ((bytes[0] & 0x40) == 0) {  // section 4.2.2: lengths of 1, 2 or 4 octets, or none
    constexpr size_t kOctets[] = {1, 2, 4, 0};
    return {bytes[0] >> 2 & 15U, bytes.subspan(1 + kOctets[bytes[0] & 3])};
  }
  const size_t octets = bytes[1] < 192 || (bytes[1] >= 224 && bytes[1] < 255) ? 1 : bytes[1] == 255 ? 5 : 2;
  return {bytes[0] & 63U, bytes.subspan(1 + octets)};
}

/// Does the file begin with a session key, encrypted by a public key (section 5.1) or a passphrase (section
/// 5.3)? Octets that only few values fit are looked at, since other files begin with random bytes.
bool is_openpgp(std::span<const uint8_t> beginning) {
  constexpr unsigned kByPublicKey = 1, kByPassphrase = 3;
  constexpr size_t kNeeded = 10;
  const Packet packet = packet_in(beginning);
  if (packet.body.size() < kNeeded) return false;
  const uint8_t version = packet.body[0], ciphers = 13;  // section 9.3: the last one has this number
  const auto is_algorithm = [](uint8_t number) {         // section 9.1: those that encrypt
    constexpr uint8_t kAlgorithms[] = {1, 2, 16, 18, 20, 25, 26};
    return std::ranges::find(kAlgorithms, number) != std::end(kAlgorithms);
  };
  if (packet.type == kByPublicKey) return version == 3 && is_algorithm(packet.body[9]);
  return packet.type == kByPassphrase && (version == 4 || version == 5) && packet.body[1] <= ciphers &&
         packet.body[2] <= 4;  // section 3.7.1: how the passphrase becomes a key
}

}  // namespace

const ForeignFormat* foreign_format(std::span<const uint8_t> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const auto* const row =
      std::ranges::find_if(kForeignTable, [&](const ForeignRow& r) { return text.starts_with(r.begins); });
  if (row != std::end(kForeignTable)) return &row->format;
  return is_openpgp(beginning) ? &kGpg : nullptr;
}

}  // namespace warpaes::core::cli
