#include "sealed_example.hpp"

namespace warpaes::core::test {

using namespace cobblestone;

Bytes pattern_bytes(size_t count) {
  Bytes bytes(count);
  uint64_t state = 0x9e3779b97f4a7c15;
  for (uint8_t& byte : bytes) {
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's MMIX generator
    byte = static_cast<uint8_t>(state >> 56);
  }
  return bytes;
}

Bytes seal_with(Context& context, const Bytes& key, const Bytes& plaintext, Length length) {
  MemorySource from(plaintext, length);
  MemorySink to;
  encrypt(context, {.key = key}, from, to, [](uint64_t) {});
  return to.bytes();
}

Outcome open_with(Context& context, const InputKey& key, const Bytes& container, Length length) {
  MemorySource from(container, length);
  MemorySink to;
  Outcome outcome;
  try {
    decrypt(context, key, from, to, [](uint64_t) {});
  } catch (const Rejected& rejected) {
    outcome.verdict = rejected.verdict();
    outcome.chunk = rejected.chunk();
    outcome.offset = rejected.offset();
    outcome.message = rejected.what();
  }
  outcome.plaintext = to.bytes();
  return outcome;
}

bool begins_with(const Bytes& whole, const Bytes& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

std::vector<std::string> usable_engines() {
  std::vector<std::string> names;
  for (const Engine* engine : engine_table()) {
    if (usable(*engine, 0).available) names.push_back(std::string(engine->name) + "/" + engine->kernel);
  }
  return names;
}

std::string engine_test_name(const testing::TestParamInfo<std::string>& engine) {
  std::string name = engine.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace warpaes::core::test
