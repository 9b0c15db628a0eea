// Keys with their mode.
#include <string>
#include <vector>

#include "c_api/handles.hpp"
#include "pipeline/context_state.hpp"
#include "process/made_once.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

/// Is one message of this mode the CPU's, if the context has an engine of it, however long it is? That is so
/// where each block waits for the one before it, and for what is done by the thread that calls.
bool is_for_cpu(const Cipher& cipher, Direction direction) {
  const warpaes_mode mode = cipher.mode();
  return cipher.row().chains_in(direction) || mode == WARPAES_MODE_GMAC || mode == WARPAES_MODE_CFB8 ||
         mode == WARPAES_MODE_CFB1;
}

/// Chooses as the calls for messages on host memory do: a message with a tag that is not GCM's is not shared
/// between threads, and a mode that the GPU's engine lacks is done by the CPU's. (SIV has a chain, and a
/// counter mode in which a GPU may take part.)
const Engine& engine_for_message(const Cipher& cipher, Direction direction, uint64_t length) {
  const Engine* const cpu = cipher.context().state().engine_on(Memory::host);
  if (cpu != nullptr && is_for_cpu(cipher, direction)) return *cpu;
  const bool alone = cipher.row().is_aead && cipher.mode() != WARPAES_MODE_GCM;
  const Engine& chosen = cipher.context().engine_for(
      {.bytes = length, .shares = alone ? 1 : UINT64_MAX, .kind = work_kind(cipher.mode(), direction)});
  return cpu == nullptr || has_mode(chosen, cipher.mode(), direction, /*each=*/false) ? chosen : *cpu;
}

}  // namespace

const char* warpaes::core::c_api::lasting_name(const Engine& engine) {
  static constinit MadeOnce<std::vector<std::string>> made;
  const std::vector<std::string>& names = made.get([] {
    std::vector<std::string> all;
    for (const Engine* each : engine_table()) all.push_back(full_name(*each));
    return all;
  });
  for (size_t i = 0; i < names.size(); i++) {
    if (engine_table()[i] == &engine) return names[i].c_str();
  }
  return engine.name;
}

warpaes_status warpaes_cipher_create(const warpaes_context* context, warpaes_mode mode, const void* key,
                                     size_t key_length, warpaes_cipher** cipher) {
  return guarded_into(cipher, "cipher", [&] {
    require(context, "context");
    if (key_length != 0) require(key, "key");
    // A key without bytes is no key, but a pointer that was given is meant to be one.
    if (key != nullptr) require_key_length(mode_row(mode), key_length);
    return new warpaes_cipher{Cipher(context->context, mode, {bytes_at(key), key_length})};
  });
}

void warpaes_cipher_destroy(warpaes_cipher* cipher) { delete cipher; }

// The one-line calls of simple.h ask for the mode before each message.
warpaes_status warpaes_cipher_get(const warpaes_cipher* cipher, warpaes_cipher_info* info) {
  return guarded_quickly([&] {
    warpaes_cipher_info known = read_structure(info, "info");
    require_direction(known.direction);
    known.mode = cipher_of(cipher).mode();
    known.engine = lasting_name(engine_for_message(cipher_of(cipher), known.direction, known.length));
    write_structure(info, known);
  });
}
