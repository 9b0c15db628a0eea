// `warpaes bench`: the whole plan from options to a report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "report.hpp"

namespace warpaes::core::bench {

struct BenchOptions {
  std::vector<std::string> modes = {"ecb", "ctr", "gcm", "xts", "cbc-decrypt", "cfb-decrypt"};
  std::vector<int> key_bits = {128, 192, 256};
  std::vector<std::string> directions = {"encrypt", "decrypt"};
  std::vector<uint64_t> bytes;                  // of each message; empty: 1 GiB on a GPU, 64 MiB on a CPU,
                                                // 16 KiB if its blocks chain
  uint64_t messages = 1;                        // in a call; more than one: AEAD and modes that chain
  uint64_t data_unit_bytes = 4096;              // XTS
  bool ragged = false;                          // lengths are even from 0 to `bytes`; GCM only
  bool key_each = false;                        // AEAD modes, and batches
  std::vector<std::string> places;              // empty: device for GPU engines, pageable for the others
  std::vector<std::string> engines = {"auto"};  // auto: the best there is
  TimingClass timing = WARPAES_TIMING_LEAKY;    // the weakest that is acceptable
  int device = 0;
  unsigned threads = 0;  // of the CPU; 0: all
  unsigned samples = 0;  // 0: 9, or fewer, but 3 at least, so that they take some 3 seconds at most
  bool limits = false;
};

/// Throws Failure(WARPAES_ERROR_OPTION or a length's) for options of no meaning, before anything runs.
/// @return how many results were wrong
unsigned run_bench(const BenchOptions& options, Report& report);

}  // namespace warpaes::core::bench
