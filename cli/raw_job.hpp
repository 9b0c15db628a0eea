// What `warpaes raw` does with one message, once its options are understood.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "input_file.hpp"
#include "pipeline/context.hpp"
#include "raw_modes.hpp"

namespace warpaes::cli {

struct RawJob {
  RawJob(const RawMode& of, Direction way) : mode(of), direction(way) {}

  const RawMode& mode;
  Direction direction;
  bool padded = false;
  std::vector<uint8_t> iv;       // XTS: the tweak. AEAD: empty if it stands before the ciphertext
  uint64_t data_unit_bytes = 0;  // XTS
  std::vector<uint8_t> aad;      // AEAD, SIV
  bool has_aad = false;          // SIV: an empty piece is another message than none
  size_t tag_bytes = 16;
  /// Where the tag goes that does not stand behind the ciphertext; or null.
  std::function<void(std::span<const uint8_t>)> write_tag;
  std::vector<uint8_t> tag;  // the one that does not stand there, of decryption; or empty

  bool encrypts() const { return direction == WARPAES_ENCRYPT; }
};

using Progress = std::function<void(uint64_t bytes)>;

/// Refuses nonces and tags that the mode does not take: before anything is read.
void require_possible(const RawJob& job);
/// Refuses inputs that are too short or no multiple of what the mode needs.
void require_length(const RawJob& job, const std::string& name, uint64_t bytes);

/// @return bytes of plaintext
uint64_t run_raw(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                 ByteSink& to, const Progress& progress);

/// What the bulk of the work goes to.
const Engine& raw_engine(const RawJob& job, const Context& context, uint64_t bytes);

}  // namespace warpaes::cli
