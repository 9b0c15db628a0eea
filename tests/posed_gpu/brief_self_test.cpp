// The self-test of the library that takes the place of libwarpaes.so, which the linker takes from here. All
// of it would have each process spend seconds on the emulated GPU before its first call; posed_gpu_test runs
// all of it.
#include "engines/known_answers.hpp"
#include "engines/self_test.hpp"
#include "engines/self_test_bench.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core {

/// FIPS 197's examples, both ways. What the engine throws is thrown on.
SelfTestReport self_test(const Engine& engine, int device, SelfTestExtent /*extent*/) {
  SelfTestReport report;
  SelfTestBench bench(engine, device);
  for (const auto& [key, plaintext, ciphertext] : known_answers::kBlocks) {
    const Bytes block = bytes_of_hex(plaintext);
    bench.set_key(bytes_of_hex(key));
    const Bytes encrypted = bench.blocks(WARPAES_DIRECTION_ENCRYPT, block, false);
    if (encrypted != bytes_of_hex(ciphertext)) report.failure = "ecb encrypt: output differs";
    if (bench.blocks(WARPAES_DIRECTION_DECRYPT, encrypted, true) != block)
      report.failure = "ecb decrypt: output differs";
    report.checks += 2;
  }
  return report;
}

}  // namespace warpaes::core
