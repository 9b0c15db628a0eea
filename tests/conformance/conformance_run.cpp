#include "conformance_run.hpp"

#include <algorithm>

#include "aead_cases.hpp"
#include "engines/self_test.hpp"
#include "generated_cases.hpp"
#include "kernels/kernel.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "random_cases.hpp"
#include "vector_cases.hpp"

namespace warpaes::core::conformance {
namespace {

/// One in `sample`, scattered: cases come in pairs and fours of one kind, which a fixed step would miss.
bool in_sample(uint64_t number, unsigned sample) {
  constexpr uint64_t golden_ratio = 0x9e3779b97f4a7c15u;  // 2^64 / 1.618: Fibonacci hashing
  return (number * golden_ratio >> 32) % sample == 0;
}

/// Where each block is a launch of its own, and the launch emulated.
constexpr unsigned kLaunchesSample = 15;

std::vector<std::string> names_of(const std::vector<EngineUnderTest>& engines) {
  std::vector<std::string> names;
  for (const EngineUnderTest& engine : engines) names.push_back(engine.name());
  return names;
}

/// Does the engine have a function of its own for the case?
bool fused(const Engine& engine, const Case& test) {
  const bool encrypting = test.direction == WARPAES_DIRECTION_ENCRYPT;
  switch (test.mode) {
    case Mode::cbc:
      return encrypting ? engine.cbc_encrypt != nullptr : engine.cbc_decrypt != nullptr;
    case Mode::cfb:
      return encrypting ? engine.cfb_encrypt != nullptr : engine.cfb_decrypt != nullptr;
    case Mode::ofb:
      return engine.ofb != nullptr;
    case Mode::xts:
      return engine.xts != nullptr;
    case Mode::ecb:
    case Mode::ctr:
      return true;
    default:
      return engine.modes[aead_mode(test.mode)->aead].run != nullptr;
  }
}

}  // namespace

namespace {

std::string missing(const Engine& engine, bool has_work, uint64_t launches) {
  return engine.memory == Memory::device && has_work && launches == 0 ? "right, but no kernel was launched"
                                                                      : "";
}

}  // namespace

std::string launch_missing(const Engine& engine, const Case& test, uint64_t launches) {
  return missing(engine, test.messages != 0 && (test.bytes != 0 || is_aead(test.mode)), launches);
}
std::string launch_missing(const Engine& engine, const BatchCase& test, uint64_t launches) {
  return missing(engine, test.has_work(), launches);
}

ConformanceRun::ConformanceRun(const std::vector<EngineUnderTest>& engines, int device, bool require,
                               std::FILE* log, Share share)
    : device_(device), share_(share), scores_(names_of(engines), log) {
  for (const EngineUnderTest& engine : engines) {
    contestants_.push_back({engine, "", nullptr, {}, {}});
    admit(contestants_.size() - 1, require);
  }
}

void ConformanceRun::admit(size_t index, bool require) {
  Contestant& contestant = contestants_[index];
  const Engine& engine = *contestant.under_test.engine;
  const Availability availability = engine.available(device_);
  if (!availability.available) {
    contestant.unavailable = availability.reason;
    if (share_.is_first()) scores_.skip(index, "self-test", 0, availability.reason);
    if (require) scores_.fail(index, "self-test", 0, "cannot run here: " + availability.reason);
    return;
  }
  contestant.trial = std::make_unique<Trial>(engine, device_);
}

void ConformanceRun::run_self_tests() {
  if (!share_.is_first()) return;
  for (size_t index = 0; index < contestants_.size(); index++) {
    if (contestants_[index].trial == nullptr) continue;
    const SelfTestReport report = self_test(*contestants_[index].under_test.engine, device_);
    if (report.failure.empty()) {
      scores_.pass(index, "self-test", 0, report.checks);
    } else {
      scores_.fail(index, "self-test", 0, report.failure);
    }
  }
}

void ConformanceRun::run_vectors(const std::filesystem::path& folder) {
  for (const Case& test : sp800_38a_cases()) offer_share(test);
  for (const Case& test : printed_aead_cases()) offer_share(test);
  for (const VectorFile& file : vector_files()) {
    for (const Case& test : vector_cases(folder, file)) offer_share(test);
  }
  visit_composed_vectors(folder, [this](const ComposedCase& test) { offer_share(test); });
  visit_vector_batches(folder, [this](const BatchCase& test) { offer_share(test); });
}

void ConformanceRun::run_wycheproof(const std::filesystem::path& folder) {
  for (const WycheproofFile& file : wycheproof_files()) {
    for (const Case& test : wycheproof_cases(folder, file)) offer_share(test);
  }
}

void ConformanceRun::skip_wycheproof(const std::string& reason) {
  if (!share_.is_first()) return;
  for (size_t index = 0; index < contestants_.size(); index++) scores_.skip(index, "wycheproof", 0, reason);
}

/// Of the engines that can run here.
uint64_t ConformanceRun::largest() const {
  uint64_t bytes = 0;
  for (const Contestant& contestant : contestants_) {
    if (contestant.trial != nullptr) bytes = std::max(bytes, contestant.under_test.largest);
  }
  return bytes;
}

void ConformanceRun::run_generated() {
  visit_generated_cases(largest(), share_, [this](const Case& test) { offer_to_all(test); });
  visit_composed_generated([this](const ComposedCase& test) { offer_share(test); });
  visit_generated_batches(share_, [this](const BatchCase& test) { offer_to_all(test); });
}

void ConformanceRun::run_random(uint64_t seed, uint64_t cases) {
  visit_random_cases(
      seed, cases, largest(), share_, [this](const Case& test) { offer_to_all(test); },
      [this](const BatchCase& test) { offer_to_all(test); });
}

template <class AnyCase>
void ConformanceRun::offer(const std::string& mode, int key_bits, uint64_t cases, const AnyCase& test) {
  for (size_t index = 0; index < contestants_.size(); index++) {
    Contestant& contestant = contestants_[index];
    const std::string skip = reason_to_skip(contestant, test);
    if (!skip.empty()) {
      scores_.skip(index, mode, key_bits, skip);
      continue;
    }
    const std::string wrong = wrong_about(contestant, test);
    if (wrong.empty()) {
      scores_.pass(index, mode, key_bits, cases);
    } else {
      scores_.fail(index, mode, key_bits, test.name + ": " + wrong);
    }
  }
}

void ConformanceRun::offer_to_all(const Case& test) { offer(mode_name(test.mode), test.key_bits(), 1, test); }
void ConformanceRun::offer_to_all(const ComposedCase& test) { offer(test.mode, test.key_bits(), 1, test); }
void ConformanceRun::offer_to_all(const BatchCase& test) {
  offer(test.mode, test.key_bits, test.cases, test);
}

std::string ConformanceRun::wrong_about(Contestant& contestant, const Case& test) {
  const uint64_t launches = kernels::launches();
  const std::string wrong = contestant.trial->run(test);
  return wrong.empty() ? launch_missing(*contestant.under_test.engine, test, kernels::launches() - launches)
                       : wrong;
}
std::string ConformanceRun::wrong_about(Contestant& contestant, const ComposedCase& test) {
  return test.run(*contestant.under_test.engine, device_);
}
std::string ConformanceRun::wrong_about(Contestant& contestant, const BatchCase& test) {
  const uint64_t launches = kernels::launches();
  const std::string wrong = test.run(*contestant.under_test.engine, device_);
  return wrong.empty() ? launch_missing(*contestant.under_test.engine, test, kernels::launches() - launches)
                       : wrong;
}

std::string ConformanceRun::reason_to_skip(Contestant& contestant, const ComposedCase& test) {
  if (contestant.trial == nullptr) return contestant.unavailable;
  if (!test.unusable.empty()) return test.unusable;
  const EngineUnderTest& engine = contestant.under_test;
  if (!engine.only_mode.empty() && engine.only_mode != test.mode) return "another mode";
  if (engine.engine->memory != Memory::host) return "not fused by this engine";
  const unsigned sample = engine.composes ? engine.sample : engine.sample * kLaunchesSample;
  const uint64_t number = contestant.composed_offered[{test.mode, test.key_bits()}]++;
  if (!in_sample(number, sample)) return "not in the sample of 1 in " + std::to_string(sample);
  return "";
}

std::string ConformanceRun::reason_to_skip(Contestant& contestant, const BatchCase& test) {
  if (contestant.trial == nullptr) return contestant.unavailable;
  const EngineUnderTest& engine = contestant.under_test;
  if (!engine.only_mode.empty() && engine.only_mode != test.mode) return "another mode";
  const bool had = engine.composes ? test.is_had_by(*engine.engine) : test.is_fused_by(*engine.engine);
  if (!had) return "not fused by this engine";
  if (test.bytes() > engine.largest) return "larger than this engine is tested with";
  const uint64_t number = contestant.batches_offered++;  // of all rows: a batch has many messages
  if (!in_sample(number, engine.sample)) return "not in the sample of 1 in " + std::to_string(engine.sample);
  return "";
}

std::string ConformanceRun::reason_to_skip(Contestant& contestant, const Case& test) {
  if (contestant.trial == nullptr) return contestant.unavailable;
  if (!test.unusable.empty()) return test.unusable;
  const EngineUnderTest& engine = contestant.under_test;
  if (!engine.only_mode.empty() && engine.only_mode != mode_name(test.mode)) return "another mode";
  if (!engine.composes && !fused(*engine.engine, test)) return "not fused by this engine";
  if (test.bytes * test.messages > engine.largest) return "larger than this engine is tested with";
  const uint64_t number = contestant.offered[{test.mode, test.key_bits()}]++;
  if (!in_sample(number, engine.sample)) return "not in the sample of 1 in " + std::to_string(engine.sample);
  return "";
}

}  // namespace warpaes::core::conformance
