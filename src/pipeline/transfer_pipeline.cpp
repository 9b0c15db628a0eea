#include "pipeline/transfer_pipeline.hpp"

#include <algorithm>

namespace warpaes::core {
namespace {

uint64_t units_of(const TransferJob& job, uint64_t bytes) {
  return std::max<uint64_t>(bytes / job.unit_bytes(), 1);
}

/// There are as many slots as pieces, but no more than memory allows.
size_t slots_for(const TransferSizes& sizes, SlotNeed need, uint64_t pieces) {
  const size_t slots = sizes.most_device_memory / std::max<size_t>(need.device_bytes, 1);
  return std::min<uint64_t>(pieces, std::clamp<size_t>(slots, 2, sizes.slots));
}

}  // namespace

TransferPipeline::TransferPipeline(TransferPool& pool, const TransferSizes& sizes, const Engine& engine,
                                   const TransferJob& job, PieceQueue& queue, TransferProgress& progress)
    : sizes_(sizes),
      engine_(engine),
      job_(job),
      queue_(queue),
      progress_(progress),
      device_(pool.device()),
      units_per_piece_(std::min(units_of(job, job.piece_bytes(sizes)), job.units())),
      transfer_(take_lease(pool)) {}

/// While there is too little memory, on the device or pinned, pieces are halved, and then slots.
TransferPool::Lease TransferPipeline::take_lease(TransferPool& pool) {
  const uint64_t least = std::min(units_of(job_, sizes_.least_piece), units_per_piece_);
  size_t most_slots = sizes_.slots;
  for (;;) {
    need_ = job_.need(engine_, units_per_piece_);
    const uint64_t pieces = (job_.units() - 1) / units_per_piece_ + 1;
    const size_t slots = std::min(slots_for(sizes_, need_, pieces), most_slots);
    try {
      return pool.checkout(slots, need_);
    } catch (const Failure& failure) {
      const bool smallest = units_per_piece_ == least;
      if (!failure.is_passing() || (smallest && slots == 1)) throw;
      if (smallest) most_slots = slots / 2;
      units_per_piece_ = std::max(units_per_piece_ / 2, least);
    }
  }
}

void TransferPipeline::run(bool alone) {
  const DeviceScope scope(device_);
  try {
    while (const std::optional<Piece> piece = take_piece(alone)) start(*piece);
    while (!flying_.empty()) finish_oldest();
  } catch (...) {
    abandon();
    throw;
  }
}

std::optional<Piece> TransferPipeline::take_piece(bool alone) {
  if (flying_.size() == transfer_->slots()) finish_oldest();
  uint64_t most = units_per_piece_;
  if (!alone) {
    // All slots together hold half of what is left at most: these pieces wait for each other, and meanwhile
    // somebody else could be done with the rest.
    const uint64_t share = queue_.left() / (2 * transfer_->slots());
    most = std::min(most, std::max(share, units_of(job_, sizes_.least_piece)));
  }
  std::optional<Piece> piece = queue_.take_front(most);
  if (!piece) return {};
  const uint64_t fitting = job_.fitting(engine_, *piece, need_);
  queue_.give_back({piece->first + fitting, piece->count - fitting});
  return Piece{piece->first, fitting};
}

void TransferPipeline::start(Piece piece) {
  Flying& flying = flying_.emplace_back(Flying{.piece = piece, .slot = next_slot_});
  next_slot_ = (next_slot_ + 1) % transfer_->slots();
  const Slot slot = transfer_->slot(flying.slot);
  progress_.output_touched = true;
  job_.send(engine_, slot, piece);
  transfer_->sent(flying.slot);
  job_.work(engine_, slot, piece);
  transfer_->worked(flying.slot);
  flying.step = Step::fetching;
  job_.fetch(engine_, slot, piece);
  transfer_->fetched(flying.slot);
  flying.step = Step::fetched;
}

void TransferPipeline::finish_oldest() {
  transfer_->wait_for(flying_.front().slot);
  finish(flying_.front());
  flying_.pop_front();
}

void TransferPipeline::finish(Flying& flying) {
  flying.step = Step::finishing;
  job_.finish(engine_, transfer_->slot(flying.slot), flying.piece);
}

/// Nothing may be copied any more when somebody else begins these pieces, so this waits for the streams.
/// Pieces that the device has done are finished, as their input may have been overwritten.
void TransferPipeline::abandon() {
  bool settled = true;
  try {
    transfer_->settle();
  } catch (const Failure&) {  // the failure that led here is the one to be told
    settled = false;
  }
  for (Flying& flying : flying_) {
    if (settled && flying.step >= Step::fetched && finishes(flying)) continue;
    if (has_lost_input(flying)) {
      progress_.input_lost = true;
    } else {
      queue_.give_back(flying.piece);
    }
  }
  flying_.clear();
}

bool TransferPipeline::has_lost_input(const Flying& flying) const {
  const Overwrites overwrites = job_.overwrites_input();
  return (overwrites == Overwrites::in_fetch && flying.step >= Step::fetching) ||
         (overwrites == Overwrites::in_finish && flying.step >= Step::finishing);
}

bool TransferPipeline::finishes(Flying& flying) {
  try {
    finish(flying);
    return true;
  } catch (const std::exception&) {  // there is no memory
    return false;
  }
}

}  // namespace warpaes::core
