// The messages of a batch in which each lane walks one message.
#pragma once

#include "kernels/lane/lane_keys.hpp"
#include "primitives/overlap.hpp"

namespace warpaes::core {

/// Message m lies at input + m * input_stride and has `bytes` bytes, unless the arrays `inputs` and `lengths`
/// say otherwise, and likewise for outputs, IVs and tags. Each array may be null. With `lengths`, `bytes` is
/// the most that a message may have.
struct LaneArguments : LaneKeyArguments {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes, input_stride, output_stride;
  const uint8_t* const* inputs;
  uint8_t* const* outputs;
  const uint64_t* lengths;
  const uint8_t* const* ivs_at;
  uint8_t* const* tags_at;
  const uint8_t* ivs;
  uint64_t iv_stride;
  uint8_t* tags;
  uint64_t tag_stride;
  uint32_t tag_bytes;
  bool has_pointers;         // is any array of addresses given? If not, the host has compared what overlaps
  bool whole_blocks;         // other lengths are refused
  bool with_padding;         // the mode is KWP, not KW
  uint8_t unused_bits;       // of CFB-1: the lowest bits of a message's last byte that are zero in the output
  int32_t* statuses;         // may be null
  uint64_t* output_lengths;  // of KW, KWP and PKCS#7 modes; may be null
  uint32_t messages;         // so many that adding the number of the grid's lanes does not exceed 32 bits
  uint32_t runs;             // of a message, in modes that begin anywhere; with the same limit for all runs
  uint64_t run_bytes;        // of every run but the last, a multiple of a tile
  uint32_t warps;  // how many warps of a thread block take messages; the others only help to fill the tables
  RoundKeys tweak_keys;  // of XTS under one pair of keys: KeySchedule::encryption()
  CipherMode mode;       // for kernels that have more than one mode

  WARPAES_HOST_DEVICE bool has_ivs() const { return ivs != nullptr || ivs_at != nullptr; }
  WARPAES_HOST_DEVICE const uint8_t* iv(uint32_t message) const {
    return ivs_at != nullptr ? ivs_at[message] : ivs + message * iv_stride;
  }
  WARPAES_HOST_DEVICE uint8_t* tag(uint32_t message) const {
    return tags_at != nullptr ? tags_at[message] : tags + message * tag_stride;
  }
  /// @param written bytes of output
  WARPAES_HOST_DEVICE void report(uint32_t message, int32_t status, uint64_t written) const {
    if (statuses != nullptr) statuses[message] = status;
    if (output_lengths != nullptr) output_lengths[message] = written;
  }
};

struct LaneMessage {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
};

/// @tparam Writes is there an output?
template <bool Writes>
WARPAES_HOST_DEVICE LaneMessage lane_message(const LaneArguments& arguments, uint32_t message) {
  LaneMessage found{arguments.inputs != nullptr ? arguments.inputs[message]
                                                : arguments.input + message * arguments.input_stride,
                    nullptr, arguments.lengths != nullptr ? arguments.lengths[message] : arguments.bytes};
  if constexpr (Writes) {
    found.output = arguments.outputs != nullptr ? arguments.outputs[message]
                                                : arguments.output + message * arguments.output_stride;
  }
  return found;
}

/// A lane's piece of a message, in modes that begin anywhere.
struct LaneRun {
  uint32_t message;
  uint64_t from;  // bytes of the message before it

  /// @param index counts the runs of all messages, one message after the other
  WARPAES_HOST_DEVICE LaneRun(const LaneArguments& arguments, uint32_t index)
      : message(index / arguments.runs), from(index % arguments.runs * arguments.run_bytes) {}
};

/// What a lane works on, whether it walks whole messages or runs.
WARPAES_HOST_DEVICE uint32_t message_of(uint32_t index) { return index; }
WARPAES_HOST_DEVICE uint32_t message_of(const LaneRun& run) { return run.message; }
WARPAES_HOST_DEVICE bool is_first(uint32_t) { return true; }
WARPAES_HOST_DEVICE bool is_first(const LaneRun& run) { return run.from == 0; }

/// Leaves only the run's share of the message: nothing where the message ends before it.
///
/// The first run takes the whole message if that is decrypted in place in a mode that chains: otherwise the
/// block before a run could be plaintext already when the run begins.
template <CipherMode Mode>
WARPAES_HOST_DEVICE void cut_to_run(LaneMessage& message, const LaneArguments& arguments,
                                    const LaneRun& run) {
  // Ciphertext stealing needs a whole block: a run takes what is left of the message if that is less.
  constexpr uint64_t kLeast = is_xts(Mode) ? 16 : 1;
  const bool in_place = unchains(Mode) && message.input == message.output;
  const uint64_t left = run.from < message.bytes ? message.bytes - run.from : 0;
  if (in_place) {
    if (!is_first(run)) message.bytes = 0;
    return;
  }
  message.input += run.from;
  message.output += run.from;
  message.bytes = left < arguments.run_bytes + kLeast ? left : arguments.run_bytes;
  if (!is_first(run) && left < kLeast) message.bytes = 0;
}

/// Checks what the host could not check, because arrays of pointers are in device memory.
/// @param written bytes of output
/// @return WARPAES_OK, NULL_POINTER or OVERLAP
template <bool Writes>
WARPAES_HOST_DEVICE int32_t pointers_status(const LaneArguments& arguments, uint32_t index,
                                            const LaneMessage& message, uint64_t written) {
  const bool nowhere =
      (message.bytes != 0 && (message.input == nullptr || (Writes && message.output == nullptr))) ||
      (arguments.ivs_at != nullptr && arguments.ivs_at[index] == nullptr) ||
      (arguments.tags_at != nullptr && arguments.tags_at[index] == nullptr);
  if (nowhere) return WARPAES_ERROR_NULL_POINTER;
  if (Writes && message.bytes != 0 && overlap(message.input, message.bytes, message.output, written)) {
    return WARPAES_ERROR_OVERLAP;
  }
  if (arguments.has_pointers) {
    const uint8_t* const iv = arguments.has_ivs() ? arguments.iv(index) : nullptr;
    const uint32_t tag_bytes = arguments.mode == CipherMode::cmac_check ? 0 : arguments.tag_bytes;
    const bool writes_over = Writes
                                 ? share_bytes(message.output, written, iv, iv == nullptr ? 0 : 16)
                                 : share_bytes(arguments.tag(index), tag_bytes, message.input, message.bytes);
    if (writes_over) return WARPAES_ERROR_OVERLAP;
  }
  return arguments.has_key(index) ? WARPAES_OK : WARPAES_ERROR_NULL_POINTER;
}

}  // namespace warpaes::core
