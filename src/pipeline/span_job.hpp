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
  void* workspace;  // on a device only
  size_t workspace_bytes;
  Stream stream;
};

/// What is done with a part by an engine. It reads host memory beside the part, an IV for example, before it
/// returns.
using SpanWork = std::function<void(const Engine& engine, const SpanPart& part)>;
/// The workspace that a device needs for so many bytes.
using SpanWorkspace = size_t (*)(const Engine& engine, uint64_t bytes);

/// @param shares CPU threads that can work on it
void run_span(const Context& context, const Span& span, const SpanWork& work,
              SpanWorkspace workspace = nullptr, uint64_t shares = UINT64_MAX);

/// The same by one of the context's engines alone.
void run_span_by(const Engine& engine, const Context& context, const Span& span, const SpanWork& work);

}  // namespace warpaes::core
