// The table of production kernels for those who only read it. Its rows are in kernel_rows.hpp.
#pragma once

#include <span>

#include "kernels/kernel.hpp"
#include "warpaes/context.h"

namespace warpaes::core::kernels {

/// One of the kernels that share a row: for one direction or mode, or for per-message keys.
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
