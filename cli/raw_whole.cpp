#include "raw_whole.hpp"

#include <array>

#include "shown_name.hpp"
#include "warpaes/kdf.hpp"
#include "whole_input.hpp"

namespace warpaes::core::cli {
namespace {}  // namespace

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

uint64_t open_message(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> all,
                      ByteSink& to) {
  const size_t nonce_length = job.iv.empty() ? job.nonce_length() : 0;
  const size_t tag_length = job.tag.empty() ? job.tag_length : 0;
  const std::span<uint8_t> text = all.subspan(nonce_length, all.size() - nonce_length - tag_length);
  const Verdict verdict =
      cipher.decrypt({.input = text,
                      .output = text,
                      .nonce = job.iv.empty() ? Input(all.first(nonce_length)) : Input(job.iv),
                      .aad = job.aad,
                      .tag = job.tag.empty() ? Input(all.last(tag_length)) : Input(job.tag)});
  require_genuine(verdict);
  to.write(text);
  return text.size();
}

/// RFC 5297 section 2.6: the tag, then the ciphertext.
uint64_t siv(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> all, ByteSink& to) {
  const std::array<warpaes_bytes, 1> piece = {Input(job.aad)};
  const std::span<const warpaes_bytes> strings = std::span(piece).first(job.has_aad ? 1 : 0);
  std::array<uint8_t, 16> tag;
  if (job.encrypts()) {
    cipher.encrypt({.input = all, .output = all, .nonce = job.iv, .tag = tag, .strings = strings});
    to.write(tag);
    to.write(all);
    return all.size();
  }
  const std::span<uint8_t> text = all.subspan(tag.size());
  const Verdict verdict = cipher.decrypt(
      {.input = text, .output = text, .nonce = job.iv, .tag = all.first(tag.size()), .strings = strings});
  length_of_genuine(verdict, "the tag is wrong: wrong key, or damaged data");
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
  WholeInput message(context, from);
  const std::span<uint8_t> bytes = message.bytes();
  require_length(job, shown(from.name()), bytes.size());
  if (job.mode.wraps()) return wrapping(job, context, cipher, bytes, to);
  if (job.mode.is_siv()) return siv(job, cipher, bytes, to);
  return (job.encrypts() ? seal_message : open_message)(job, cipher, bytes, to);
}

}  // namespace warpaes::core::cli
