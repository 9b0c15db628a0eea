#include "raw_whole.hpp"

#include "aead_message.hpp"
#include "derivation/derivation.hpp"
#include "pipeline/key_wrap_host.hpp"
#include "pipeline/siv_host.hpp"
#include "whole_input.hpp"

namespace warpaes::cli {
namespace {

using KeyBytes = std::span<const uint8_t>;

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

uint64_t aead(const RawJob& job, Context& context, KeyBytes bytes, WholeInput& message, ByteSink& to) {
  const Key key(context, bytes);
  return (job.encrypts() ? seal : open)(job, key, message, to);
}

/// RFC 5297 section 2.6: the tag, then the ciphertext. A nonce is the last piece of the additional data
/// (section 3).
uint64_t siv(const RawJob& job, Context& context, KeyBytes bytes, WholeInput& message, ByteSink& to) {
  const size_t half = bytes.size() / 2;
  const Key mac_key(context, bytes.first(half)), key(context, bytes.last(half));
  std::vector<const uint8_t*> pieces;
  std::vector<uint64_t> lengths;
  const auto add = [&](const std::vector<uint8_t>& piece) {
    pieces.push_back(piece.data());
    lengths.push_back(piece.size());
  };
  if (job.has_aad) add(job.aad);
  if (!job.iv.empty()) add(job.iv);
  MacBlock tag;
  const size_t leading = job.encrypts() ? 0 : tag.size();
  const std::span<uint8_t> text = message.bytes().subspan(leading);
  std::copy_n(message.bytes().data(), leading, tag.data());
  siv_host(mac_key, key,
           {job.direction, pieces.data(), lengths.data(), pieces.size(), text.data(), text.data(),
            text.size(), tag.data()});
  if (job.encrypts()) to.write(tag);
  to.write(text);
  return text.size();
}

uint64_t wrapping(const RawJob& job, Context& context, KeyBytes bytes, WholeInput& message, ByteSink& to) {
  const Key key(context, bytes);
  const Wrapping mode = *job.mode.wrapping;
  const std::span<const uint8_t> input = message.bytes();
  const uint64_t room =
      job.encrypts() ? wrapped_bytes(mode, input.size()) : unwrapped_room(mode, input.size());
  HostBuffer output(context, room);
  if (job.encrypts()) {
    key_wrap_host(key, mode, {input.data(), output.data(), input.size()});
    to.write({output.data(), room});
    return input.size();
  }
  const uint64_t unwrapped = key_unwrap_host(key, mode, {input.data(), output.data(), input.size()});
  to.write({output.data(), unwrapped});
  return unwrapped;
}

}  // namespace

uint64_t run_whole(const RawJob& job, Context& context, std::span<const uint8_t> key, InputFile& from,
                   ByteSink& to) {
  WholeInput message(context, from);
  require_length(job, from.name(), message.bytes().size());
  if (job.mode.aead) return aead(job, context, key, message, to);
  return (job.mode.wrapping ? wrapping : siv)(job, context, key, message, to);
}

}  // namespace warpaes::cli
