// The checks of a batch before anything is written: its lengths, and which memory may overlap which.

#include <array>
#include <span>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "modes/regions.hpp"
#include "modes/siv.hpp"

namespace warpaes::core {
namespace {

constexpr Region kNoWorkspace{"the workspace", nullptr, 0, 0, 0};

void require_aead_lengths(const ModeRow& mode, const Batch& batch) {
  if (batch.host_nonce != nullptr && batch.messages > 1) {
    throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message, not for a batch");
  }
  if (batch.mode == WARPAES_MODE_GCM && batch.host_nonce != nullptr && !is_regular(batch)) {
    throw Failure(WARPAES_ERROR_OPTION,
                  "GCM's nonce in host memory is for a message that no array describes");
  }
  require_nonce_length(mode, nonce_bytes_of(batch));
  require_tag_length(mode, batch.tag_bytes);
  mode.require_length(batch.direction, nonce_bytes_of(batch), batch.bytes);
  require_aad_length(mode, batch.aad_bytes);
  const size_t most_strings = batch.mode == WARPAES_MODE_SIV ? siv_most_aads(nonce_bytes_of(batch)) : 1;
  if (batch.aad_strings > most_strings) {
    throw Failure(WARPAES_ERROR_LENGTH, "{} has at most {} strings of additional data here, not {}",
                  mode.name, most_strings, batch.aad_strings);
  }
}

/// Whether the mode has data, nonces, tags and additional data of such lengths.
void require_lengths(const ModeRow& mode, const Batch& batch) {
  if (mode.is_aead) return require_aead_lengths(mode, batch);
  if (batch.lengths == nullptr && batch.messages != 0) mode.require_unit(batch.direction, batch.bytes);
  require_nonce_length(mode, nonce_bytes_of(batch));
  if (mode.has_tag()) require_tag_length(mode, batch.tag_bytes);
}

/// A small number of regions, kept without memory of the heap.
class Regions {
 public:
  void add(const Region& region) { regions_.at(count_++) = region; }
  void add(const Regions& others) {
    for (const Region& each : others.all()) add(each);
  }
  std::span<const Region> all() const { return std::span(regions_).first(count_); }

 private:
  std::array<Region, 12> regions_{};
  size_t count_ = 0;
};

/// The names that error messages use for the same thing in AEAD modes and in others.
struct Names {
  const char *inputs, *outputs, *nonces, *nonce_pointers, *tag_pointers;
};
constexpr Names kAeadNames = {"the inputs' addresses", "the outputs' addresses", "the nonces",
                              "the nonces' addresses", "the tags' addresses"};
constexpr Names kCipherNames = {"the input pointers", "the output pointers", "the IVs", "the IVs' pointers",
                                "the tags' pointers"};

/// The regions of those arrays that are given.
Regions arrays_of(const Names& names, const Batch& batch) {
  static_assert(sizeof(void*) == sizeof(uint64_t));
  const uint64_t strings = batch.messages * batch.aad_strings;
  const auto array = [](const char* name, const void* data, uint64_t entries) {
    return Region{name, data, entries, sizeof(uint64_t), sizeof(uint64_t)};
  };
  Regions given;
  for (const Region& each : {array("the lengths", batch.lengths, batch.messages),
                             array(names.inputs, batch.inputs, batch.messages),
                             array(names.outputs, batch.outputs, batch.messages),
                             array(names.nonce_pointers, batch.nonce_pointers, batch.messages),
                             array(names.tag_pointers, batch.tag_pointers, batch.messages),
                             array("the additional data's addresses", batch.aads, strings),
                             array("the additional data's lengths", batch.aad_lengths, strings)}) {
    if (each.data != nullptr) given.add(each);
  }
  return given;
}

/// How many messages have something in rows: all, unless an array says where it is.
uint64_t in_rows(const Batch& batch, const void* array) { return array == nullptr ? batch.messages : 0; }

Region tags_of(const Batch& batch) {
  return {"the tags", batch.tags, in_rows(batch, batch.tag_pointers), batch.tag_stride, batch.tag_bytes};
}

/// The output, the statuses, the output lengths and, if they are made, the tags, in this order.
/// @param needs_statuses they count even if they are not given
Regions written_by(const ModeRow& mode, const Batch& batch, bool needs_statuses) {
  const bool tells_lengths = mode.hides_length(batch.direction) || batch.output_lengths != nullptr;
  Regions written;
  written.add({"the output", batch.output, mode.has_output ? in_rows(batch, batch.outputs) : 0,
               batch.output_stride, mode.lengths(batch.direction).output(batch.bytes)});
  written.add({"the statuses", batch.statuses,
               needs_statuses || batch.statuses != nullptr ? batch.messages : 0, sizeof(int32_t),
               sizeof(int32_t)});
  written.add({"the output lengths", batch.output_lengths, tells_lengths ? batch.messages : 0,
               sizeof(uint64_t), sizeof(uint64_t)});
  if (writes_tags(batch)) written.add(tags_of(batch));
  return written;
}

/// What the batch reads, without the input, where the output may lie.
Regions read_by(const ModeRow& mode, const Batch& batch, const Regions& arrays, const char* nonces) {
  Regions read;
  read.add(source_region(nonces, batch.nonces,
                         batch.host_nonce != nullptr ? 0 : in_rows(batch, batch.nonce_pointers),
                         batch.nonce_stride, batch.nonce_bytes));
  read.add(source_region("the additional data", batch.aad, in_rows(batch, batch.aads) * batch.aad_strings,
                         batch.aad_stride, batch.aad_bytes));
  if (mode.has_tag() && !writes_tags(batch)) read.add(tags_of(batch));
  read.add(arrays);
  return read;
}

void require_disjoint(const Region& input, const Regions& read, std::span<const Region> written) {
  const Region& output = written.front();
  const bool in_place = output.data == input.data && output.count == input.count &&
                        (output.count <= 1 || output.stride == input.stride);
  for (size_t i = 0; i < written.size(); i++) {
    if (i != 0 || !in_place) require_disjoint(written[i], input);
    for (const Region& region : read.all()) require_disjoint(written[i], region);
    for (size_t other = 0; other < i; other++) require_disjoint(written[other], written[i]);
  }
}

/// Checks the keys of so many messages, one each: no byte of them may be written.
void require_valid_keys(const KeyArray& keys, uint64_t messages, std::span<const Region> written) {
  const bool listed = keys.key_pointers != nullptr;
  const Region list = source_region("the keys", keys.keys, listed ? 0 : messages, keys.stride, keys.bytes);
  const Region pointers{"the keys' addresses", keys.key_pointers, listed ? messages : 0, sizeof(void*),
                        sizeof(void*)};
  for (const Region& read : {list, pointers}) {
    require_valid(read);
    for (const Region& region : written) require_disjoint(read, region);
  }
  require_aligned(pointers);
}

/// May a message have another status than OK?
bool tells_statuses(const ModeRow& mode, const KeyArray* keys, const Batch& batch) {
  // The two halves of an XTS key may be equal, which is then that message's status.
  const bool keys_may_be_wrong =
      keys != nullptr && (keys->key_pointers != nullptr || batch.mode == WARPAES_MODE_XTS);
  return !is_regular(batch) || mode.may_refuse(batch.direction) || keys_may_be_wrong;
}

void require_memory(const ModeRow& mode, const KeyArray* keys, const Batch& batch, const Region& workspace,
                    bool needs_statuses) {
  const Names& names = mode.is_aead ? kAeadNames : kCipherNames;
  const Region input =
      source_region("the input", batch.input, in_rows(batch, batch.inputs), batch.input_stride, batch.bytes);
  const Regions arrays = arrays_of(names, batch), read = read_by(mode, batch, arrays, names.nonces);
  Regions written = written_by(mode, batch, needs_statuses && tells_statuses(mode, keys, batch));
  written.add(workspace);
  require_valid(input);
  for (const Region& region : written.all()) require_valid(region);
  for (const Region& region : read.all()) require_valid(region);
  require_valid(
      {"the nonce", batch.host_nonce, 1, 0, batch.host_nonce == nullptr ? 0 : batch.host_nonce_bytes});
  require_aligned(written.all()[1]);
  require_aligned(written.all()[2]);
  for (const Region& array : arrays.all()) require_aligned(array);
  require_disjoint(input, read, written.all());
  if (keys != nullptr) require_valid_keys(*keys, batch.messages, written.all());
}

/// All checks. @param keys null if there is one key @param needs_statuses where a message may fail
void require_all(const KeyArray* keys, const Batch& batch, const Region& workspace, bool needs_statuses) {
  const ModeRow& mode = mode_row(batch.mode);
  if (keys != nullptr) {
    require_key_length(mode, keys->bytes);
    if (batch.host_nonce != nullptr) {
      throw Failure(WARPAES_ERROR_OPTION, "one nonce is for one message under one key");
    }
  }
  require_lengths(mode, batch);
  require_memory(mode, keys, batch, workspace, needs_statuses);
}

}  // namespace

void require_key_bits(warpaes_mode mode, int bits) {
  const ModeRow& row = mode_row(mode);
  require_key_length(row, static_cast<size_t>(bits) / 8 * row.key_count);
}

void require_valid_batch(const Batch& batch, const void* workspace, size_t workspace_bytes) {
  require_all(nullptr, batch, {"the workspace", workspace, 1, 0, workspace_bytes}, true);
}

void require_valid_batch_key_each(const KeyArray& keys, const Batch& batch) {
  require_all(&keys, batch, kNoWorkspace, true);
}

void require_valid_batch_but_statuses(const KeyArray* keys, const Batch& batch) {
  require_all(keys, batch, kNoWorkspace, false);
}

}  // namespace warpaes::core
