// One long message whose pieces can be done in any order, each to as many bytes as it has: ECB, CTR, XTS, and
// decryption in modes that chain.
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
  /// What is done with a part by an engine. It reads host memory beside the part, an IV for example, before
  /// it returns.
  std::function<void(const Engine& engine, const SpanPart& part)> work;
  /// The workspace that a device needs for so many bytes; null: none.
  size_t (*workspace)(const Engine& engine, uint64_t bytes) = nullptr;
  /// Takes the result of a part, in host memory now; any thread calls it. Null: there are no results.
  std::function<void(const Engine& engine, uint64_t at, uint64_t bytes, const uint8_t* result)> collect =
      nullptr;
  uint64_t shares = UINT64_MAX;  // CPU threads that can work on it
  WorkKind kind = WorkKind::stream;
};

void run_span(const Context& context, const Span& span, const SpanTask& task);
/// The same by those workers alone.
void run_span_by(const Workers& workers, const Context& context, const Span& span, const SpanTask& task);

}  // namespace warpaes::core
