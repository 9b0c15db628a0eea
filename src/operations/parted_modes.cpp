#include "operations/parted_modes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "failure.hpp"
#include "modes/regions.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes {
namespace {

/// What chains is for a CPU engine; when does the mode?
enum class Chains { never, encrypting, always };

/// What a MAC makes of a message, a cipher, and an AEAD mode.
enum class Makes { text, tag, text_and_tag };

/// Nonces, whose length the mode sees to.
constexpr size_t kNonce = SIZE_MAX;

struct Row {
  warpaes_mode mode;
  const char* name;
  size_t iv_bytes;
  Makes makes;
  Chains chains;
  std::unique_ptr<PartedMode> (*make)(const Key& key, const OperationOptions& options);
};

constexpr std::array kRows = {
    Row{WARPAES_MODE_ECB, "ECB", 0, Makes::text, Chains::never, parted_ecb},
    Row{WARPAES_MODE_CBC, "CBC", 16, Makes::text, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_PKCS7, "CBC with PKCS#7", 16, Makes::text, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS1, "CBC-CS1", 16, Makes::text, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS2, "CBC-CS2", 16, Makes::text, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS3, "CBC-CS3", 16, Makes::text, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CFB, "CFB-128", 16, Makes::text, Chains::encrypting, parted_cfb},
    Row{WARPAES_MODE_CFB8, "CFB-8", 16, Makes::text, Chains::always, parted_cfb_short},
    Row{WARPAES_MODE_CFB1, "CFB-1", 16, Makes::text, Chains::always, parted_cfb_short},
    Row{WARPAES_MODE_OFB, "OFB", 16, Makes::text, Chains::always, parted_ofb},
    Row{WARPAES_MODE_CTR, "CTR", 16, Makes::text, Chains::never, parted_ctr},
    Row{WARPAES_MODE_XTS, "XTS", 16, Makes::text, Chains::never, parted_xts},
    Row{WARPAES_MODE_ECB_PKCS7, "ECB with PKCS#7", 0, Makes::text, Chains::never, parted_ecb},
    Row{WARPAES_MODE_CMAC, "CMAC", 0, Makes::tag, Chains::always, parted_cmac},
    Row{WARPAES_MODE_GCM, "GCM", kNonce, Makes::text_and_tag, Chains::always, parted_gcm},
    Row{WARPAES_MODE_GMAC, "GMAC", kNonce, Makes::tag, Chains::always, parted_gcm},
    Row{WARPAES_MODE_EAX, "EAX", kNonce, Makes::text_and_tag, Chains::always, parted_eax},
    Row{WARPAES_MODE_OCB3, "OCB3", kNonce, Makes::text_and_tag, Chains::always, parted_ocb3},
};

[[noreturn]] void refuse(const Row& row, const char* what) {
  throw Failure(WARPAES_ERROR_OPTION, std::string(row.name) + what);
}

void require_fitting(const Row& row, const OperationOptions& options) {
  const bool encrypting = options.direction == WARPAES_ENCRYPT;
  if (!encrypting && options.direction != WARPAES_DECRYPT) refuse(row, " in no direction");
  if (!encrypting && row.makes == Makes::tag) refuse(row, " makes tags; compare them in constant time");
  if (!encrypting && row.makes == Makes::text_and_tag) {
    refuse(
        row,
        " is not decrypted in parts, which would show plaintext before its tag: decrypt the message whole");
  }
  if (row.iv_bytes != kNonce && options.iv.size() != row.iv_bytes) {
    throw Failure(WARPAES_ERROR_NONCE_LENGTH, std::string(row.name) + " takes an IV of " +
                                                  std::to_string(row.iv_bytes) + " bytes, not " +
                                                  std::to_string(options.iv.size()));
  }
  require_valid({"the initialisation vector", options.iv.data(), 1, 0, options.iv.size()});
  const bool is_xts = row.mode == WARPAES_MODE_XTS;
  if (options.tweak_key != nullptr && !is_xts) refuse(row, " has no tweak key");
  if (options.data_unit_bytes != 0 && !is_xts) refuse(row, " has no data units");
  if (options.tag_bytes != 0 && row.makes == Makes::text) refuse(row, " has no tag");
  if (!options.aad.empty() && row.makes != Makes::text_and_tag) refuse(row, " has no additional data");
}

}  // namespace

std::unique_ptr<PartedMode> parted_mode(const Key& key, const OperationOptions& options) {
  const auto row =
      std::find_if(kRows.begin(), kRows.end(), [&](const Row& each) { return each.mode == options.mode; });
  if (row == kRows.end()) throw Failure(WARPAES_ERROR_OPTION, "no mode has this number");
  require_fitting(*row, options);
  const bool chains = row->chains == Chains::always ||
                      (row->chains == Chains::encrypting && options.direction == WARPAES_ENCRYPT);
  if (chains) key.context().state().cpu_engine();
  return row->make(key, options);
}

}  // namespace warpaes
