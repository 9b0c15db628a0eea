#include "sealed_example.hpp"

#include <algorithm>

namespace warpaes::core::test {

Bytes pattern_bytes(size_t count) {
  Bytes bytes(count);
  uint64_t state = 0x9e3779b97f4a7c15;
  for (uint8_t& byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's MMIX generator
    byte = static_cast<uint8_t>(state >> 56);
  }
  return bytes;
}

Bytes seal_with(const warpaes::Context& context, const Bytes& key, const Bytes& plaintext,
                uint64_t chunks_a_call) {
  ContainerHeader header;
  const Container container = Container::create(context, key, header);
  if (chunks_a_call == 0) chunks_a_call = container.plan(plaintext.size()).chunks_a_call;
  Bytes sealed(container_size(plaintext.size()));
  std::ranges::copy(header, sealed.begin());
  for (uint64_t first = 0;; first += chunks_a_call) {
    const uint64_t left = plaintext.size() - first * kChunk;
    const bool ends = left < chunks_a_call * kChunk;
    uint8_t* const to = sealed.data() + offset_of(first);
    container.encrypt({.first = first,
                       .input = {plaintext.data() + first * kChunk, ends ? left : chunks_a_call * kChunk},
                       .output = {to, sealed.size() - offset_of(first)},
                       .ends = ends});
    if (ends) return sealed;
  }
}

namespace {

void end(Outcome& outcome, Status status, uint64_t chunk, uint64_t offset) {
  outcome.status = status;
  outcome.chunk = chunk;
  outcome.offset = offset;
  outcome.message = warpaes_last_error();
}

void end_truncated(Outcome& outcome, uint64_t length) {
  uint64_t size = 0;
  const Status status = warpaes_container_size(WARPAES_DIRECTION_DECRYPT, length, &size);
  end(outcome, status, length < kHeader ? 0 : (length - kHeader) / kSealed, length);
}

}  // namespace

Outcome open_with(const warpaes::Context& context, const Bytes& key, const Bytes& bytes,
                  uint64_t chunks_a_call, const Bytes& purpose) {
  Outcome outcome;
  if (bytes.size() < kHeader) {
    end_truncated(outcome, bytes.size());
    return outcome;
  }
  const auto container = Container::open(context, key, header_of(bytes), {.context = purpose});
  if (!container) {
    end(outcome, WARPAES_ERROR_CONTAINER_KEY, 0, 0);
    return outcome;
  }
  Bytes plaintext(chunks_a_call * kChunk);
  for (uint64_t first = 0;; first += chunks_a_call) {
    const uint64_t left = bytes.size() - offset_of(first), rest = left % kSealed;
    const bool last = left < chunks_a_call * kSealed, cut = last && rest < kTag;
    const uint64_t here = last ? left - (cut ? rest : 0) : chunks_a_call * kSealed;
    const ChunkVerdict verdict = container->decrypt({.first = first,
                                                     .input = {bytes.data() + offset_of(first), here},
                                                     .output = plaintext,
                                                     .ends = last && !cut});
    const uint64_t good = verdict ? verdict.length() : (verdict.failed() - first) * kChunk;
    outcome.plaintext.insert(outcome.plaintext.end(), plaintext.begin(),
                             plaintext.begin() + static_cast<ptrdiff_t>(good));
    if (!verdict) end(outcome, verdict.status(), verdict.failed(), verdict.failed_offset());
    if (verdict && cut) end_truncated(outcome, bytes.size());
    if (!verdict || last) return outcome;
  }
}

ContainerHeader header_of(const Bytes& container) {
  ContainerHeader header;
  std::copy_n(container.begin(), header.size(), header.begin());
  return header;
}

bool begins_with(const Bytes& whole, const Bytes& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

std::vector<std::string> usable_engines() {
  std::vector<std::string> names;
  for (const EngineInfo& info : engines()) {
    if (info.available != 0) names.push_back(std::string(info.name) + "/" + info.kernel);
  }
  return names;
}

std::string engine_test_name(const testing::TestParamInfo<std::string>& engine) {
  std::string name = engine.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace warpaes::core::test
