#include "raw_pass.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "piece_runner.hpp"
#include "placed_output.hpp"

namespace warpaes::cli {
namespace {

/// Still in the cache when it is written, and half of it is worth waking a thread of the library.
constexpr uint64_t kPieceOfCpu = 1 << 20;
/// A file in memory lets one writer in at a time. The pieces of more workers would leave the cache meanwhile.
constexpr size_t kMostWorkers = 6;
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

class Parts {
 public:
  explicit Parts(const Pass& pass)
      : pass_(pass),
        room_(room_for(pass)),
        held_(std::max<uint64_t>(pass.job.data_unit, 32)),
        in_place_(pass.text.bytes_in_place()),
        end_(pass.written) {}

  PassEnd run() {
    PieceRun run{.workers = workers()};
    run.in_order = {.read = !in_place_, .work = true, .write = writes_in_order()};
    if (in_place_) run.pieces = std::max<uint64_t>((*in_place_ + room_ - 1) / room_, 1);
    pieces_.resize(run.workers);
    run_pieces(run, {.read = [this](PieceAt at) { return read(at); },
                     .work = [this](PieceAt at) { work(pieces_[at.worker]); },
                     .write = [this](PieceAt at) { write(pieces_[at.worker]); }});
    return {read_, end_};
  }

 private:
  static uint64_t piece_bytes(const Pass& pass) { return pass.job.on_device ? kRawPiece : kPieceOfCpu; }

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
    if (pass_.crypt) {
      const std::span<uint8_t> output = placed_output(piece.output, pass_.written + offset);
      pass_.crypt(offset, {piece.input.data(), piece.read}, output.first(piece.read));
    }
    return in_place_ || piece.read == wanted;
  }

  void work(Piece& piece) {
    read_ += piece.read;
    // Only the most that there may be: the rest is looked at when the input has ended.
    if (pass_.job.mode.is_aead()) require_length(pass_.job, pass_.name, pass_.job.bytes_beside() + read_);
    const std::span<uint8_t> output = placed_output(piece.output, end_);
    piece.made = output.first(pass_.update({piece.input.data(), piece.read}, output));
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

}  // namespace

PassEnd run_pass(const Pass& pass) { return Parts(pass).run(); }

}  // namespace warpaes::cli
