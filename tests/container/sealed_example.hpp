// A key, some plaintext and its container, and what becomes of changed containers.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "container/cobblestone.hpp"
#include "memory_streams.hpp"

namespace warpaes::core::test {

/// Bytes that repeat nowhere near a chunk's length, the same in every run.
Bytes pattern_bytes(size_t count);

Bytes seal_with(Context& context, const Bytes& key, const Bytes& plaintext, Length length);

/// What decrypt() did: the plaintext that it gave and how it ended.
struct Outcome {
  Bytes plaintext;
  std::optional<cobblestone::Verdict> verdict;  // none: accepted
  uint64_t chunk = 0, offset = 0;
  std::string message;
};

Outcome open_with(Context& context, const cobblestone::InputKey& key, const Bytes& container, Length length);

/// Is `part` how `whole` begins?
bool begins_with(const Bytes& whole, const Bytes& part);

/// Full names of the engines that can run here, and how tests over them are called.
std::vector<std::string> usable_engines();
std::string engine_test_name(const testing::TestParamInfo<std::string>& engine);

}  // namespace warpaes::core::test
