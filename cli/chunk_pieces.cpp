#include "chunk_pieces.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "container_rejection.hpp"
#include "piece_runner.hpp"
#include "placed_output.hpp"

namespace warpaes::cli {
namespace {

/// How many pieces are on their way at a time where a GPU works on them: one can be read and one be written
/// while it works on the others.
constexpr uint64_t kPiecesOnDevice = 4;
/// Workers that wait for a pipe while the others work.
constexpr size_t kWaitingForPipes = 1;
/// Workers that wait for the disk, where nothing is read before it is asked for.
constexpr size_t kWaitingForDisk = 2;

/// Wrong chunks one behind the other of which each may be the last one with something appended. To look takes
/// as long as decrypting thousands, so in a large damaged part the search ends here.
constexpr uint64_t kMostLookedAt = 64;

/// Some chunks on their way.
struct Piece {
  warpaes::HostBuffer input, output;
  std::vector<int32_t> statuses;  // of salvaging
  uint64_t first = 0;             // chunk
  uint64_t read = 0;              // bytes of the input
  uint64_t plaintext = 0;         // bytes
  bool ends = false;              // with the container's last chunk, or with the lack of it
  bool cut = false;               // the lack of it
  std::span<const uint8_t> made = {};
  std::optional<Rejected> rejected = {};
};

class ChunkPieces {
 public:
  explicit ChunkPieces(const ChunkPass& pass);
  PassResult run();

 private:
  uint64_t source_offset(uint64_t chunk) const { return pass_.opening ? chunk_offset(chunk) : chunk * unit_; }
  /// Where a piece of sealed chunks belongs in the output.
  uint64_t sealed_place(const Piece& piece) const { return pass_.written + piece.first * kSealedChunkBytes; }
  /// Or does nobody want to know more than whether chunks are genuine?
  bool makes_output() const { return pass_.to != nullptr || pass_.sealing != nullptr; }
  size_t workers() const;
  bool read(PieceAt at);
  void work(PieceAt at);
  void write(PieceAt at);
  void open(Piece& piece) const;
  void find_end(Piece& piece);
  bool end_at(Piece& piece, size_t index, std::span<const uint8_t> sealed);
  void seal(Piece& piece) const;
  void put(const Piece& piece, uint64_t position) const;
  bool note_excess(const Piece& piece);
  void note_losses(const Piece& piece);
  void note_progress(uint64_t bytes);

  const ChunkPass& pass_;
  const uint64_t unit_;                    // bytes of a whole chunk in the input
  const std::optional<uint64_t> size_;     // of the input
  std::optional<uint64_t> chunks_;         // in all
  uint64_t first_ = 0, end_ = UINT64_MAX;  // the chunks that are wanted
  uint64_t chunks_a_piece_ = 1;
  bool in_place_ = false;  // pieces are read from their places, and not one behind the other
  std::vector<Piece> pieces_;
  std::atomic<uint64_t> last_chunk_ = UINT64_MAX;  // of salvaging, once it is known to come before the end
  uint64_t wrong_before_ = 0;                      // of salvaging: chunks one behind the other
  std::mutex mutex_;
  PassResult result_;
};

ChunkPieces::ChunkPieces(const ChunkPass& pass)
    : pass_(pass), unit_(pass.opening ? kSealedChunkBytes : kChunkBytes), size_(pass.from.size()) {
  std::optional<uint64_t> plaintext;
  if (size_ && pass.opening) {
    const ContainerLayout layout = layout_of(*size_);
    chunks_ = layout.chunks + (layout.complete ? 0 : 1);
    plaintext = layout.plaintext_bytes;
  } else if (size_) {
    chunks_ = chunks_of(*size_);
    plaintext = size_;
  }
  if (pass.range) {
    first_ = pass.range->offset / kChunkBytes;
    end_ = chunks_of(pass.range->offset + std::max<uint64_t>(pass.range->bytes, 1) - 1);
    plaintext = (end_ - first_) * kChunkBytes - 1;
  } else if (chunks_) {
    end_ = *chunks_;
  }
  chunks_a_piece_ = (pass.opening ? pass.opening : pass.sealing)->plan(plaintext).chunks_a_call;
  if (pass.engine.on_device) chunks_a_piece_ = (chunks_a_piece_ - 1) / kPiecesOnDevice + 1;
  // What is short is not worth it; and files of /proc and /sys, whose lengths are not true, are short.
  const bool is_long = chunks_ && *chunks_ > chunks_a_piece_;
  in_place_ = pass.from.has_random_access() && (is_long || pass.range);
}

size_t ChunkPieces::workers() const {
  if (size_ && end_ - first_ <= chunks_a_piece_) return 1;
  if (pass_.engine.on_device) return kPiecesOnDevice;
  const bool streams = !in_place_ || (pass_.to && !pass_.to->takes_any_order());
  return pass_.threads + (streams ? kWaitingForPipes : 0) +
         (pass_.from.bypasses_cache() ? kWaitingForDisk : 0);
}

PassResult ChunkPieces::run() {
  PieceRun run{.workers = workers()};
  run.in_order = {.read = !in_place_,
                  .work = pass_.threads == 1 && !pass_.engine.on_device,
                  .write = pass_.salvages || (pass_.to && !pass_.to->takes_any_order())};
  if (in_place_) run.pieces = (end_ - first_ - 1) / chunks_a_piece_ + 1;
  pieces_.resize(run.workers);
  run_pieces(run, {.read = [&](PieceAt at) { return read(at); },
                   .work = [&](PieceAt at) { work(at); },
                   .write = [&](PieceAt at) { write(at); }});
  return result_;
}

bool ChunkPieces::read(PieceAt at) {
  Piece& piece = pieces_[at.worker];
  const uint64_t room = chunks_a_piece_ * unit_;
  if (piece.input.size() == 0) {
    piece.input = warpaes::HostBuffer(pass_.engine.context, room + kPlacingRoom);
    if (makes_output()) {
      piece.output = warpaes::HostBuffer(
          pass_.engine.context,
          chunks_a_piece_ * (pass_.opening ? kChunkBytes : kSealedChunkBytes) + kPlacingRoom);
    }
  }
  piece.first = first_ + at.number * chunks_a_piece_;
  if (!in_place_) {
    piece.read = pass_.from.read({piece.input.data(), room});
    piece.ends = piece.read < room;
    return !piece.ends;
  }
  const uint64_t offset = source_offset(piece.first);
  const uint64_t end = std::min(piece.first + chunks_a_piece_, end_);
  const uint64_t wanted = std::min(*size_, source_offset(end)) - offset;
  pass_.from.read_all_at(offset, {piece.input.data(), wanted});
  piece.read = wanted;
  piece.ends = end == *chunks_;
  return true;
}

void ChunkPieces::work(PieceAt at) {
  Piece& piece = pieces_[at.worker];
  piece.rejected.reset();
  if (piece.first > last_chunk_) return;  // nothing of it is written
  if (pass_.opening) {
    open(piece);
  } else {
    piece.plaintext = piece.read;
  }
  if (pass_.sealing) seal(piece);
}

void ChunkPieces::open(Piece& piece) const {
  const uint64_t rest = piece.read % kSealedChunkBytes;
  piece.cut = piece.ends && rest < kTagBytes;
  const uint64_t bytes = piece.cut ? piece.read - rest : piece.read;
  const bool has_last = piece.ends && !piece.cut;
  if (pass_.salvages) piece.statuses.assign(bytes / kSealedChunkBytes + (has_last ? 1 : 0), WARPAES_OK);
  const ChunkVerdict verdict = pass_.opening->decrypt({.first = piece.first,
                                                       .input = {piece.input.data(), bytes},
                                                       .output = piece.output,
                                                       .ends = has_last,
                                                       .statuses = piece.statuses,
                                                       .container_length = size_.value_or(0)});
  piece.plaintext = verdict.length();
  if (!verdict && !pass_.salvages) {
    piece.rejected.emplace(verdict.status(), verdict.failed(), verdict.failed_offset());
    piece.plaintext = (verdict.failed() - piece.first) * kChunkBytes;
  }
  if (makes_output()) piece.made = {piece.output.data(), piece.plaintext};
}

void ChunkPieces::seal(Piece& piece) const {
  if (piece.rejected || piece.cut) {
    piece.made = {};
    return;
  }
  // What was opened is sealed again where it came from.
  const warpaes::HostBuffer& from = pass_.opening ? piece.output : piece.input;
  warpaes::HostBuffer& memory = pass_.opening ? piece.input : piece.output;
  const std::span<uint8_t> to =
      pass_.engine.on_device ? std::span(memory) : placed_output(memory, sealed_place(piece));
  const uint64_t sealed = pass_.sealing->encrypt(
      {.first = piece.first, .input = {from.data(), piece.plaintext}, .output = to, .ends = piece.ends});
  piece.made = {to.data(), sealed};
}

/// What was appended to a container makes a chunk of its last one that is too long, and wrong. No chunk
/// behind it is sound, so those are looked at that have no sound one behind them: pieces come here in order.
void ChunkPieces::find_end(Piece& piece) {
  size_t index = piece.statuses.size();
  while (index > 0 && piece.statuses[index - 1] != WARPAES_OK) index--;
  if (index > 0) wrong_before_ = 0;
  for (; index < piece.statuses.size(); index++) {
    if (wrong_before_ >= kMostLookedAt) return;
    wrong_before_++;
    const uint64_t at = index * kSealedChunkBytes;
    if (end_at(piece, index, {piece.input.data() + at, std::min(kSealedChunkBytes, piece.read - at)})) return;
  }
}

/// Does the container end in this chunk? Opens it then.
bool ChunkPieces::end_at(Piece& piece, size_t index, std::span<const uint8_t> sealed) {
  // A tag is one byte, repeated, with a chance of 2^-120; damage often is: zeros for what a disk could not
  // read.
  if (std::ranges::all_of(sealed, [&](uint8_t byte) { return byte == sealed.front(); })) return false;
  const uint64_t chunk = piece.first + index, offset = chunk_offset(chunk);
  const ChunkVerdict why = pass_.opening->decrypt(
      {.first = chunk, .input = sealed, .output = {}, .ends = sealed.size() < kSealedChunkBytes});
  if (why.status() != WARPAES_ERROR_TRAILING_DATA) return false;
  const uint64_t end = why.failed_offset() - offset, at = index * kChunkBytes;
  const ChunkVerdict last = pass_.opening->decrypt({.first = chunk,
                                                    .input = sealed.first(end),
                                                    .output = std::span(piece.output).subspan(at, end),
                                                    .ends = true});
  if (!last) return false;
  piece.statuses.resize(index + 1);
  piece.statuses[index] = WARPAES_OK;
  piece.plaintext = at + last.length();
  piece.made = {piece.output.data(), piece.plaintext};
  piece.cut = false;
  result_.appended = piece.read - (index * kSealedChunkBytes + end);
  last_chunk_ = chunk;
  return true;
}

void ChunkPieces::write(PieceAt at) {
  Piece& piece = pieces_[at.worker];
  if (pass_.salvages) {
    if (note_excess(piece)) return;
    find_end(piece);
  }
  const uint64_t begin = piece.first * kChunkBytes;
  if (pass_.sealing) {
    put(piece, sealed_place(piece));
  } else if (makes_output()) {
    const ByteRange all = pass_.range.value_or(ByteRange{0, UINT64_MAX});
    const uint64_t from = std::max(all.offset, begin);
    const uint64_t to = std::min(all.offset + all.bytes, begin + piece.plaintext);
    piece.made = from < to ? piece.made.subspan(from - begin, to - from) : std::span<const uint8_t>();
    piece.plaintext = piece.made.size();
    put(piece, pass_.written + from - all.offset);
  }
  if (pass_.salvages) note_losses(piece);
  if (piece.rejected) throw Rejected(*piece.rejected);
  if (piece.cut && !pass_.salvages) require_container_length(chunk_offset(piece.first) + piece.read);
  note_progress(piece.plaintext);
}

void ChunkPieces::put(const Piece& piece, uint64_t position) const {
  if (pass_.to != nullptr && !piece.made.empty()) pass_.to->write_at(position, piece.made);
}

/// Pieces come here in order. @return does this one lie behind the container's end?
bool ChunkPieces::note_excess(const Piece& piece) {
  if (result_.appended == 0) return false;
  result_.appended += piece.read;
  return true;
}

/// Pieces come here in order, too.
void ChunkPieces::note_losses(const Piece& piece) {
  result_.end_is_missing = piece.cut;
  result_.last_is_lost = piece.ends && !piece.cut && !piece.statuses.empty() &&
                         piece.statuses.back() != WARPAES_OK && result_.appended == 0;
  std::vector<ByteRange>& lost = result_.lost;
  for (size_t index = 0; index < piece.statuses.size(); index++) {
    if (piece.statuses[index] == WARPAES_OK) continue;
    const uint64_t at = index * kChunkBytes;
    const ByteRange here{piece.first * kChunkBytes + at, std::min(kChunkBytes, piece.plaintext - at)};
    if (!lost.empty() && lost.back().offset + lost.back().bytes == here.offset) {
      lost.back().bytes += here.bytes;
    } else {
      lost.push_back(here);
    }
  }
}

void ChunkPieces::note_progress(uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  result_.plaintext_bytes += bytes;
  if (pass_.progress) pass_.progress(result_.plaintext_bytes);
}

}  // namespace

PassResult run_pass(const ChunkPass& pass) { return ChunkPieces(pass).run(); }

}  // namespace warpaes::cli
