#include "pipeline/siv_host.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "failure.hpp"
#include "pipeline/host_run.hpp"
#include "process/residue.hpp"

namespace warpaes::core {
namespace {

void seal(const Engine& engine, const Key& mac_key, const Key& key, const SivRun& run) {
  const MacBlock tag = S2v(engine, mac_key.prepared(engine)).tag_of(run, run.input);
  ctr_host(key, {siv_counter(tag.data()).data(), run.input, run.output, run.bytes});
  std::copy(tag.begin(), tag.end(), run.tag);
}

/// Is the tag right? As opens() in modes/aead_messages.hpp, it leaves nothing of a forgery's right tag.
[[gnu::noinline]] bool opens(const Engine& engine, const Key& mac_key, const SivRun& run) {
  const SecretBlock tag(S2v(engine, mac_key.prepared(engine)).tag_of(run, run.output));
  return CRYPTO_memcmp(tag.data(), run.tag, tag.size()) == 0;
}

/// The tag is of the plaintext, so that is made first.
void open(const Engine& engine, const Key& mac_key, const Key& key, const SivRun& run) {
  ctr_host(key, {siv_counter(run.tag).data(), run.input, run.output, run.bytes});
  if (!opens(engine, mac_key, run)) {
    wipe_residue(StackDepth::callers_thread);
    throw Failure(WARPAES_ERROR_AUTHENTICATION, "the tag is wrong: wrong key, or damaged data");
  }
}

}  // namespace

void siv_host(const Key& mac_key, const Key& key, const SivRun& run) {
  const Engine* const engine = key.context().state().engine_on(Memory::host);
  if (engine == nullptr) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED,
                  "SIV's MAC is for a CPU engine, and this context was made without one");
  }
  try {
    (run.direction == WARPAES_DIRECTION_ENCRYPT ? seal : open)(*engine, mac_key, key, run);
  } catch (...) {
    wipe(run.output, run.bytes);
    throw;
  }
}

}  // namespace warpaes::core
