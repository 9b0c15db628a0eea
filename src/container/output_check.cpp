#include "container/output_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "failure.hpp"

namespace warpaes::core::cobblestone {
namespace {

ContextOptions one_cpu_thread() {
  ContextOptions options;
  options.engine = "openssl";
  options.threads = 1;
  return options;
}

}  // namespace

OutputChecker::Witness::Witness(const InputKey& input_key, const Salt& salt)
    : context(one_cpu_thread()), file_key(context, input_key, salt) {}

OutputChecker::OutputChecker(OutputCheck extent, const Engine& engine, const InputKey& input_key,
                             const Salt& salt)
    : extent_(extent == OutputCheck::sample && engine.memory == Memory::host ? OutputCheck::none : extent),
      engine_(engine) {
  if (extent_ != OutputCheck::none) witness_.emplace(input_key, salt);
}

void OutputChecker::check(uint64_t first_chunk, std::span<const uint8_t> plaintext,
                          std::span<const uint8_t> sealed) const {
  if (extent_ == OutputCheck::none || sealed.empty()) return;
  const uint64_t chunks = (sealed.size() - 1) / kSealedChunkBytes + 1;
  if (extent_ == OutputCheck::full) {
    for (uint64_t i = 0; i < chunks; i++) check_chunk(first_chunk, i, plaintext, sealed);
    return;
  }
  thread_local std::minstd_rand choice{std::random_device{}()};
  std::uniform_int_distribution<uint64_t> any(0, chunks - 1);
  const uint64_t samples = (chunks - 1) / kChunksPerSample + 1;
  for (uint64_t i = 0; i < samples; i++) check_chunk(first_chunk, any(choice), plaintext, sealed);
}

/// @param index of the chunk in the batch
void OutputChecker::check_chunk(uint64_t first_chunk, uint64_t index, std::span<const uint8_t> plaintext,
                                std::span<const uint8_t> sealed) const {
  const auto input = plaintext.subspan(index * kChunkBytes);
  const size_t bytes = std::min(input.size(), kChunkBytes);
  std::array<uint8_t, kSealedChunkBytes> expected;
  const uint64_t chunk = first_chunk + index;
  const ChunkRange range{chunk, input.data(), bytes, expected.data(), bytes < kChunkBytes};
  seal_chunks(witness_->file_key, range);
  const size_t expected_bytes = output_bytes(WARPAES_DIRECTION_ENCRYPT, range);
  checked_++;
  const auto made = sealed.subspan(index * kSealedChunkBytes, expected_bytes);
  if (std::ranges::equal(std::span(expected).first(expected_bytes), made)) return;
  throw Failure(WARPAES_ERROR_SELF_TEST,
                fmt::format("{}/{} encrypted chunk {} wrongly: the CPU has another result", engine_.name,
                            engine_.kernel, chunk));
}

}  // namespace warpaes::core::cobblestone
