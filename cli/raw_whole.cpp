#include "raw_whole.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "failure_report.hpp"
#include "raw_two_passes.hpp"
#include "shown_name.hpp"
#include "warpaes/kdf.hpp"
#include "whole_input.hpp"

namespace warpaes::cli {

Error error_of_wrong_tag(const RawMode& mode) {
  return Error(WARPAES_ERROR_AUTHENTICATION,
               mode.is_siv() ? "the tag is wrong: wrong key, or damaged data"
                             : "authentication failed: wrong key, nonce or additional data, or damaged");
}

void require_genuine(const RawMode& mode, const Verdict& verdict) {
  if (!verdict) throw error_of_wrong_tag(mode);
}

namespace {

/// Of a wrapped key, which has neither a nonce nor additional data.
/// @return bytes of plaintext
uint64_t length_of_genuine_key(const Verdict& verdict, const std::string& name) {
  if (verdict) return verdict.length();
  throw Refusal(ExitCode::damaged, name + ": wrapped under another key, or damaged",
                "the key and the mode, kw or kwp, must be those of the wrapping; else the data was changed");
}

/// SIV's associated data, if it was given.
std::span<const warpaes_bytes> strings_of(const RawJob& job, const warpaes_bytes& piece) {
  return std::span(&piece, job.has_aad ? 1 : 0);
}

/// What stands beside the ciphertext of a message: the nonce if it was made here, and the tag, which is
/// before it in SIV.
struct Beside {
  std::vector<uint8_t> before, behind;
};

Beside seal_siv(const RawJob& job, const warpaes::Cipher& cipher, Input text, Output into) {
  const warpaes_bytes piece = Input(job.aad);
  std::vector<uint8_t> tag(job.tag_length);
  cipher.encrypt(
      {.input = text, .output = into, .nonce = job.iv, .tag = tag, .strings = strings_of(job, piece)});
  return {std::move(tag), {}};
}

Beside seal_aead(const RawJob& job, const warpaes::Cipher& cipher, Input text, Output into) {
  std::vector<uint8_t> made_here(job.iv.empty() ? job.nonce_length() : 0), tag(job.tag_length);
  warpaes::random(made_here);
  cipher.encrypt({.input = text,
                  .output = into,
                  .nonce = made_here.empty() ? job.iv : made_here,
                  .aad = job.aad,
                  .tag = tag});
  return {std::move(made_here), std::move(tag)};
}

/// @param into as many bytes as the text has: the same memory, or other
Beside seal_text(const RawJob& job, const warpaes::Cipher& cipher, Input text, Output into) {
  return (job.mode.is_siv() ? seal_siv : seal_aead)(job, cipher, text, into);
}

/// Writes the tag to its own file, if it has one, and then it is not behind the ciphertext.
void put_apart(const RawJob& job, Beside& beside) {
  if (!job.write_tag) return;
  job.write_tag(beside.behind);
  beside.behind.clear();
}

void open_aead(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  require_genuine(job.mode,
                  cipher.decrypt({.input = sealed.text,
                                  .output = sealed.text,
                                  .nonce = sealed.before.empty() ? Input(job.iv) : Input(sealed.before),
                                  .aad = job.aad,
                                  .tag = sealed.behind.empty() ? Input(job.tag) : Input(sealed.behind)}));
}

void open_siv(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  const warpaes_bytes piece = Input(job.aad);
  const Verdict verdict = cipher.decrypt({.input = sealed.text,
                                          .output = sealed.text,
                                          .nonce = job.iv,
                                          .tag = sealed.before,
                                          .strings = strings_of(job, piece)});
  require_genuine(job.mode, verdict);
}

/// In place. If the tag is wrong, the text is zero.
void open_text(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  (job.mode.is_siv() ? open_siv : open_aead)(job, cipher, sealed);
}

uint64_t wrapping(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                  std::span<const uint8_t> input, const std::string& name, ByteSink& to) {
  warpaes::HostBuffer output(context, output_size(job.mode.mode, job.direction, input.size()));
  if (job.encrypts()) {
    const uint64_t length = cipher.encrypt({.input = input, .output = output});
    to.write({output.data(), length});
    return input.size();
  }
  const uint64_t length = length_of_genuine_key(cipher.decrypt({.input = input, .output = output}), name);
  to.write({output.data(), length});
  return length;
}

}  // namespace

uint64_t seal_message(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> text,
                      ByteSink& to) {
  Beside beside = seal_text(job, cipher, text, text);
  put_apart(job, beside);
  to.write(beside.before);
  to.write(text);
  to.write(beside.behind);
  return text.size();
}

uint64_t open_message(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed, ByteSink& to) {
  open_text(job, cipher, sealed);
  to.write(sealed.text);
  return sealed.text.size();
}

uint64_t run_whole(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                   std::span<const uint8_t> key, InputFile& from, ByteSink& to, const Progress& progress) {
  const std::optional<uint64_t> done = run_in_two_passes(job, context, cipher, key, from, to, progress);
  if (done) return *done;
  WholeInput message(context, from);
  const std::span<uint8_t> bytes = message.bytes();
  require_length(job, shown(from.name()), bytes.size());
  if (job.mode.wraps()) return wrapping(job, context, cipher, bytes, shown(from.name()), to);
  if (job.encrypts()) return seal_message(job, cipher, bytes, to);
  const size_t before = job.bytes_before(), behind = job.bytes_behind();
  const std::span<uint8_t> text = bytes.subspan(before, bytes.size() - before - behind);
  return open_message(job, cipher, {bytes.first(before), text, bytes.last(behind)}, to);
}

}  // namespace warpaes::cli
