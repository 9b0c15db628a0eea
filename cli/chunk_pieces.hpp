// A file's chunks in pieces: each is read, opened or sealed or both, and written.
#pragma once

#include <optional>
#include <vector>

#include "byte_range.hpp"
#include "byte_sink.hpp"
#include "container_engines.hpp"
#include "input_file.hpp"
#include "progress_bar.hpp"

namespace warpaes::cli {

/// One pass over the chunks of a file.
struct ChunkPass {
  ContainerEngines::Choice engine;
  unsigned threads;                     // of the CPU
  InputFile& from;                      // a container's header has been read
  ByteSink* to;                         // null: nowhere
  uint64_t written = 0;                 // to it, before the chunks
  const Container* opening = nullptr;   // null: what is read is plaintext
  const Container* sealing = nullptr;   // null: what is written is plaintext
  std::optional<ByteRange> range = {};  // of a plaintext that is written; lies in it
  bool salvages = false;                // zeros for chunks that are wrong, in place of a failure
  Progress progress = {};               // with bytes of plaintext; one thread at a time
};

struct PassResult {
  uint64_t plaintext_bytes = 0;      // written
  std::vector<ByteRange> lost = {};  // with `salvages`: chunks that are wrong, in order, neighbours as one
  bool end_is_missing = false;       // with `salvages`: there is no last chunk
  bool last_is_lost = false;         // with `salvages`: it is wrong, or was cut, which looks the same
  uint64_t appended = 0;             // with `salvages`: bytes behind the last chunk, which are left out
};

/// Opened chunks are written only when their tags have been checked. Chunks before the first wrong one are
/// written, and Rejected is thrown then.
PassResult run_pass(const ChunkPass& pass);

}  // namespace warpaes::cli
