#include "raw_modes.hpp"

#include "failure_report.hpp"
#include "key_options.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kSivKeys[] = {32, 16};
constexpr size_t kTwoKeys[] = {64, 48, 32};

constexpr const char* kNotAuthenticated =
    "does not authenticate: nobody notices when the data is changed. `warpaes encrypt` does, and so do gcm, "
    "gcm-siv, ccm, eax, ocb3 and siv";
constexpr const char* kEcbCaution =
    "shows which blocks are equal, and does not authenticate: it is for building other modes and for old "
    "formats";

/// Nonces that are made here are as long as those of warpaes_aead_seal, so that it can read what this writes.
constexpr RawMode kTable[] = {
    {.name = "ecb",
     .keys = kAesKeys,
     .iv_bytes = 0,
     .mode = WARPAES_MODE_ECB,
     .padded = WARPAES_MODE_ECB_PKCS7,
     .unit = 16,
     .caution = kEcbCaution},
    {.name = "cbc",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CBC,
     .padded = WARPAES_MODE_CBC_PKCS7,
     .unit = 16,
     .encryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cbc-cs1",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CBC_CS1,
     .least = 16,
     .encryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cbc-cs2",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CBC_CS2,
     .least = 16,
     .encryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cbc-cs3",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CBC_CS3,
     .least = 16,
     .encryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cfb",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CFB,
     .encryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cfb1",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CFB1,
     .encryption_chains = true,
     .decryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "cfb8",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_CFB8,
     .encryption_chains = true,
     .decryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "ofb",
     .keys = kAesKeys,
     .iv_bytes = 16,
     .mode = WARPAES_MODE_OFB,
     .encryption_chains = true,
     .decryption_chains = true,
     .caution = kNotAuthenticated},
    {.name = "ctr", .keys = kAesKeys, .iv_bytes = 16, .mode = WARPAES_MODE_CTR, .caution = kNotAuthenticated},
    {.name = "xts", .keys = kTwoKeys, .iv_bytes = 16, .mode = WARPAES_MODE_XTS, .caution = kNotAuthenticated},
    {.name = "gcm", .keys = kAesKeys, .iv_bytes = 12, .aead = WARPAES_AEAD_GCM, .sealing = WARPAES_MODE_GCM},
    {.name = "gcm-siv", .keys = kSivKeys, .iv_bytes = 12, .aead = WARPAES_AEAD_GCM_SIV},
    {.name = "ccm",
     .keys = kAesKeys,
     .iv_bytes = 12,
     .aead = WARPAES_AEAD_CCM,
     .length_hint = "a --nonce of 11 bytes or fewer has room for 4 GiB and more"},
    {.name = "eax", .keys = kAesKeys, .iv_bytes = 16, .aead = WARPAES_AEAD_EAX, .sealing = WARPAES_MODE_EAX},
    {.name = "ocb3",
     .keys = kAesKeys,
     .iv_bytes = 12,
     .aead = WARPAES_AEAD_OCB3,
     .sealing = WARPAES_MODE_OCB3,
     .encryption_chains = true},  // its parts do
    {.name = "siv", .keys = kTwoKeys, .iv_bytes = 0},
    {.name = "kw", .keys = kAesKeys, .iv_bytes = 0, .wrapping = Wrapping::kw},
    {.name = "kwp", .keys = kAesKeys, .iv_bytes = 0, .wrapping = Wrapping::kwp},
};

}  // namespace

const RawMode& raw_mode(const std::string& name) {
  for (const RawMode& row : kTable) {
    if (row.name == name) return row;
  }
  throw Refusal(ExitCode::usage, name + " is no mode", "--mode " + raw_mode_names());
}

std::string raw_mode_names() {
  std::string names;
  for (const RawMode& row : kTable) names += std::string(names.empty() ? "" : "|") + row.name;
  return names;
}

}  // namespace warpaes::cli
