#include "pipeline/span_job.hpp"

#include <cstring>

#include "modes/mac_chain.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core {
namespace {

/// The device works in place. Pageable memory goes through the parcel, which the host's threads fill and
/// empty: CUDA would copy it by one thread, and everybody would wait for that.
class SpanJob : public HostJob {
 public:
  SpanJob(WorkerThreads& threads, const Span& span, const SpanTask& task, bool pinned)
      : threads_(threads), span_(span), task_(task), copied_(!pinned) {}

  uint64_t units() const override { return divided_up(span_.bytes, span_.unit_bytes); }
  uint64_t unit_bytes() const override { return span_.unit_bytes; }
  void spoil(Status) const override { wipe(span_.output, span_.bytes); }
  uint64_t piece_bytes(const TransferSizes& sizes) const override {
    return sizes.piece_of(span_.bytes, copied_ ? sizes.copied_piece : sizes.piece);
  }
  Overwrites overwrites_input() const override {
    if (span_.input != span_.output) return Overwrites::never;
    return copied_ ? Overwrites::in_finish : Overwrites::in_fetch;
  }

  using HostJob::run_on_cpu;
  void run_on_cpu(const Engine& engine, Piece piece) const override {
    const Part part = part_of(piece);
    SecretBlock result;
    task_.work(engine, {.at = part.at,
                        .input = span_.input + part.at,
                        .output = span_.output + part.at,
                        .bytes = part.bytes,
                        .result = result.data()});
    if (task_.collect) task_.collect(engine, part.at, part.bytes, result.data());
  }

  SlotNeed need(const Engine& engine, uint64_t units) const override {
    const Layout layout = layout_for(engine, part_of({0, units}).bytes);
    return {layout.end, layout.parcel_end};
  }

  void send(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    uint8_t* const parcel = slot.parcel + layout_for(engine, part.bytes).payload_in_parcel;
    if (copied_) copy(parcel, span_.input + part.at, part.bytes);
    copy_to_device(slot.memory, copied_ ? parcel : span_.input + part.at, part.bytes, slot.in);
  }

  void work(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    const Layout layout = layout_for(engine, part.bytes);
    task_.work(engine, {.at = part.at,
                        .input = slot.memory,
                        .output = slot.memory,
                        .bytes = part.bytes,
                        .result = slot.memory + layout.result,
                        .device = slot.device,
                        .workspace = slot.memory + layout.workspace,
                        .workspace_bytes = layout.end - layout.workspace,
                        .stream = slot.work});
  }

  void fetch(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    const Layout layout = layout_for(engine, part.bytes);
    copy_to_host(copied_ ? slot.parcel + layout.payload_in_parcel : span_.output + part.at, slot.memory,
                 part.bytes, slot.out);
    if (task_.collect) copy_to_host(slot.parcel, slot.memory + layout.result, kSpanResultBytes, slot.out);
  }

  void finish(const Engine& engine, const Slot& slot, Piece piece) const override {
    const Part part = part_of(piece);
    if (task_.collect) task_.collect(engine, part.at, part.bytes, slot.parcel);
    if (!copied_) return;
    copy(span_.output + part.at, slot.parcel + layout_for(engine, part.bytes).payload_in_parcel, part.bytes);
  }

 private:
  struct Part {
    uint64_t at, bytes;
  };
  /// Where things lie in a slot. On the device the payload comes first, in the parcel the result does.
  struct Layout {
    uint64_t result, workspace, end;
    uint64_t payload_in_parcel, parcel_end;
  };

  Part part_of(Piece piece) const {
    const uint64_t at = piece.first * span_.unit_bytes, left = span_.bytes - at;
    return {at, piece.count > left / span_.unit_bytes ? left : piece.count * span_.unit_bytes};
  }

  Layout layout_for(const Engine& engine, uint64_t bytes) const {
    Placement device, parcel;
    device.place(bytes);
    Layout layout{};
    layout.result = device.place(task_.collect ? kSpanResultBytes : 0);
    layout.workspace = device.place(task_.workspace == nullptr ? 0 : task_.workspace(engine, bytes));
    layout.end = device.end;
    parcel.place(task_.collect ? kSpanResultBytes : 0);
    layout.payload_in_parcel = parcel.place(copied_ ? bytes : 0);
    layout.parcel_end = parcel.end;
    return layout;
  }

  void copy(uint8_t* to, const uint8_t* from, uint64_t bytes) const {
    share(threads_, bytes, 1, [&](uint64_t at, uint64_t count) { std::memcpy(to + at, from + at, count); });
  }

  WorkerThreads& threads_;
  const Span& span_;
  const SpanTask& task_;
  const bool copied_;
};

HostWork work_of(const Context& context, const Span& span, const SpanTask& task) {
  return work_of(context, span.bytes, task.shares, {span.input, span.bytes}, {span.output, span.bytes});
}

}  // namespace

void run_span(const Context& context, const Span& span, const SpanTask& task) {
  HostWork work = work_of(context, span, task);
  work.kind = task.kind;
  run_job(context, work, SpanJob(context.state().threads, span, task, work.pinned));
}

void run_span_by(const Workers& workers, const Context& context, const Span& span, const SpanTask& task) {
  const HostWork work = work_of(context, span, task);
  run_job_by(workers, context, SpanJob(context.state().threads, span, task, work.pinned));
}

}  // namespace warpaes::core
