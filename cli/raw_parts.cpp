#include "raw_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "piece_runner.hpp"
#include "shown_name.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/operation.hpp"

namespace warpaes::core::cli {
namespace {

/// One piece is read, one is worked on, one is written.
constexpr size_t kWorkers = 3;

/// A piece of the message and what it becomes. Its memory is there once it is needed: short messages need
/// one.
struct Piece {
  std::optional<warpaes::HostBuffer> input, output;
  size_t read = 0, made = 0;
};

class Parts {
 public:
  Parts(const RawJob& job, const warpaes::Context& context, const InputFile& from,
        warpaes::Operation& operation)
      : job_(job),
        context_(context),
        operation_(operation),
        // One byte more than is expected, so that the end is seen.
        room_(std::min<uint64_t>(from.size().value_or(kRawPiece), kRawPiece - 1) + 1),
        held_(std::max<uint64_t>(job.data_unit, 32)) {}

  uint64_t worked() const { return worked_; }
  uint64_t made() const { return made_; }

  void run(InputFile& from, ByteSink& to, const Progress& progress) {
    run_pieces({.workers = kWorkers}, {.read = [&](PieceAt at) { return read(from, pieces_[at.worker]); },
                                       .work =
                                           [&](PieceAt at) {
                                             work(shown(from.name()), pieces_[at.worker]);
                                             progress(worked_);
                                           },
                                       .write =
                                           [&](PieceAt at) {
                                             const Piece& piece = pieces_[at.worker];
                                             to.write({piece.output->data(), piece.made});
                                           }});
  }

 private:
  bool read(InputFile& from, Piece& piece) const {
    if (!piece.input) {
      piece.input.emplace(context_, room_);
      piece.output.emplace(context_, room_ + held_);
    }
    piece.read = from.read(*piece.input);
    return piece.read == piece.input->size();
  }

  void work(const std::string& name, Piece& piece) {
    worked_ += piece.read;
    if (job_.mode.is_aead())
      require_length(job_, name, worked_);  // the most; others are looked at when they end
    piece.made = operation_.update({piece.input->data(), piece.read}, *piece.output);
    made_ += piece.made;
  }

  const RawJob& job_;
  const warpaes::Context& context_;
  warpaes::Operation& operation_;
  const uint64_t room_, held_;
  std::array<Piece, kWorkers> pieces_;
  uint64_t worked_ = 0, made_ = 0;
};

/// Writes what is left of the message, and the tag, if there is one, behind it or to its file.
/// @return bytes of the message
uint64_t finish(const RawJob& job, const warpaes::Context& context, warpaes::Operation& operation,
                ByteSink& to) {
  warpaes::HostBuffer last(context, operation.finish_size() + 1);
  const Verdict verdict = operation.finish(last);
  if (!verdict) throw Error(verdict.status(), warpaes_last_error());
  const uint64_t bytes = verdict.length();
  const uint64_t of_message = bytes - (job.mode.is_aead() ? job.tag_length : 0);
  to.write({last.data(), job.write_tag ? of_message : bytes});
  if (job.write_tag) job.write_tag({last.data() + of_message, job.tag_length});
  return of_message;
}

uint64_t run(const RawJob& job, const warpaes::Context& context, warpaes::Operation& operation,
             InputFile& from, ByteSink& to, const Progress& progress) {
  Parts parts(job, context, from, operation);
  parts.run(from, to, progress);
  require_length(job, shown(from.name()), parts.worked());
  const uint64_t last = finish(job, context, operation, to);
  return job.encrypts() ? parts.worked() : parts.made() + last;
}

/// Nothing if the context has no CPU engine: a GPU seals whole messages only.
std::optional<warpaes::Operation> sealing(const RawJob& job, const warpaes::Cipher& cipher, Input nonce) {
  try {
    return warpaes::Operation(cipher, {.nonce = nonce, .aad = job.aad, .tag_length = job.tag_length});
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_UNSUPPORTED) throw;
    return std::nullopt;
  }
}

/// nonce | ciphertext | tag, as run_whole() has it.
std::optional<uint64_t> seal(const RawJob& job, const warpaes::Context& context,
                             const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                             const Progress& progress) {
  std::vector<uint8_t> made_here(job.iv.empty() ? job.nonce_length() : 0);
  warpaes::random(made_here);
  std::optional<warpaes::Operation> operation = sealing(job, cipher, made_here.empty() ? job.iv : made_here);
  if (!operation) return std::nullopt;
  to.write(made_here);
  return run(job, context, *operation, from, to, progress);
}

}  // namespace

std::optional<uint64_t> run_in_parts(const RawJob& job, const warpaes::Context& context,
                                     const warpaes::Cipher& cipher, InputFile& from, ByteSink& to,
                                     const Progress& progress) {
  if (job.encrypts() && job.mode.seals_in_parts) return seal(job, context, cipher, from, to, progress);
  if (!job.mode.streams()) return std::nullopt;
  warpaes::Operation operation(cipher,
                               {.direction = job.direction, .nonce = job.iv, .data_unit = job.data_unit});
  return run(job, context, operation, from, to, progress);
}

}  // namespace warpaes::core::cli
