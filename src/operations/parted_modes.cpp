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

struct Row {
  warpaes_mode mode;
  const char* name;
  size_t iv_bytes;
  bool both_directions;  // a MAC has one
  Chains chains;
  std::unique_ptr<PartedMode> (*make)(const Key& key, const OperationOptions& options);
};

constexpr std::array kRows = {
    Row{WARPAES_MODE_ECB, "ECB", 0, true, Chains::never, parted_ecb},
    Row{WARPAES_MODE_CBC, "CBC", 16, true, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_PKCS7, "CBC with PKCS#7", 16, true, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS1, "CBC-CS1", 16, true, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS2, "CBC-CS2", 16, true, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CBC_CS3, "CBC-CS3", 16, true, Chains::encrypting, parted_cbc},
    Row{WARPAES_MODE_CFB, "CFB-128", 16, true, Chains::encrypting, parted_cfb},
    Row{WARPAES_MODE_CFB8, "CFB-8", 16, true, Chains::always, parted_cfb_short},
    Row{WARPAES_MODE_CFB1, "CFB-1", 16, true, Chains::always, parted_cfb_short},
    Row{WARPAES_MODE_OFB, "OFB", 16, true, Chains::always, parted_ofb},
    Row{WARPAES_MODE_CTR, "CTR", 16, true, Chains::never, parted_ctr},
    Row{WARPAES_MODE_XTS, "XTS", 16, true, Chains::never, parted_xts},
    Row{WARPAES_MODE_ECB_PKCS7, "ECB with PKCS#7", 0, true, Chains::never, parted_ecb},
    Row{WARPAES_MODE_CMAC, "CMAC", 0, false, Chains::always, parted_cmac},
};

[[noreturn]] void refuse(const Row& row, const char* what) {
  throw Failure(WARPAES_ERROR_OPTION, std::string(row.name) + what);
}

void require_fitting(const Row& row, const OperationOptions& options) {
  const bool encrypting = options.direction == WARPAES_ENCRYPT;
  if (!encrypting && options.direction != WARPAES_DECRYPT) refuse(row, " in no direction");
  if (!encrypting && !row.both_directions) refuse(row, " makes tags; compare them in constant time");
  if (options.iv.size() != row.iv_bytes) {
    throw Failure(WARPAES_ERROR_NONCE_LENGTH, std::string(row.name) + " takes an IV of " +
                                                  std::to_string(row.iv_bytes) + " bytes, not " +
                                                  std::to_string(options.iv.size()));
  }
  require_valid({"the initialisation vector", options.iv.data(), 1, 0, options.iv.size()});
  const bool is_xts = row.mode == WARPAES_MODE_XTS;
  if (options.tweak_key != nullptr && !is_xts) refuse(row, " has no tweak key");
  if (options.data_unit_bytes != 0 && !is_xts) refuse(row, " has no data units");
  if (options.tag_bytes != 0 && row.mode != WARPAES_MODE_CMAC) refuse(row, " has no tag");
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
