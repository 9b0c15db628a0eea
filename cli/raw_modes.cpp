#include "raw_modes.hpp"

#include <algorithm>
#include <cctype>

#include "failure_report.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kNotAuthenticated =
    "does not authenticate: nobody notices when the data is changed. `warpaes encrypt` does, and so do gcm, "
    "gcm-siv, ccm, eax, ocb3 and siv";
constexpr const char* kEcbCaution =
    "shows which blocks are equal, and does not authenticate: it is for building other modes and for old "
    "formats";

struct Row {
  Mode mode;
  const char* caution = nullptr;
  std::optional<Mode> padded = {};
  const char* length_hint = "`warpaes encrypt` has no such limit";
  bool has_parts = false;
};

/// Not here: modes that make nothing but a tag, for which there is `warpaes mac`.
constexpr Row kTable[] = {
    {Mode::ecb, kEcbCaution, Mode::ecb_pkcs7},
    {Mode::cbc, kNotAuthenticated, Mode::cbc_pkcs7},
    {Mode::cbc_cs1, kNotAuthenticated},
    {Mode::cbc_cs2, kNotAuthenticated},
    {Mode::cbc_cs3, kNotAuthenticated},
    {Mode::cfb, kNotAuthenticated},
    {Mode::cfb1, kNotAuthenticated},
    {Mode::cfb8, kNotAuthenticated},
    {Mode::ofb, kNotAuthenticated},
    {Mode::ctr, kNotAuthenticated},
    {Mode::xts, kNotAuthenticated},
    {.mode = Mode::gcm, .has_parts = true},
    {Mode::gcm_siv},
    {.mode = Mode::ccm, .length_hint = "a --nonce of 11 bytes or fewer has room for 4 GiB and more"},
    {.mode = Mode::eax, .has_parts = true},
    {.mode = Mode::ocb3, .has_parts = true},
    {Mode::siv},
    {Mode::kw},
    {Mode::kwp},
};

/// "CBC-CS3" is cbc-cs3 on the command line.
std::string name_of(const ModeInfo& info) {
  std::string name = info.name;
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name;
}

std::vector<size_t> key_lengths_of(const ModeInfo& info) {
  std::vector<size_t> lengths;
  for (size_t length = kLongestKey; length != 0; length -= 8) {
    if (info.key_lengths >> (length / 8) & 1) lengths.push_back(length);
  }
  return lengths;
}

}  // namespace

uint64_t RawMode::longest_message(size_t nonce_length) const {
  if (mode != Mode::ccm) return info.longest_message;
  // SP 800-38C appendix A.1: the length has what the nonce leaves of 15 bytes.
  return nonce_length <= 7 ? UINT64_MAX : (uint64_t{1} << 8 * (15 - nonce_length)) - 1;
}

RawMode raw_mode(const std::string& name) {
  for (const Row& row : kTable) {
    const ModeInfo info = mode_info(row.mode);
    if (name_of(info) != name) continue;
    return {row.mode,      row.padded, row.caution, row.length_hint,
            row.has_parts, info,       name,        key_lengths_of(info)};
  }
  throw Refusal(ExitCode::usage, name + " is no mode", "--mode " + raw_mode_names());
}

std::string raw_mode_names() {
  std::string names;
  for (const Row& row : kTable) names += (names.empty() ? "" : "|") + name_of(mode_info(row.mode));
  return names;
}

}  // namespace warpaes::cli
