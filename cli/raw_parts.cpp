#include "raw_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "derivation/derivation.hpp"
#include "operations/operation.hpp"
#include "overlapped.hpp"

namespace warpaes::cli {
namespace {

/// One to read to, one to work on, one to write.
constexpr size_t kSlots = 3;

/// A piece of the message and what it becomes. Its memory is there once it is needed: short messages need
/// one.
struct Piece {
  std::optional<HostBuffer> input, output;
  size_t read = 0, made = 0;
};

class Parts {
 public:
  Parts(const RawJob& job, const Context& context, const InputFile& from, Operation& operation)
      : job_(job),
        context_(context),
        operation_(operation),
        // One byte more than is expected, so that the end is seen.
        room_(std::min<uint64_t>(from.size().value_or(kRawPiece), kRawPiece - 1) + 1),
        held_(std::max<uint64_t>(job.data_unit_bytes, 32)) {}

  uint64_t worked() const { return worked_; }
  uint64_t made() const { return made_; }

  void run(InputFile& from, ByteSink& to, const Progress& progress) {
    run_overlapped(kSlots, {.read = [&](size_t slot) { return read(from, pieces_[slot]); },
                            .work =
                                [&](size_t slot) {
                                  work(from.name(), pieces_[slot]);
                                  progress(worked_);
                                },
                            .write =
                                [&](size_t slot) {
                                  const Piece& piece = pieces_[slot];
                                  to.write({piece.output->data(), piece.made});
                                }});
  }

 private:
  bool read(InputFile& from, Piece& piece) const {
    if (!piece.input) {
      piece.input.emplace(context_, room_);
      piece.output.emplace(context_, room_ + held_);
    }
    piece.read = from.read({piece.input->data(), piece.input->size()});
    return piece.read == piece.input->size();
  }

  void work(const std::string& name, Piece& piece) {
    worked_ += piece.read;
    if (job_.mode.aead) require_length(job_, name, worked_);  // the most; others are looked at when they end
    piece.made =
        operation_.update(piece.input->data(), piece.read, piece.output->data(), piece.output->size());
    made_ += piece.made;
  }

  const RawJob& job_;
  const Context& context_;
  Operation& operation_;
  const uint64_t room_, held_;
  std::array<Piece, kSlots> pieces_;
  uint64_t worked_ = 0, made_ = 0;
};

/// Writes what is left of the message, and the tag, if there is one, behind it or to its file.
/// @return bytes of the message
uint64_t finish(const RawJob& job, const Context& context, Operation& operation, ByteSink& to) {
  HostBuffer last(context, operation.finish_bytes() + 1);
  const uint64_t bytes = operation.finish(last.data(), last.size());
  const uint64_t of_message = bytes - (job.mode.aead ? job.tag_bytes : 0);
  to.write({last.data(), job.write_tag ? of_message : bytes});
  if (job.write_tag) job.write_tag({last.data() + of_message, job.tag_bytes});
  return of_message;
}

uint64_t run(const RawJob& job, const Context& context, Operation& operation, InputFile& from, ByteSink& to,
             const Progress& progress) {
  Parts parts(job, context, from, operation);
  parts.run(from, to, progress);
  require_length(job, from.name(), parts.worked());
  const uint64_t last = finish(job, context, operation, to);
  return job.encrypts() ? parts.worked() : parts.made() + last;
}

/// nonce | ciphertext | tag, as run_whole() has it.
uint64_t seal(const RawJob& job, Context& context, const Key& key, InputFile& from, ByteSink& to,
              const Progress& progress) {
  std::vector<uint8_t> made_here(job.iv.empty() ? job.mode.iv_bytes : 0);
  random_public(made_here);
  Operation operation(key, {.mode = *job.mode.sealing,
                            .iv = made_here.empty() ? job.iv : made_here,
                            .tag_bytes = job.tag_bytes,
                            .aad = job.aad});
  to.write(made_here);
  return run(job, context, operation, from, to, progress);
}

uint64_t crypt(const RawJob& job, Context& context, const Key& key, const Key* tweak_key, InputFile& from,
               ByteSink& to, const Progress& progress) {
  Operation operation(key, {.mode = *(job.padded ? job.mode.padded : job.mode.mode),
                            .direction = job.direction,
                            .tweak_key = tweak_key,
                            .iv = job.iv,
                            .data_unit_bytes = job.data_unit_bytes});
  return run(job, context, operation, from, to, progress);
}

}  // namespace

uint64_t run_in_parts(const RawJob& job, Context& context, std::span<const uint8_t> bytes, InputFile& from,
                      ByteSink& to, const Progress& progress) {
  if (job.mode.sealing) return seal(job, context, Key(context, bytes), from, to, progress);
  if (!job.mode.is_xts()) return crypt(job, context, Key(context, bytes), nullptr, from, to, progress);
  // IEEE 1619 section 5.1: Key = Key1 | Key2.
  const Key key(context, bytes.first(bytes.size() / 2)), tweak_key(context, bytes.last(bytes.size() / 2));
  return crypt(job, context, key, &tweak_key, from, to, progress);
}

}  // namespace warpaes::cli
