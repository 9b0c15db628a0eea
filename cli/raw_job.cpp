#include "raw_job.hpp"

#include <algorithm>

#include "aead_message.hpp"
#include "derivation/derivation.hpp"
#include "modes/modes.hpp"
#include "operations/operation.hpp"
#include "whole_input.hpp"

namespace warpaes::cli {
namespace {

/// Long enough for a GPU to be worth its while.
constexpr size_t kPiece = 16 << 20;

uint64_t by_parts(const RawJob& job, const Context& context, const Key& key, const Key* tweak_key,
                  InputFile& from, ByteSink& to, const Progress& progress) {
  Operation operation(key, {.mode = *(job.padded ? job.mode.padded : job.mode.mode),
                            .direction = job.direction,
                            .tweak_key = tweak_key,
                            .iv = job.iv,
                            .data_unit_bytes = job.data_unit_bytes});
  const uint64_t held = std::max<uint64_t>(job.data_unit_bytes, 32);
  HostBuffer input(context, kPiece), output(context, kPiece + held);
  uint64_t read = 0, written = 0;
  for (size_t got = input.size(); got == input.size();) {
    got = from.read({input.data(), input.size()});
    read += got;
    const uint64_t made = operation.update(input.data(), got, output.data(), output.size());
    to.write({output.data(), made});
    written += made;
    progress(read);
  }
  require_length(job, from.name(), read);
  const uint64_t last = operation.finish(output.data(), output.size());
  to.write({output.data(), last});
  return job.encrypts() ? read : written + last;
}

uint64_t in_parts(const RawJob& job, Context& context, std::span<const uint8_t> bytes, InputFile& from,
                  ByteSink& to, const Progress& progress) {
  if (!job.mode.is_xts()) return by_parts(job, context, Key(context, bytes), nullptr, from, to, progress);
  // IEEE 1619 section 5.1: Key = Key1 | Key2.
  const Key key(context, bytes.first(bytes.size() / 2)), tweak_key(context, bytes.last(bytes.size() / 2));
  return by_parts(job, context, key, &tweak_key, from, to, progress);
}

/// nonce | ciphertext | tag: the nonce if it was made here, the tag unless it has a file of its own.
uint64_t seal(const RawJob& job, const Key& key, WholeInput& message, ByteSink& to) {
  std::vector<uint8_t> made_here;
  if (job.iv.empty()) {
    made_here.resize(job.mode.iv_bytes);
    random_public(made_here);
  }
  std::vector<uint8_t> tag(job.tag_bytes);
  const std::span<const uint8_t> nonce(made_here.empty() ? job.iv : made_here);
  AeadMessage{*job.mode.aead, nonce, job.aad, message.bytes()}.seal(key, tag);
  to.write(made_here);
  to.write(message.bytes());
  if (job.write_tag) {
    job.write_tag(tag);
  } else {
    to.write(tag);
  }
  return message.bytes().size();
}

uint64_t open(const RawJob& job, const Key& key, WholeInput& message, ByteSink& to) {
  const size_t nonce_bytes = job.iv.empty() ? job.mode.iv_bytes : 0;
  const size_t tag_bytes = job.tag.empty() ? job.tag_bytes : 0;
  const std::span<uint8_t> all = message.bytes();
  const std::span<const uint8_t> nonce = job.iv.empty() ? all.first(nonce_bytes) : std::span(job.iv);
  const std::span<const uint8_t> tag = job.tag.empty() ? all.last(tag_bytes) : std::span(job.tag);
  const std::span<uint8_t> text = all.subspan(nonce_bytes, all.size() - nonce_bytes - tag_bytes);
  AeadMessage{*job.mode.aead, nonce, job.aad, text}.open(key, tag);
  to.write(text);
  return text.size();
}

uint64_t as_a_whole(const RawJob& job, Context& context, std::span<const uint8_t> bytes, InputFile& from,
                    ByteSink& to) {
  const Key key(context, bytes);
  WholeInput message(context, from);
  require_length(job, from.name(), message.bytes().size());
  return (job.encrypts() ? seal : open)(job, key, message, to);
}

}  // namespace

uint64_t run_raw(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                 ByteSink& to, const Progress& progress) {
  return job.mode.aead ? as_a_whole(job, context, key, from, to)
                       : in_parts(job, context, key, from, to, progress);
}

const Engine& raw_engine(const RawJob& job, const Context& context, uint64_t bytes) {
  const bool chains = job.encrypts() ? job.mode.encryption_chains : job.mode.decryption_chains;
  const uint64_t shares = job.mode.aead ? 1 : UINT64_MAX;
  const Engine& engine = context.engine_for({chains ? 0 : std::min<uint64_t>(bytes, kPiece), shares});
  if (!job.mode.aead || has_aead(engine, *job.mode.aead)) return engine;
  return context.engine_for(HostWork{0});
}

}  // namespace warpaes::cli
