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

// OpenPGP: RFC 9580, section 4.2: tags 1 (public key) and 3 (passphrase) with the version number behind the
// length.
constexpr ForeignRow kForeignTable[] = {
    {"age-encryption.org/", kAge},    {"-----BEGIN AGE ENCRYPTED FILE", kAge},
    {"-----BEGIN PGP MESSAGE", kGpg}, {{"\x8c\x0d\x04", 3}, kGpg},
    {{"\xc3\x0d\x04", 3}, kGpg},      {{"\x84\x5e\x03", 3}, kGpg},
    {{"\x85\x01\x0c\x03", 4}, kGpg},  {{"\x85\x01\x8c\x03", 4}, kGpg},
    {{"\x85\x02\x0c\x03", 4}, kGpg},  {{"PK\x03\x04", 4}, kZip},
    {"Salted__", kOpenssl},
};

}  // namespace

const ForeignFormat* foreign_format(std::span<const uint8_t> beginning) {
  const std::string_view text(reinterpret_cast<const char*>(beginning.data()), beginning.size());
  const auto* const row =
      std::ranges::find_if(kForeignTable, [&](const ForeignRow& r) { return text.starts_with(r.begins); });
  return row == std::end(kForeignTable) ? nullptr : &row->format;
}

}  // namespace warpaes::core::cli
