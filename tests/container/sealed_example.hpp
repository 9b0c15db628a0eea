// A key, some plaintext and its container, and what becomes of changed containers: by the public interface.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "warpaes/warpaes.hpp"

namespace warpaes::core::test {

using Bytes = std::vector<uint8_t>;

constexpr size_t kHeader = WARPAES_CONTAINER_HEADER_LENGTH, kChunk = WARPAES_CONTAINER_CHUNK_LENGTH,
                 kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH, kTag = kSealed - kChunk;

/// Where a chunk begins in a container.
constexpr size_t offset_of(uint64_t chunk) { return kHeader + chunk * kSealed; }

/// Bytes that repeat nowhere near a chunk's length, the same in every run.
Bytes pattern_bytes(size_t count);

/// A container, made by so many chunks a call; 0: as many as the library plans.
Bytes seal_with(const warpaes::Context& context, const Bytes& key, const Bytes& plaintext,
                uint64_t chunks_a_call = 0);

/// The plaintext that was given, up to the first wrong chunk, and how it ended.
struct Outcome {
  Bytes plaintext;
  Status status = WARPAES_OK;
  uint64_t chunk = 0, offset = 0;  // of the first wrong one
  std::string message;
};

/// Opens a container as a program does that reads a pipe, by so many chunks a call.
Outcome open_with(const warpaes::Context& context, const Bytes& key, const Bytes& container,
                  uint64_t chunks_a_call, const Bytes& purpose = {});

/// The header of a container.
ContainerHeader header_of(const Bytes& container);

/// Is `part` how `whole` begins?
bool begins_with(const Bytes& whole, const Bytes& part);

/// Full names of the engines that can run here, and how tests over them are called.
std::vector<std::string> usable_engines();
std::string engine_test_name(const testing::TestParamInfo<std::string>& engine);

}  // namespace warpaes::core::test
