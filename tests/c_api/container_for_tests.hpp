// Containers for tests of the C interface.
#pragma once

#include "handles_for_tests.hpp"

namespace warpaes::core::testing {

inline constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH,
                          kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                          kHeader = WARPAES_CONTAINER_HEADER_LENGTH;

/// A container in memory.
struct Made {
  Bytes key = counting(32, 5), plaintext, container;
};

inline warpaes_chunks range(uint64_t first, const uint8_t* input, uint64_t length, uint8_t* output,
                            uint64_t capacity, bool ends) {
  auto chunks = sized<warpaes_chunks>();
  chunks.first = first;
  chunks.input = input;
  chunks.length = length;
  chunks.output = output;
  chunks.output_capacity = capacity;
  chunks.ends = ends ? 1 : 0;
  return chunks;
}

/// Encrypts `chunks_a_call` chunks at a time.
inline Made make(const TestContext& context, uint64_t bytes, uint64_t chunks_a_call,
                 const warpaes_container_options* options = nullptr, size_t key_bytes = 32) {
  Made made;
  made.key.resize(key_bytes);
  made.plaintext = counting(bytes);
  uint64_t size = 0;
  EXPECT_EQ(warpaes_container_size(WARPAES_DIRECTION_ENCRYPT, bytes, &size), WARPAES_OK);
  made.container.assign(size, kUntouched);
  ContainerHandle container;
  EXPECT_EQ(warpaes_container_create(context.get(), made.key.data(), made.key.size(), options,
                                     made.container.data(), &container.handle),
            WARPAES_OK)
      << warpaes_last_error();
  const uint64_t step = chunks_a_call * kChunk;
  for (uint64_t at = 0;; at += step) {
    const bool ends = at + step > bytes;
    const uint64_t to = kHeader + at / kChunk * kSealed;
    uint64_t length = 0;
    warpaes_chunks chunks = range(at / kChunk, made.plaintext.data() + at, ends ? bytes - at : step,
                                  made.container.data() + to, size - to, ends);
    chunks.output_length = &length;
    EXPECT_EQ(warpaes_container_encrypt(container.handle, &chunks), WARPAES_OK) << warpaes_last_error();
    if (!ends) continue;
    EXPECT_EQ(to + length, size);
    return made;
  }
}

}  // namespace warpaes::core::testing
