#include "raw_whole.hpp"

#include <optional>
#include <vector>

#include "shown_name.hpp"
#include "spool.hpp"
#include "warpaes/kdf.hpp"
#include "whole_input.hpp"

namespace warpaes::cli {

void require_genuine(const Verdict& verdict) {
  if (!verdict)
    throw Error(verdict.status(), "authentication failed: wrong key, nonce or additional data, or damaged");
}

namespace {

/// A wrong tag becomes the complaint that its status has.
/// @return bytes of plaintext
uint64_t length_of_genuine(const Verdict& verdict, const char* otherwise) {
  if (!verdict) throw Error(verdict.status(), otherwise);
  return verdict.length();
}

/// nonce | ciphertext | tag: the nonce if it was made here, the tag unless it has a file of its own.
uint64_t seal_message(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> text,
                      ByteSink& to) {
  std::vector<uint8_t> made_here(job.iv.empty() ? job.nonce_length() : 0), tag(job.tag_length);
  warpaes::random(made_here);
  cipher.encrypt({.input = text,
                  .output = text,
                  .nonce = made_here.empty() ? job.iv : made_here,
                  .aad = job.aad,
                  .tag = tag});
  to.write(made_here);
  to.write(text);
  if (job.write_tag) {
    job.write_tag(tag);
  } else {
    to.write(tag);
  }
  return text.size();
}

/// A sealed message: what stands before and behind the ciphertext is its nonce, its tag, or nothing.
struct Sealed {
  std::span<const uint8_t> before;
  std::span<uint8_t> text;
  std::span<const uint8_t> behind;
};

void open_aead(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  require_genuine(cipher.decrypt({.input = sealed.text,
                                  .output = sealed.text,
                                  .nonce = sealed.before.empty() ? Input(job.iv) : Input(sealed.before),
                                  .aad = job.aad,
                                  .tag = sealed.behind.empty() ? Input(job.tag) : Input(sealed.behind)}));
}

/// SIV's associated data, if it was given.
std::span<const warpaes_bytes> strings_of(const RawJob& job, const warpaes_bytes& piece) {
  return std::span(&piece, job.has_aad ? 1 : 0);
}

void open_siv(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  const warpaes_bytes piece = Input(job.aad);
  const Verdict verdict = cipher.decrypt({.input = sealed.text,
                                          .output = sealed.text,
                                          .nonce = job.iv,
                                          .tag = sealed.before,
                                          .strings = strings_of(job, piece)});
  length_of_genuine(verdict, "the tag is wrong: wrong key, or damaged data");
}

/// In place. If the tag is wrong, the text is zero.
void open_text(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed) {
  (job.mode.is_siv() ? open_siv : open_aead)(job, cipher, sealed);
}

uint64_t open_message(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> all,
                      ByteSink& to) {
  const size_t before = job.bytes_before(), behind = job.bytes_behind();
  const std::span<uint8_t> text = all.subspan(before, all.size() - before - behind);
  open_text(job, cipher, {all.first(before), text, all.last(behind)});
  to.write(text);
  return text.size();
}

/// A long file's message is opened where its plaintext will be: in the pages of an output that is gone if the
/// tag is wrong. So it may be longer than memory, and the system has what it needs of it there.
/// @return bytes of plaintext; nothing, with nothing read, if input or output are not files like that
std::optional<uint64_t> open_in_place(const RawJob& job, const warpaes::Cipher& cipher, const InputFile& from,
                                      ByteSink& to) {
  if (job.encrypts() || job.mode.wraps() || !to.leaves_no_trace()) return {};
  if (!from.has_random_access() || from.bypasses_cache() || *from.size() <= kKeptInMemory) return {};
  std::vector<uint8_t> before(job.bytes_before()), behind(job.bytes_behind());
  const uint64_t bytes = *from.size() - before.size() - behind.size();
  const std::span<uint8_t> text = to.memory(bytes);
  if (text.empty()) return {};
  from.read_all_at(0, before);
  from.read_all_at(before.size(), text);
  from.read_all_at(before.size() + bytes, behind);
  open_text(job, cipher, {before, text, behind});
  return bytes;
}

/// The tag, then the ciphertext.
uint64_t seal_siv(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> text, ByteSink& to) {
  const warpaes_bytes piece = Input(job.aad);
  std::vector<uint8_t> tag(job.tag_length);
  cipher.encrypt(
      {.input = text, .output = text, .nonce = job.iv, .tag = tag, .strings = strings_of(job, piece)});
  to.write(tag);
  to.write(text);
  return text.size();
}

uint64_t wrapping(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                  std::span<const uint8_t> input, ByteSink& to) {
  warpaes::HostBuffer output(context, output_size(job.mode.mode, job.direction, input.size()));
  if (job.encrypts()) {
    const uint64_t length = cipher.encrypt({.input = input, .output = output});
    to.write({output.data(), length});
    return input.size();
  }
  const uint64_t length = length_of_genuine(cipher.decrypt({.input = input, .output = output}),
                                            "wrapped under another key, or damaged");
  to.write({output.data(), length});
  return length;
}

}  // namespace

uint64_t run_whole(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                   InputFile& from, ByteSink& to) {
  if (const std::optional<uint64_t> opened = open_in_place(job, cipher, from, to)) return *opened;
  WholeInput message(context, from);
  const std::span<uint8_t> bytes = message.bytes();
  require_length(job, shown(from.name()), bytes.size());
  if (job.mode.wraps()) return wrapping(job, context, cipher, bytes, to);
  if (!job.encrypts()) return open_message(job, cipher, bytes, to);
  return (job.mode.is_siv() ? seal_siv : seal_message)(job, cipher, bytes, to);
}

}  // namespace warpaes::cli
