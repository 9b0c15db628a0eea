// What `warpaes raw` does with one message, once its options are understood.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "byte_sink.hpp"
#include "input_file.hpp"
#include "progress_bar.hpp"
#include "raw_modes.hpp"
#include "warpaes/cipher.hpp"

namespace warpaes::cli {

struct RawJob {
  RawJob(RawMode of, Direction way) : mode(std::move(of)), direction(way) {}

  RawMode mode;
  Direction direction;
  bool padded = false;
  std::vector<uint8_t> iv;   // XTS: the tweak. AEAD: empty if it stands before the ciphertext
  uint64_t data_unit = 0;    // XTS
  std::vector<uint8_t> aad;  // AEAD, SIV
  bool has_aad = false;      // SIV: an empty piece is another message than none
  size_t tag_length = 16;
  /// Where the tag goes that does not stand behind the ciphertext; or null.
  std::function<void(std::span<const uint8_t>)> write_tag;
  unsigned threads = 1;      // of the CPU
  bool on_device = false;    // does a GPU do the bulk?
  std::vector<uint8_t> tag;  // the one that does not stand there, of decryption; or empty

  bool encrypts() const { return direction == Direction::encrypt; }
  Mode working_mode() const { return padded ? *mode.padded : mode.mode; }
  /// The nonce's, which may stand before the ciphertext.
  size_t nonce_length() const { return iv.empty() ? mode.info.recommended_nonce : iv.size(); }
  /// Of a sealed message in modes with nonces and tags: what stands before the text, and behind it. SIV has
  /// its tag before it (RFC 5297 section 2.6).
  size_t bytes_before() const {
    if (mode.is_siv()) return tag_length;
    return iv.empty() ? nonce_length() : 0;
  }
  size_t bytes_behind() const {
    const bool is_apart = encrypts() ? write_tag != nullptr : !tag.empty();
    return mode.is_siv() || is_apart ? 0 : tag_length;
  }
  /// How many bytes of the input are no text.
  size_t bytes_beside() const { return encrypts() ? 0 : bytes_before() + bytes_behind(); }
};

/// Refuses nonces and tags that the mode does not take: before anything is read.
void require_possible(const RawJob& job);
/// Refuses inputs that are too short or no multiple of what the mode needs.
void require_length(const RawJob& job, const std::string& name, uint64_t bytes);

/// @return bytes of plaintext
/// @param cipher of job.working_mode(), and its key
uint64_t run_raw(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                 std::span<const uint8_t> key, InputFile& from, ByteSink& to, const Progress& progress);

}  // namespace warpaes::cli
