#include "operations/parted_modes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "operations/parted_aead.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes::core {
namespace {

/// The modes that need not see all of a message first. `on_cpu`: does an engine of the CPU carry what is
/// known of the message, although the mode does not chain?
struct Row {
  warpaes_mode mode;
  std::unique_ptr<PartedMode> (*make)(const Key& key, const OperationOptions& options);
  bool on_cpu = false;
};

constexpr std::array kRows = {
    Row{WARPAES_MODE_GCM, parted_gcm, true},
    Row{WARPAES_MODE_EAX, parted_eax},
    Row{WARPAES_MODE_OCB3, parted_ocb3, true},
    Row{WARPAES_MODE_ECB, parted_ecb},
    Row{WARPAES_MODE_ECB_PKCS7, parted_ecb},
    Row{WARPAES_MODE_CBC, parted_cbc},
    Row{WARPAES_MODE_CBC_PKCS7, parted_cbc},
    Row{WARPAES_MODE_CBC_CS1, parted_cbc},
    Row{WARPAES_MODE_CBC_CS2, parted_cbc},
    Row{WARPAES_MODE_CBC_CS3, parted_cbc},
    Row{WARPAES_MODE_CFB, parted_cfb},
    Row{WARPAES_MODE_CFB8, parted_cfb_short, true},
    Row{WARPAES_MODE_CFB1, parted_cfb_short, true},
    Row{WARPAES_MODE_OFB, parted_ofb},
    Row{WARPAES_MODE_CTR, parted_ctr},
    Row{WARPAES_MODE_XTS, parted_xts},
    Row{WARPAES_MODE_CMAC, parted_cmac},
    Row{WARPAES_MODE_GMAC, parted_gcm, true},
};

const Row& row_of(warpaes_mode mode) {
  const auto* const row =
      std::find_if(kRows.begin(), kRows.end(), [mode](const Row& each) { return each.mode == mode; });
  if (row != kRows.end()) return *row;
  throw Failure(WARPAES_ERROR_MODE, std::string(mode_row(mode).name) +
                                        " has to see all of a message first: it is not done in parts");
}

}  // namespace

void require_parted_mode(warpaes_mode mode, Direction direction) {
  row_of(mode);
  const ModeRow& row = mode_row(mode);
  if (direction == WARPAES_DIRECTION_ENCRYPT || !row.has_tag()) return;
  throw Failure(
      WARPAES_ERROR_OPTION,
      row.name + std::string(row.has_output ? " is not decrypted in parts, which would show plaintext before "
                                              "its tag is checked: decrypt the message whole, or see "
                                              "WARPAES_DIRECTION_DECRYPT_UNVERIFIED"
                                            : " does not check tags in parts: check the message whole, or "
                                              "make the tag and compare it in constant time"));
}

void require_unverified_mode(warpaes_mode mode, Direction direction) {
  row_of(mode);
  const ModeRow& row = mode_row(mode);
  if (row.has_tag() && row.has_output) return;
  if (row.has_tag()) return require_parted_mode(mode, direction);
  throw Failure(WARPAES_ERROR_OPTION, std::string(row.name) +
                                          " has no tag that could be verified: "
                                          "WARPAES_DIRECTION_DECRYPT decrypts it");
}

std::unique_ptr<PartedMode> parted_mode(const Key& key, const OperationOptions& options) {
  const Row& row = row_of(options.mode);
  const ModeRow& mode = mode_row(options.mode);
  if (row.on_cpu || mode.chains_in(options.direction)) key.context().state().cpu_engine();
  if (mode.is_aead) require_valid_parted_aead(options);
  return row.make(key, options);
}

}  // namespace warpaes::core
