#include <openssl/crypto.h>

#include <map>
#include <mutex>
#include <tuple>

#include "engines/cuda/cuda_engine.hpp"
#include "engines/engine.hpp"
#include "engines/openssl/cipher_contexts.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "engines/self_test.hpp"
#include "failure.hpp"
#include "process/fork_locks.hpp"
#include "process/openssl_stays.hpp"

namespace warpaes::core {
namespace {

constexpr const Engine* kTable[] = {
    &cuda_lane_private_tables, &cuda_bitsliced, &openssl_evp, &portable_t_tables, &portable_fips197,
};

/// Gives this thread the library context of the process for as long as it lives, in place of one that the
/// thread has set for itself: what is found out about an engine is for all threads.
class OpensslOfProcess {
 public:
  OpensslOfProcess() : of_thread_(OSSL_LIB_CTX_set0_default(OSSL_LIB_CTX_get0_global_default())) {}
  ~OpensslOfProcess() { OSSL_LIB_CTX_set0_default(of_thread_); }
  OpensslOfProcess(const OpensslOfProcess&) = delete;
  OpensslOfProcess& operator=(const OpensslOfProcess&) = delete;

 private:
  OSSL_LIB_CTX* const of_thread_;
};

/// What the self-test says of an engine that is available. Throws what self_test() throws.
Availability verdict(const Engine& engine, int device, SelfTestExtent extent) {
  const SelfTestReport report = self_test(engine, device, extent);
  if (report.failure.empty()) return {true, ""};
  return {false, full_name(engine) + " failed its self-test: " + report.failure, true};
}

}  // namespace

std::span<const Engine* const> engine_table() { return kTable; }

const Engine& engine_named(std::string_view name, TimingClass timing) {
  const Engine* first = nullptr;
  for (const Engine* engine : kTable) {
    if (name != engine->name && name != full_name(*engine)) continue;
    if (engine->timing >= timing) return *engine;
    if (first == nullptr) first = engine;
  }
  if (first != nullptr) require_timing(*first, timing);
  std::string names;
  for (const Engine* engine : kTable) names += (names.empty() ? "" : ", ") + full_name(*engine);
  throw Failure(WARPAES_ERROR_UNKNOWN_ENGINE,
                "there is no engine \"" + std::string(name) + "\"; there are " + names);
}

Availability usable(const Engine& engine, int device, SelfTestExtent extent) {
  // Never destroyed: contexts and ciphers are also made while the process ends. Made under the lock, and not
  // under one of the compiler's, which the child of a fork would find locked.
  using Known = std::map<std::tuple<const Engine*, int, SelfTestExtent>, Availability>;
  static constinit Known* known = nullptr;
  const int where = engine.memory == Memory::host ? 0 : device;
  std::mutex& mutex = fork_safe_mutex(&known);
  {
    const std::lock_guard lock(mutex);
    if (known == nullptr) known = new Known;
    // Who passed or failed as a whole did so in each part.
    for (const SelfTestExtent known_extent : {SelfTestExtent::all, extent}) {
      if (const auto found = known->find({&engine, where, known_extent}); found != known->end())
        return found->second;
    }
  }
  keep_openssl();
  // Not under the lock, at which a fork would wait: whoever asks meanwhile does the same test.
  Availability answer = engine.available(device);
  if (!answer.available) return answer;
  try {
    const OpensslOfProcess openssl_of_process;
    const std::string lack = openssl::fetch_failure_of_digest("SHA256");
    if (!lack.empty()) return {false, lack + ", by which engines are tested", false};
    answer = verdict(engine, device, extent);
  } catch (const Failure& failure) {
    if (failure.is_passing()) throw;
    return {false, full_name(engine) + " came to no end of its self-test: " + failure.what(), false};
  }
  const std::lock_guard lock(mutex);
  // Who failed in part is good for nothing.
  if (!answer.available) return (*known)[{&engine, where, SelfTestExtent::all}] = answer;
  return known->emplace(std::tuple(&engine, where, extent), answer).first->second;
}

void require_usable(const Engine& engine, int device, SelfTestExtent extent) {
  const Availability availability = usable(engine, device, extent);
  if (availability.available) return;
  throw Failure(availability.failed_self_test ? WARPAES_ERROR_SELF_TEST : WARPAES_ERROR_ENGINE_UNAVAILABLE,
                full_name(engine) + " cannot be used: " + availability.reason);
}

}  // namespace warpaes::core
