// A long message as a HostJob, in modes whose pieces can be done in any order and whose output is as long as
// the input: ECB, CTR, XTS, the text of GCM, and decryption in CBC and CFB.
#pragma once

#include <functional>

#include "pipeline/host_run.hpp"

namespace warpaes::core {

struct Span {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint64_t unit_bytes;  // pieces are whole units; only the last one may be shorter
};

/// Bytes [at, at + bytes) of a span, in the memory that the engine works on.
struct SpanPart {
  uint64_t at;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
  uint8_t* result;  // room for kSpanResultBytes
  // If the engine works on a device:
  int device = 0;
  void* workspace = nullptr;
  size_t workspace_bytes = 0;
  Stream stream = nullptr;
};
constexpr size_t kSpanResultBytes = 16;

struct SpanTask {
  /// Does a part by an engine. What it needs of host memory beside the part, such as an IV, it reads before
  /// it returns, as a GPU's work may be done later.
  std::function<void(const Engine& engine, const SpanPart& part)> work;
  /// The workspace that a device needs for so many bytes. Null if it needs none.
  size_t (*workspace)(const Engine& engine, uint64_t bytes) = nullptr;
  /// Takes the result of a part, which is in host memory now. Any thread calls it. Null if there are no
  /// results.
  std::function<void(const Engine& engine, uint64_t at, uint64_t bytes, const uint8_t* result)> collect =
      nullptr;
  uint64_t shares = UINT64_MAX;  // how many CPU threads can share it
  WorkKind kind = WorkKind::stream;
};

void run_span(const Context& context, const Span& span, const SpanTask& task);
/// Does the same by those workers alone.
void run_span_by(const Workers& workers, const Context& context, const Span& span, const SpanTask& task);

}  // namespace warpaes::core
