#include "container/output_check.hpp"

#include <algorithm>
#include <random>

#include "failure.hpp"
#include "pipeline/worker_threads.hpp"

namespace warpaes::core::cobblestone {
namespace {

ContextOptions one_cpu_thread(TimingClass timing) {
  ContextOptions options;
  options.engine = "openssl";
  options.timing = timing;
  options.threads = 1;
  return options;
}

}  // namespace

OutputChecker::Witness::Witness(TimingClass timing, const InputKey& input_key, const Salt& salt)
    : context(one_cpu_thread(timing)), file_key(context, input_key, salt) {}

OutputChecker::OutputChecker(warpaes_container_check extent, const Engine& engine, TimingClass timing,
                             const InputKey& input_key, const Salt& salt)
    : extent_(extent == WARPAES_CONTAINER_CHECK_SAMPLE && engine.memory == Memory::host
                  ? WARPAES_CONTAINER_CHECK_NONE
                  : extent),
      engine_(engine) {
  if (extent_ == WARPAES_CONTAINER_CHECK_NONE) return;
  try {
    witness_.emplace(timing, input_key, salt);
  } catch (const Failure& failure) {
    if (extent_ == WARPAES_CONTAINER_CHECK_FULL || failure.status() != WARPAES_ERROR_ENGINE_UNAVAILABLE)
      throw;
    extent_ = WARPAES_CONTAINER_CHECK_NONE;
  }
}

std::vector<uint64_t> OutputChecker::choose(uint64_t chunks) const {
  thread_local std::minstd_rand choice{std::random_device{}()};
  std::vector<uint64_t> chosen;
  if (extent_ == WARPAES_CONTAINER_CHECK_NONE) return chosen;
  const uint64_t group = extent_ == WARPAES_CONTAINER_CHECK_FULL ? 1 : kChunksPerSample;
  for (uint64_t first = 0; first < chunks; first += group) {
    std::uniform_int_distribution<uint64_t> any(first, std::min(first + group, chunks) - 1);
    chosen.push_back(any(choice));
  }
  return chosen;
}

uint64_t OutputChecker::most_chosen(uint64_t chunks) const {
  if (extent_ == WARPAES_CONTAINER_CHECK_NONE) return 0;
  return extent_ == WARPAES_CONTAINER_CHECK_FULL ? chunks : chunks / kChunksPerSample + 2;
}

void OutputChecker::check(WorkerThreads& threads, uint64_t first_chunk, std::span<const uint8_t> plaintext,
                          std::span<const uint8_t> sealed) const {
  const uint64_t chunks = (sealed.size() + kSealedChunkBytes - 1) / kSealedChunkBytes;
  const std::vector<uint64_t> chosen = choose(chunks);
  share(threads, chosen.size(), kChunkBytes, [&](uint64_t first, uint64_t count) {
    for (uint64_t i = first; i < first + count; i++) {
      const auto input = plaintext.subspan(chosen[i] * kChunkBytes);
      check_chunk(first_chunk + chosen[i], input.first(std::min(input.size(), kChunkBytes)),
                  sealed.subspan(chosen[i] * kSealedChunkBytes));
    }
  });
}

void OutputChecker::check_chunk(uint64_t chunk, std::span<const uint8_t> plaintext,
                                std::span<const uint8_t> sealed) const {
  std::array<uint8_t, kSealedChunkBytes> expected;
  const ChunkRange range{chunk, plaintext.data(), plaintext.size(), expected.data(),
                         plaintext.size() < kChunkBytes};
  seal_chunks(witness_->file_key, range);
  const size_t expected_bytes = output_bytes(WARPAES_DIRECTION_ENCRYPT, range);
  checked_++;
  if (std::ranges::equal(std::span(expected).first(expected_bytes), sealed.first(expected_bytes))) return;
  throw Failure(WARPAES_ERROR_SELF_TEST, "{}/{} encrypted chunk {} wrongly: the CPU has another result",
                engine_.name, engine_.kernel, chunk);
}

}  // namespace warpaes::core::cobblestone
