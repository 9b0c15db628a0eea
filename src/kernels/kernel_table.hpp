// The table of production kernels, as who walks it sees it; kernel_rows.hpp has the rows.
#pragma once

#include <span>

#include "kernels/kernel.hpp"
#include "warpaes/context.h"

namespace warpaes::core::kernels {

/// One kernel of a row: of a direction, a mode, or with keys of its own.
struct KernelVariant {
  KernelPolicy (*policy)(const LaunchPolicy& on, int rounds);
  CudaError (*prepare)(const LaunchPolicy& policy);
};

/// What a kernel is, in words.
struct KernelRow {
  const char* name = nullptr;
  const char* idea = nullptr;    // in one sentence
  const char* source = nullptr;  // the paper, standard or page that it goes back to
  warpaes_timing timing = WARPAES_TIMING_LEAKY;
  const char* modes = nullptr;
  std::span<const KernelVariant> variants = {};
};

/// All production kernels.
std::span<const KernelRow> kernel_table();

}  // namespace warpaes::core::kernels
