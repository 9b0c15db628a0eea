// Whatever bytes are taken for a container: it is refused with a reason, or it is one, and then the same
// plaintext under the same salt makes the same bytes. Chunk by chunk, all at once and by random access alike.
#include <algorithm>
#include <vector>

#include "fuzz_target.hpp"
#include "warpaes/warpaes.hpp"

namespace {

using namespace warpaes;
using warpaes::core::fuzz::require;
using Bytes = std::vector<uint8_t>;

constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH, kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                   kHeader = WARPAES_CONTAINER_HEADER_LENGTH;
const uint8_t kKey[32] = {7};

struct Opened {
  bool accepted = false;
  Bytes plaintext = {};
};

/// Of a container whose length is right.
Opened opened(const Container& container, const Bytes& bytes, uint64_t chunks_a_call) {
  Opened result{true};
  for (uint64_t first = 0;; first += chunks_a_call) {
    const uint64_t at = kHeader + first * kSealed, left = bytes.size() - at;
    const bool ends = left < chunks_a_call * kSealed;
    Bytes plaintext(ends ? left : chunks_a_call * kChunk);
    const ChunkVerdict verdict =
        container.decrypt({.first = first,
                           .input = {bytes.data() + at, ends ? left : chunks_a_call * kSealed},
                           .output = plaintext,
                           .ends = ends,
                           .container_length = bytes.size()});
    if (!verdict) {
      require(verdict.failed_offset() <= bytes.size(), "the damage is in the container");
      return {};
    }
    plaintext.resize(verdict.length());
    result.plaintext.insert(result.plaintext.end(), plaintext.begin(), plaintext.end());
    if (ends) return result;
  }
}

Opened read_at_random(const Container& container, const Bytes& bytes) {
  const auto read = [&](uint64_t offset, Output into) {
    require(offset <= bytes.size() && into.size() <= bytes.size() - offset, "all that is read is there");
    std::copy_n(bytes.begin() + static_cast<ptrdiff_t>(offset), into.size(),
                static_cast<uint8_t*>(into.data()));
  };
  Opened result{true, Bytes(plaintext_size(bytes.size()).value())};
  try {
    const uint64_t got = container.read(bytes.size(), read, 0, result.plaintext);
    require(got == result.plaintext.size(), "a reader gives what the length says");
    uint8_t byte = 0;
    require(container.read(bytes.size(), read, got, {&byte, 1}) == 0, "there is nothing behind the end");
  } catch (const Error&) {
    return {};
  }
  return result;
}

void require_canonical(const Context& context, const Bytes& bytes, const Bytes& plaintext) {
  ContainerHeader header;
  const Container container =
      Container::create(context, kKey, header, {.salt = {bytes.data(), WARPAES_CONTAINER_SALT_LENGTH}});
  Bytes made(container_size(plaintext.size()));
  std::ranges::copy(header, made.begin());
  container.encrypt(
      {.input = plaintext, .output = {made.data() + kHeader, made.size() - kHeader}, .ends = true});
  require(made == bytes, "what is accepted is what encryption makes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t length) {
  static const Context context({.engine = "openssl", .threads = 1});
  const Bytes bytes(data, data + length);
  if (!plaintext_size(length)) return 0;
  ContainerHeader header;
  std::copy_n(data, header.size(), header.begin());
  const std::optional<Container> container = Container::open(context, kKey, header);
  if (!container) return 0;
  const Opened in_chunks = opened(*container, bytes, 1);
  const Opened at_once = opened(*container, bytes, length / kSealed + 1);
  const Opened at_random = read_at_random(*container, bytes);
  require(in_chunks.accepted == at_once.accepted, "all ways of opening agree");
  // Nobody reads an empty last chunk.
  const bool reads_all = plaintext_size(length).value() % kChunk != 0;
  require(in_chunks.accepted == at_random.accepted || (at_random.accepted && !reads_all), "reading agrees");
  if (!in_chunks.accepted) return 0;
  require(in_chunks.plaintext == at_once.plaintext && in_chunks.plaintext == at_random.plaintext,
          "all ways of opening give the same");
  require_canonical(context, bytes, in_chunks.plaintext);
  return 0;
}
