#include "foreign_format.hpp"

#include <algorithm>
#include <string_view>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

struct ForeignRow {
  std::string_view begins;
  ForeignFormat format;
};

constexpr ForeignFormat kAge = {"an age file", "`age -d` opens it"};
constexpr ForeignFormat kGpg = {"an OpenPGP file", "`gpg -d` opens it"};
constexpr ForeignFormat kZip = {"a zip archive", "`unzip` opens it"};
constexpr ForeignFormat kGzip = {"a gzip file", "`gunzip` opens it"};
constexpr ForeignFormat kXz = {"an xz file", "`unxz` opens it"};
constexpr ForeignFormat kZstd = {"a Zstandard file", "`unzstd` opens it"};
constexpr ForeignFormat kBzip = {"a bzip2 file", "`bunzip2` opens it"};
constexpr ForeignFormat kSevenZip = {"a 7z archive", "`7z x` opens it"};
constexpr ForeignFormat kPdf = {"a PDF document", "it was not encrypted by warpaes"};
constexpr ForeignFormat kPng = {"a PNG picture", "it was not encrypted by warpaes"};
constexpr ForeignFormat kOpenssl = {"a file of `openssl enc`", "`openssl enc -d` opens it"};

constexpr ForeignRow kForeignTable[] = {
    {"age-encryption.org/", kAge},
    {"-----BEGIN AGE ENCRYPTED FILE", kAge},
    {"-----BEGIN PGP MESSAGE", kGpg},
    {"-----BEGIN PGP SIGNED MESSAGE", kGpg},
    {{"PK\x03\x04", 4}, kZip},
    {{"PK\x05\x06", 4}, kZip},  // with files, and without
    {"Salted__", kOpenssl},
    {"U2FsdGVkX1", kOpenssl},  // the same by base64
    {"\x1f\x8b\x08", kGzip},
    {"\3757zXZ", kXz},
    {"\x28\xb5\x2f\xfd", kZstd},
    {"7z\xbc\xaf\x27\x1c", kSevenZip},
    {"%PDF-", kPdf},
    {"\x89PNG\r\n\x1a\n", kPng},
};

/// "BZh", how large its blocks are, and how the first one begins, or the end of a file that has none.
bool is_bzip2(std::string_view text) {
  const std::string_view block = text.substr(std::min<size_t>(text.size(), 4));
  return text.starts_with("BZh") && (block.starts_with("1AY&SY") || block.starts_with("\x17rE8P\x90"));
}

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

/// The numbers of section 9.1, which all of a file's packets share.
bool is_one_of(std::span<const uint8_t> algorithms, uint8_t number) {
  return std::ranges::find(algorithms, number) != algorithms.end();
}

/// A session key that a public key (section 5.1) or a passphrase (section 5.3) has encrypted.
bool is_encrypted(const Packet& packet) {
  constexpr unsigned kByPublicKey = 1, kByPassphrase = 3;
  constexpr uint8_t kAlgorithms[] = {1, 2, 16, 18, 20, 25, 26};
  const uint8_t version = packet.body[0], ciphers = 13;  // section 9.3: the last one has this number
  if (packet.type == kByPublicKey) return version == 3 && is_one_of(kAlgorithms, packet.body[9]);
  return packet.type == kByPassphrase && (version == 4 || version == 5) && packet.body[1] <= ciphers &&
         packet.body[2] <= 4;  // section 3.7.1: how the passphrase becomes a key
}

/// What `gpg --sign` makes: a one-pass signature (section 5.4), or one that was compressed (section 5.6) by
/// ZLIB (RFC 1950) or BZip2. What ZIP compressed begins as random bytes do.
bool is_signed(const Packet& packet) {
  constexpr unsigned kOnePass = 4, kCompressed = 8;
  constexpr uint8_t kZlib = 2, kBzip2 = 3, kAlgorithms[] = {1, 3, 17, 19, 22, 27, 28};
  const std::span<const uint8_t> body = packet.body;
  if (packet.type == kOnePass) {
    constexpr uint8_t kOfText = 1, kHashes = 14;  // sections 5.2.1 and 9.5: the last ones
    return body[0] == 3 && body[1] <= kOfText && body[2] <= kHashes && is_one_of(kAlgorithms, body[3]);
  }
  if (packet.type != kCompressed) return false;
  constexpr uint8_t kBzip2Begins[] = {'B', 'Z', 'h'};
  if (body[0] == kBzip2) return std::ranges::equal(body.subspan(1, 3), kBzip2Begins);
  return body[0] == kZlib && body[1] == 0x78 && (body[1] << 8 | body[2]) % 31 == 0;
}

/// Octets that only few values fit are looked at, since other files begin with random bytes.
bool is_openpgp(std::span<const uint8_t> beginning) {
  constexpr size_t kNeeded = 10;
  const Packet packet = packet_in(beginning);
  return packet.body.size() >= kNeeded && (is_encrypted(packet) || is_signed(packet));
}

}  // namespace

const ForeignFormat* foreign_format(std::span<const uint8_t> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const auto* const row =
      std::ranges::find_if(kForeignTable, [&](const ForeignRow& r) { return text.starts_with(r.begins); });
  if (row != std::end(kForeignTable)) return &row->format;
  if (is_bzip2(text)) return &kBzip;
  return is_openpgp(beginning) ? &kGpg : nullptr;
}

void require_own_format(std::span<const uint8_t> beginning, const std::string& name) {
  const ForeignFormat* const foreign = foreign_format(beginning);
  if (foreign == nullptr) return;
  throw Refusal(ExitCode::error, shown(name) + " is " + foreign->name + ", not one of warpaes",
                foreign->hint);
}

}  // namespace warpaes::cli
