#include "modes/siv.hpp"

#include <algorithm>

#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {
namespace {

void double_and_add(SecretBlock& sum, const MacBlock& with) {
  const MacBlock doubled = mac_doubled(sum);
  xor_bytes(sum.data(), doubled.data(), with.data(), sum.size());
}

}  // namespace

MacBlock s2v(const Engine& engine, const EngineKey& mac_key, const SivRun& run, const uint8_t* plaintext) {
  Cmac cmac(engine, mac_key);
  const auto mac_of = [&](const uint8_t* data, uint64_t bytes) {
    cmac.start();
    cmac.add(data, bytes);
    return cmac.finish();
  };
  constexpr MacBlock kZero{};
  SecretBlock sum, last;
  const MacBlock first = mac_of(kZero.data(), kZero.size());
  std::copy(first.begin(), first.end(), sum.begin());
  for (size_t i = 0; i < run.aad_count; i++) {
    double_and_add(sum, mac_of(run.aads[i], run.aad_lengths[i]));
  }
  if (run.bytes >= last.size()) {  // T = plaintext xorend D
    const uint64_t before = run.bytes - last.size();
    xor_bytes(last.data(), plaintext + before, sum.data(), last.size());
    cmac.start();
    cmac.add(plaintext, before);
    cmac.add(last.data(), last.size());
    return cmac.finish();
  }
  std::copy_n(plaintext, run.bytes, last.begin());
  last[run.bytes] = 0x80;
  double_and_add(sum, last);
  return mac_of(sum.data(), sum.size());
}

MacBlock siv_counter(const uint8_t* tag) {
  MacBlock counter;
  std::copy_n(tag, counter.size(), counter.begin());
  counter[8] &= 0x7f;
  counter[12] &= 0x7f;
  return counter;
}

}  // namespace warpaes::core
