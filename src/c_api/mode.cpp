// Describes the modes.

#include "c_api/handles.hpp"
#include "modes/mode_table.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

static_assert(sizeof(size_t) == sizeof(uint64_t), "\"any length\" is the same number in both");

namespace {

const ModeRow& row_of(warpaes_mode mode) {
  if (mode != WARPAES_MODE_INVALID && mode <= mode_rows().size()) return mode_row(mode);
  throw Failure(WARPAES_ERROR_OPTION, "no mode has the number {}", mode);
}

}  // namespace

warpaes_status warpaes_mode_get(warpaes_mode mode, warpaes_mode_info* info) {
  return guarded([&] {
    read_structure(info, "info");
    const ModeRow& row = row_of(mode);
    warpaes_mode_info known = {};
    known.name = row.name;
    known.standard = row.standard;
    known.key_count = static_cast<uint32_t>(row.key_count);
    known.key_lengths = row.key_lengths;
    known.authenticates = row.authenticates;
    known.has_output = row.has_output;
    known.shortest_nonce = row.shortest_nonce;
    known.longest_nonce = row.longest_nonce;
    known.recommended_nonce = row.recommended_nonce;
    known.tag_lengths = row.tag_lengths;
    known.recommended_tag = row.recommended_tag();
    known.sealed_overhead = row.sealed_overhead();
    known.shortest_message = row.encrypt.or_none && row.longest_unit == 0 ? 0 : row.encrypt.least;
    known.longest_message = row.longest_unit != 0 ? row.longest_unit : row.most_bytes(row.recommended_nonce);
    known.message_multiple = row.encrypt.multiple;
    known.longest_aad = row.longest_aad;
    write_structure(info, known);
  });
}

warpaes_status warpaes_output_size(warpaes_mode mode, warpaes_direction direction, uint64_t length,
                                   uint64_t* size) {
  return guarded_into(size, "size", [&] {
    const ModeRow& row = row_of(mode);
    require_direction(direction);
    row.lengths(direction).require(length);
    return row.lengths(direction).output(length);
  });
}
