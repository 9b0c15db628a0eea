// `warpaes bench`: from its options to its report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report.hpp"
#include "warpaes/context.h"

namespace warpaes::bench {

struct BenchOptions {
  std::vector<std::string> modes = {"ecb", "ctr", "gcm", "xts", "cbc-decrypt", "cfb-decrypt"};
  std::vector<int> key_bits = {128, 192, 256};
  std::vector<std::string> directions = {"encrypt", "decrypt"};
  // The length of each message; empty: 1 GiB on a GPU, 64 MiB on a CPU, and 16 KiB in modes whose blocks
  // chain.
  std::vector<uint64_t> bytes;
  uint64_t messages = 1;            // in a call; more than one in AEAD modes and in modes whose blocks chain
  uint64_t data_unit_bytes = 4096;  // XTS
  bool ragged = false;              // messages have random lengths from 0 to `bytes`, evenly distributed
  bool key_each = false;            // a key for each message: AEAD modes, and batches
  bool framed = false;         // nonce, ciphertext and tag of each message one behind the other: AEAD modes
  uint32_t misaligned_by = 0;  // how far input and output begin behind a multiple of 16: 0 to 15
  bool listed = false;         // arrays of addresses say where inputs and outputs are: batches
  std::vector<std::string> places;  // empty: device for GPU engines, pageable for the others
  // auto: the best that can run here; shared: what the library chooses by itself for host memory, which may
  // be GPUs and the CPU's threads together
  std::vector<std::string> engines = {"auto"};
  warpaes_timing timing = WARPAES_TIMING_LEAKY;  // the weakest class that is acceptable
  std::vector<int> devices = {0};  // those that share calls on host memory; the first has the others
  unsigned threads = 0;            // CPU threads; 0: all
  unsigned samples = 0;            // 0: 3 to 9, so that they take about 3 seconds at most
  double seconds = 0;              // of a run without gaps behind the samples, with energy; 0: none
  bool limits = false;
  std::string limits_from;  // a report that has them; empty: none
};

/// Throws an Error(WARPAES_ERROR_OPTION or that of a length) for options that make no sense, before anything
/// runs.
/// @return how many results were wrong
unsigned run_bench(const BenchOptions& options, Report& report);

}  // namespace warpaes::bench
