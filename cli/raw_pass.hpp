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
  /// What is done with each piece before that, in any order and by several threads at a time: it fills as
  /// many bytes of the output. Or null.
  std::function<void(uint64_t offset, Input, Output)> crypt = {};
};

struct PassEnd {
  uint64_t read;     // bytes of the text
  uint64_t written;  // where what follows has its place
};

/// The pieces are worked on one after the other, each by all threads, and read, encrypted beforehand and
/// written in any order where that is possible.
PassEnd run_pass(const Pass& pass);

}  // namespace warpaes::cli
