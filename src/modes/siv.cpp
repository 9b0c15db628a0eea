#include "modes/siv.hpp"

#include <algorithm>

#include "modes/chain.hpp"

namespace warpaes::core {
namespace {

void double_and_add(SecretBlock& sum, const MacBlock& with) {
  const MacBlock doubled = mac_doubled(sum);
  xor_bytes(sum.data(), doubled.data(), with.data(), sum.size());
}

}  // namespace

S2v::S2v(const Engine& engine, const EngineKey& mac_key)
    : cmac_(engine, mac_key), of_zeros_(mac_of(MacBlock{}.data(), sizeof(MacBlock))) {}

MacBlock S2v::mac_of(const uint8_t* data, uint64_t bytes) {
  cmac_.start();
  cmac_.add(data, bytes);
  return cmac_.finish();
}

MacBlock S2v::tag_of(const SivRun& run, const uint8_t* plaintext) {
  SecretBlock sum, last;
  std::copy(of_zeros_.begin(), of_zeros_.end(), sum.begin());
  for (size_t i = 0; i < run.aad_count; i++) {
    double_and_add(sum, mac_of(run.aads[i], run.aad_lengths[i]));
  }
  if (run.bytes >= last.size()) {  // T = plaintext xorend D
    const uint64_t before = run.bytes - last.size();
    xor_bytes(last.data(), plaintext + before, sum.data(), last.size());
    cmac_.start();
    cmac_.add(plaintext, before);
    cmac_.add(last.data(), last.size());
    return cmac_.finish();
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
