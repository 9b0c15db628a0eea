// One pass over a message's text, in pieces: read, worked on and written at the same time.
#pragma once

#include <functional>
#include <string>

#include "raw_job.hpp"
#include "text_source.hpp"

namespace warpaes::cli {

/// Long enough for a GPU to be worth its while.
constexpr size_t kRawPiece = 16 << 20;

struct Pass {
  const RawJob& job;
  const std::string& name;  // of the input
  const warpaes::Context& context;
  /// What is done with each piece, one after the other: it gets room for a data unit or two blocks more than
  /// the piece has, and tells how many bytes it has written. All but the last piece have whole blocks.
  std::function<uint64_t(Input, Output)> update;
  TextSource& text;
  ByteSink* to;          // null: nowhere
  uint64_t written = 0;  // to it, before the text
  Progress progress = {};
};

struct PassEnd {
  uint64_t read;     // bytes of the text
  uint64_t written;  // where what follows has its place
};

/// The pieces are worked on one after the other, each by all threads, and read and written in any order where
/// that is possible.
PassEnd run_pass(const Pass& pass);

}  // namespace warpaes::cli
