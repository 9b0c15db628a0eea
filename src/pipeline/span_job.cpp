#include "pipeline/span_job.hpp"

#include <algorithm>
#include <cstring>

#include "pipeline/share.hpp"
#include "primitives/align.hpp"

namespace warpaes::core {
namespace {

/// The device works in place. Pageable memory goes through the parcel, which the host's threads fill and
/// empty: CUDA would copy it by one thread, and everybody would wait for that.
class SpanJob : public HostJob {
 public:
  SpanJob(WorkerThreads& threads, const Span& span, const SpanWork& work, SpanWorkspace workspace,
          bool pinned)
      : threads_(threads), span_(span), work_(work), workspace_(workspace), copied_(!pinned) {}

  uint64_t units() const override { return divided_up(span_.bytes, span_.unit_bytes); }
  uint64_t unit_bytes() const override { return span_.unit_bytes; }
  void spoil(Status) const override { wipe(span_.output, span_.bytes); }
  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    return copied_ ? sizes.copied_piece : sizes.piece;
  }
  bool fetch_overwrites_input() const override { return !copied_ && span_.input == span_.output; }

  using HostJob::run_on_cpu;
  void run_on_cpu(const Engine& engine, Piece piece) const override {
    const Part part = part_of(piece);
    work_(engine, {part.at, span_.input + part.at, span_.output + part.at, part.bytes, nullptr, 0, nullptr});
  }

  SlotNeed need(const Engine& engine, uint64_t units) const override {
    const uint64_t bytes = part_of({0, units}).bytes;
    return {workspace_at(bytes) + workspace_bytes(engine, bytes), copied_ ? bytes : 0};
  }

  void send(const Engine&, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    if (copied_) copy(slot.parcel, span_.input + part.at, part.bytes);
    copy_to_device(slot.memory, copied_ ? slot.parcel : span_.input + part.at, part.bytes, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    work_(engine, {part.at, slot.memory, slot.memory, part.bytes, slot.memory + workspace_at(part.bytes),
                   workspace_bytes(engine, part.bytes), slot.work});
  }

  void fetch(const Engine&, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    copy_to_host(copied_ ? slot.parcel : span_.output + part.at, slot.memory, part.bytes, slot.out);
  }

  void finish(const Engine&, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    if (copied_) copy(span_.output + part.at, slot.parcel, part.bytes);
  }

 private:
  struct Part {
    uint64_t at, bytes;
  };

  Part part_of(Piece piece) const {
    const uint64_t at = piece.first * span_.unit_bytes, left = span_.bytes - at;
    return {at, piece.count > left / span_.unit_bytes ? left : piece.count * span_.unit_bytes};
  }

  static uint64_t workspace_at(uint64_t bytes) { return rounded_up(bytes, 256); }
  size_t workspace_bytes(const Engine& engine, uint64_t bytes) const {
    return workspace_ == nullptr ? 0 : workspace_(engine, bytes);
  }

  void copy(uint8_t* to, const uint8_t* from, uint64_t bytes) const {
    share(threads_, bytes, 1, [&](uint64_t at, uint64_t count) { std::memcpy(to + at, from + at, count); });
  }

  WorkerThreads& threads_;
  const Span& span_;
  const SpanWork& work_;
  const SpanWorkspace workspace_;
  const bool copied_;
};

}  // namespace

void run_span(const Context& context, const Span& span, const SpanWork& work, SpanWorkspace workspace,
              uint64_t shares) {
  const HostWork host = work_of(context, span.bytes, shares, span.input, span.output);
  run_job(context, host, SpanJob(context.state().threads, span, work, workspace, host.pinned));
}

void run_span_by(const Engine& engine, const Context& context, const Span& span, const SpanWork& work) {
  const HostWork host = work_of(context, span.bytes, UINT64_MAX, span.input, span.output);
  run_job_by(engine, context, SpanJob(context.state().threads, span, work, nullptr, host.pinned));
}

}  // namespace warpaes::core
