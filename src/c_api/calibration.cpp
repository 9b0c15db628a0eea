// How fast CPU and GPUs are together on host memory: measured, told and stored.
#include "c_api/handles.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/speed_store.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

static_assert(kWorkKinds * kCallSizes <= WARPAES_MOST_HOST_SPEEDS);

void require_choice(const Context& context) {
  if (!context.forced() && context.state().has_cpu()) return;
  throw Failure(
      WARPAES_ERROR_UNSUPPORTED,
      "this context has one engine for all calls, so there is no choice to measure: create one with "
      "engine \"auto\", and with a timing class that an engine of the CPU's has");
}

warpaes_host_speed told(const Context& context, WorkKind kind, CallSize size, const HostSpeed& speed) {
  warpaes_host_speed row = {};
  row.work = name_of(kind);
  row.least_length = least_bytes(context.state().sizes, size);
  row.one_thread = speed.one_thread;
  row.all_threads = speed.all_threads;
  row.with_gpu_pageable = speed.with_gpu_pageable;
  row.with_gpu_pinned = speed.with_gpu_pinned;
  row.gpu_for_pageable = speed.gpu_takes_part({.bytes = row.least_length, .pinned = false});
  row.gpu_for_pinned = speed.gpu_takes_part({.bytes = row.least_length, .pinned = true});
  return row;
}

AllHostSpeeds measured(const Context& context, warpaes_calibration& calibration) {
  AllHostSpeeds speeds;
  for (size_t kind = 0; kind < kWorkKinds; kind++) {
    for (CallSize size = 0; size < kCallSizes; size++) {
      const auto work = static_cast<WorkKind>(kind);
      speeds[kind][size] = measure_host_speed(context, work, size);
      calibration.speeds[calibration.speed_count++] = told(context, work, size, speeds[kind][size]);
    }
  }
  return speeds;
}

}  // namespace

warpaes_status warpaes_context_calibrate(const warpaes_context* handle, warpaes_calibration* calibration) {
  return guarded([&] {
    read_structure(calibration, "calibration");
    require(handle, "context");
    const Context& context = handle->context;
    require_choice(context);
    warpaes_calibration known = {};
    const AllHostSpeeds speeds = measured(context, known);
    speed_file(context).string().copy(known.file, sizeof known.file - 1);
    if (!context.has_device_engine()) {
      context.state().why_no_gpu.copy(known.why_no_gpu, sizeof known.why_no_gpu - 1);
    }
    write_structure(calibration, known);
    store_speeds(context, speeds);
  });
}
