// Whatever bytes are taken for a container: it is refused with a reason, or it is one, and then the same
// plaintext under the same salt makes the same bytes. From a pipe, a file and by random access alike.
#include <algorithm>

#include "container/cobblestone.hpp"
#include "container/memory_streams.hpp"
#include "fuzz_target.hpp"

namespace {

using namespace warpaes::core;
using namespace warpaes::core::cobblestone;
using fuzz::require;
using test::Bytes, test::Length, test::MemoryReader, test::MemorySink, test::MemorySource;

const uint8_t kKey[32] = {7};

struct Opened {
  bool accepted = false;
  Bytes plaintext;
};

Opened opened(Context& context, const Bytes& container, Length length) {
  MemorySource from(container, length);
  MemorySink to;
  Opened result;
  try {
    decrypt(context, {.key = kKey}, from, to, [](uint64_t) {});
    result.accepted = true;
  } catch (const Rejected& rejected) {
    require(rejected.offset() <= container.size() + kSealedChunkBytes, "the damage is in the container");
  }
  result.plaintext = to.bytes();
  return result;
}

Opened read_at_random(Context& context, const Bytes& container) {
  const MemoryReader from(container);
  Opened result;
  try {
    Reader reader(context, {.key = kKey}, from);
    result.plaintext.resize(reader.size());
    require(reader.read(0, result.plaintext) == result.plaintext.size(), "a reader gives what it says");
    uint8_t byte = 0;
    require(reader.read(reader.size(), {&byte, 1}) == 0, "there is nothing behind the end");
    result.accepted = true;
  } catch (const Rejected&) {
    result.plaintext.clear();
  }
  return result;
}

void require_canonical(Context& context, const Bytes& container, const Bytes& plaintext) {
  Salt salt;
  std::copy_n(container.begin(), salt.size(), salt.begin());
  MemorySource from(plaintext, Length::known);
  MemorySink to;
  encrypt_with_salt(context, {.key = kKey}, salt, from, to, [](uint64_t) {}, OutputCheck::none);
  require(to.bytes() == container, "what is accepted is what encryption makes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static Context context({.engine = "openssl", .threads = 1});
  const Bytes container(data, data + bytes);
  const Opened piped = opened(context, container, Length::unknown);
  const Opened from_file = opened(context, container, Length::known);
  const Opened at_random = read_at_random(context, container);
  require(piped.accepted == from_file.accepted && piped.accepted == at_random.accepted,
          "all ways of reading agree");
  if (!piped.accepted) return 0;
  require(piped.plaintext == from_file.plaintext && piped.plaintext == at_random.plaintext,
          "all ways of reading give the same");
  require_canonical(context, container, piped.plaintext);
  return 0;
}
