#include "raw_parts.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "piece_runner.hpp"
#include "placed_output.hpp"
#include "raw_whole.hpp"
#include "shown_name.hpp"
#include "text_source.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/operation.hpp"

namespace warpaes::cli {
namespace {

/// A thread's share of a piece: long enough to be worth waking it, and still in the cache when it is written.
constexpr uint64_t kShareOfThread = 512 << 10;
constexpr uint64_t kShortestPiece = 1 << 20, kLongestPiece = 4 << 20;
/// More copy no faster from and to files, and each has memory.
constexpr size_t kMostWorkers = 16;
/// One is read and one written while the GPU works on others.
constexpr size_t kWorkersOfDevice = 4;
/// A worker that waits for a pipe while the others work.
constexpr size_t kWaitingForPipe = 1;

/// A piece of the message and what it becomes. Its memory is there once it is needed: short messages need
/// one.
struct Piece {
  warpaes::HostBuffer input, output;
  uint64_t read = 0;
  std::span<const uint8_t> made = {};  // in `output`
  uint64_t position = 0;               // of what was made
};

/// One pass over a message's text.
struct Pass {
  const RawJob& job;
  const std::string& name;  // of the input
  const warpaes::Context& context;
  warpaes::Operation& operation;
  TextSource& text;
  ByteSink* to;          // null: nowhere
  uint64_t written = 0;  // to it, before the text
  Progress progress = {};
};

/// The pieces are worked on one after the other, each by all threads, and read and written in any order where
/// that is possible.
class Parts {
 public:
  explicit Parts(const Pass& pass)
      : pass_(pass),
        room_(room_for(pass)),
        held_(std::max<uint64_t>(pass.job.data_unit, 32)),
        in_place_(pass.text.bytes_in_place()),
        end_(pass.written) {}

  /// @return bytes read
  uint64_t run() {
    PieceRun run{.workers = workers()};
    run.in_order = {.read = !in_place_, .work = true, .write = writes_in_order()};
    if (in_place_) run.pieces = std::max<uint64_t>((*in_place_ + room_ - 1) / room_, 1);
    pieces_.resize(run.workers);
    run_pieces(run, {.read = [this](PieceAt at) { return read(at); },
                     .work = [this](PieceAt at) { work(pieces_[at.worker]); },
                     .write = [this](PieceAt at) { write(pieces_[at.worker]); }});
    return read_;
  }

  /// Where what follows the pieces has its place.
  uint64_t end() const { return end_; }

 private:
  static uint64_t piece_bytes(const Pass& pass) {
    if (pass.job.on_device) return kRawPiece;
    return std::clamp(pass.job.threads * kShareOfThread, kShortestPiece, kLongestPiece);
  }

  /// One byte more than is expected, so that the end is seen. Files of /proc expect none, and may hold much.
  static uint64_t room_for(const Pass& pass) {
    constexpr uint64_t kLeast = 64 << 10;
    const uint64_t expected = std::max(pass.text.expected().value_or(UINT64_MAX), kLeast);
    return std::min(expected, piece_bytes(pass) - 1) + 1;
  }

  bool writes_in_order() const { return pass_.to && !pass_.to->takes_any_order(); }

  size_t workers() const {
    if (pass_.job.on_device) return kWorkersOfDevice;
    return std::min<size_t>(pass_.job.threads, kMostWorkers) +
           (in_place_ && !writes_in_order() ? 0 : kWaitingForPipe);
  }

  bool read(PieceAt at) {
    Piece& piece = pieces_[at.worker];
    if (piece.input.size() == 0) {
      piece.input = warpaes::HostBuffer(pass_.context, room_);
      piece.output = warpaes::HostBuffer(pass_.context, room_ + held_ + kPlacingRoom);
    }
    const uint64_t offset = at.number * room_;
    const uint64_t wanted = in_place_ ? std::min(*in_place_ - offset, room_) : room_;
    piece.read = pass_.text.read(offset, {piece.input.data(), wanted});
    return in_place_ || piece.read == wanted;
  }

  void work(Piece& piece) {
    read_ += piece.read;
    // Only the most that there may be: the rest is looked at when the input has ended.
    if (pass_.job.mode.is_aead()) require_length(pass_.job, pass_.name, pass_.job.bytes_beside() + read_);
    const std::span<uint8_t> output = placed_output(piece.output, end_);
    piece.made = output.first(pass_.operation.update({piece.input.data(), piece.read}, output));
    piece.position = end_;
    end_ += piece.made.size();
    if (pass_.progress) pass_.progress(read_);
  }

  void write(const Piece& piece) {
    if (pass_.to) pass_.to->write_at(piece.position, piece.made);
  }

  const Pass& pass_;
  const uint64_t room_, held_;
  const std::optional<uint64_t> in_place_;
  std::vector<Piece> pieces_;
  uint64_t read_ = 0, end_;
};

/// Writes what is left of the message, and the tag, if there is one, behind it or to its file.
/// @return bytes of plaintext
uint64_t run(const Pass& pass) {
  const RawJob& job = pass.job;
  Parts parts(pass);
  const uint64_t read = parts.run();
  require_length(job, pass.name, read);
  warpaes::HostBuffer last(pass.context, pass.operation.finish_size() + 1);
  const Verdict verdict = pass.operation.finish(last);
  if (!verdict) throw Error(verdict.status(), warpaes_last_error());
  const uint64_t bytes = verdict.length();
  const uint64_t of_message = bytes - (job.mode.is_aead() ? job.tag_length : 0);
  pass.to->write_at(parts.end(), {last.data(), job.write_tag ? of_message : bytes});
  if (job.write_tag) job.write_tag({last.data() + of_message, job.tag_length});
  return job.encrypts() ? read : parts.end() + of_message;
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
uint64_t open_unverified(const Pass& pass, const InputText& text) {
  const RawJob& job = pass.job;
  Parts parts(pass);
  const uint64_t read = parts.run();
  require_length(job, pass.name, job.bytes_beside() + read + text.tag().size() - text.tag_length());
  warpaes::HostBuffer last(pass.context, pass.operation.finish_size() + 1);
  const Verdict verdict = pass.operation.verify(job.tag.empty() ? Input(text.tag()) : Input(job.tag), last);
  require_genuine(verdict);
  if (pass.to) pass.to->write_at(parts.end(), {last.data(), verdict.length()});
  return parts.end() + verdict.length();
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
  if (to.leaves_no_trace())
    return open_unverified({job, name, context, *operation, text, &to, 0, progress}, text);
  // What is read again is what was verified: nobody else can reach the spool.
  Spool spool;
  SpoolingText first_time(text, spool);
  open_unverified({job, name, context, *operation, first_time, nullptr, 0, progress}, text);
  operation = begin(job, cipher, nonce);
  SpooledText again(spool);
  return open_unverified({job, name, context, *operation, again, &to}, text);
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
  return run({job, shown(from.name()), context, *operation, text, &to, made_here.size(), progress});
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
  return run({job, shown(from.name()), context, operation, text, &to, 0, progress});
}

}  // namespace warpaes::cli
