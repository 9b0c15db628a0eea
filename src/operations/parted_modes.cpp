#include "operations/parted_modes.hpp"

#include <algorithm>

#include "failure.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes::core {
namespace {

/// A mode that need not see all of a message first. `on_cpu` says that it needs an engine of the CPU, which
/// carries what is known of the message, although the mode does not chain.
struct Row {
  warpaes_mode mode;
  std::unique_ptr<PartedMode> (*make)(const Key& key, const OperationOptions& options);
  bool on_cpu = false;
};

constexpr Row kRows[] = {
    {WARPAES_MODE_GCM, parted_tagged, true},  {WARPAES_MODE_EAX, parted_tagged},
    {WARPAES_MODE_OCB3, parted_tagged, true}, {WARPAES_MODE_ECB, parted_blocks},
    {WARPAES_MODE_ECB_PKCS7, parted_blocks},  {WARPAES_MODE_CBC, parted_blocks},
    {WARPAES_MODE_CBC_PKCS7, parted_blocks},  {WARPAES_MODE_CBC_CS1, parted_blocks},
    {WARPAES_MODE_CBC_CS2, parted_blocks},    {WARPAES_MODE_CBC_CS3, parted_blocks},
    {WARPAES_MODE_CFB, parted_stream},        {WARPAES_MODE_CFB8, parted_stream, true},
    {WARPAES_MODE_CFB1, parted_stream, true}, {WARPAES_MODE_OFB, parted_stream},
    {WARPAES_MODE_CTR, parted_stream},        {WARPAES_MODE_XTS, parted_blocks},
    {WARPAES_MODE_CMAC, parted_tagged},       {WARPAES_MODE_GMAC, parted_tagged, true},
};

const Row& row_of(warpaes_mode mode) {
  const Row* const row = std::ranges::find(kRows, mode, &Row::mode);
  if (row != std::end(kRows)) return *row;
  throw Failure(WARPAES_ERROR_MODE, "{} has to see all of a message first: it is not done in parts",
                mode_row(mode).name);
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
  throw Failure(WARPAES_ERROR_OPTION,
                "{} has no tag that could be verified: WARPAES_DIRECTION_DECRYPT decrypts it", row.name);
}

std::unique_ptr<PartedMode> parted_mode(const Key& key, const OperationOptions& options) {
  const Row& row = row_of(options.mode);
  if (row.on_cpu || mode_row(options.mode).chains_in(options.direction)) key.context().state().cpu_engine();
  return row.make(key, options);
}

}  // namespace warpaes::core
