#include "raw_parts.hpp"

#include <optional>
#include <vector>

#include "raw_pass.hpp"
#include "raw_whole.hpp"
#include "shown_name.hpp"
#include "text_source.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/operation.hpp"

namespace warpaes::cli {
namespace {

/// Writes what is left of the message, and the tag, if there is one, behind it or to its file.
/// @return bytes of plaintext
uint64_t run(const Pass& pass, warpaes::Operation& operation) {
  const RawJob& job = pass.job;
  const PassEnd end = run_pass(pass);
  require_length(job, pass.name, end.read);
  warpaes::HostBuffer last(pass.context, operation.finish_size() + 1);
  const Verdict verdict = operation.finish(last);
  if (!verdict) throw Error(verdict.status(), warpaes_last_error());
  const uint64_t bytes = verdict.length();
  const uint64_t of_message = bytes - (job.mode.is_aead() ? job.tag_length : 0);
  pass.to->write_at(end.written, {last.data(), job.write_tag ? of_message : bytes});
  if (job.write_tag) job.write_tag({last.data() + of_message, job.tag_length});
  return job.encrypts() ? end.read : end.written + of_message;
}

/// Nothing if the context has no CPU engine: a GPU seals and opens whole messages only.
std::optional<warpaes::Operation> begin(const RawJob& job, const warpaes::Cipher& cipher, Input nonce) {
  const warpaes::OperationOptions options{.nonce = nonce, .aad = job.aad, .tag_length = job.tag_length};
  try {
    return job.encrypts() ? warpaes::Operation(cipher, options)
                          : warpaes::Operation::unverified(cipher, options);
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_UNSUPPORTED) throw;
    return std::nullopt;
  }
}

/// Opens a message, whose plaintext may be an attacker's until this has returned.
/// @param text what the pass reads: it knows the tag when it has been read
/// @return bytes of plaintext
uint64_t open_unverified(const Pass& pass, warpaes::Operation& operation, const InputText& text) {
  const RawJob& job = pass.job;
  const PassEnd end = run_pass(pass);
  require_length(job, pass.name, job.bytes_beside() + end.read + text.tag().size() - text.tag_length());
  warpaes::HostBuffer last(pass.context, operation.finish_size() + 1);
  const Verdict verdict = operation.verify(job.tag.empty() ? Input(text.tag()) : Input(job.tag), last);
  require_genuine(job.mode, verdict);
  if (pass.to) pass.to->write_at(end.written, {last.data(), verdict.length()});
  return end.written + verdict.length();
}

/// Opens nonce | ciphertext | tag, as run_whole() does.
std::optional<uint64_t> open(const RawJob& job, const warpaes::Context& context,
                             const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                             const Progress& progress) {
  const std::string name = shown(from.name());
  std::vector<uint8_t> nonce = job.iv;
  if (nonce.empty()) {
    const std::span<const uint8_t> first = from.peek(job.nonce_length());
    if (first.size() < job.nonce_length()) require_length(job, name, first.size());
    nonce.assign(first.begin(), first.end());
  }
  std::optional<warpaes::Operation> operation = begin(job, cipher, nonce);
  if (!operation) return std::nullopt;
  from.skip(job.iv.empty() ? nonce.size() : 0);
  InputText text(from, job.tag.empty() ? job.tag_length : 0);
  const auto update = [&operation](Input in, Output out) { return operation->update(in, out); };
  if (to.leaves_no_trace()) {
    return open_unverified({job, name, context, update, text, &to, 0, progress}, *operation, text);
  }
  // What is read again is what was verified: the spool sees to that.
  Spool spool(context);
  SpoolingText first_time(text, spool);
  open_unverified({job, name, context, update, first_time, nullptr, 0, progress}, *operation, text);
  operation = begin(job, cipher, nonce);
  SpooledText again(spool);
  return open_unverified({job, name, context, update, again, &to}, *operation, text);
}

/// nonce | ciphertext | tag, as run_whole() has it.
std::optional<uint64_t> seal(const RawJob& job, const warpaes::Context& context,
                             const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                             const Progress& progress) {
  std::vector<uint8_t> made_here(job.iv.empty() ? job.nonce_length() : 0);
  warpaes::random(made_here);
  std::optional<warpaes::Operation> operation = begin(job, cipher, made_here.empty() ? job.iv : made_here);
  if (!operation) return std::nullopt;
  to.write_at(0, made_here);
  InputText text(from, 0);
  const auto update = [&operation](Input in, Output out) { return operation->update(in, out); };
  const std::string name = shown(from.name());
  return run({job, name, context, update, text, &to, made_here.size(), progress}, *operation);
}

}  // namespace

std::optional<uint64_t> run_in_parts(const RawJob& job, const warpaes::Context& context,
                                     const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                                     const Progress& progress) {
  if (job.mode.has_parts && !job.mode.streams()) {
    return (job.encrypts() ? seal : open)(job, context, cipher, from, to, progress);
  }
  if (!job.mode.streams()) return std::nullopt;
  warpaes::Operation operation(cipher,
                               {.direction = job.direction, .nonce = job.iv, .data_unit = job.data_unit});
  InputText text(from, 0);
  const auto update = [&operation](Input in, Output out) { return operation.update(in, out); };
  const std::string name = shown(from.name());
  return run({job, name, context, update, text, &to, 0, progress}, operation);
}

}  // namespace warpaes::cli
