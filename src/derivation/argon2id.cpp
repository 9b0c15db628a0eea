// Argon2id by libargon2. The static library is not position-independent, and a library that was linked with
// the shared one could not be loaded where that is missing. So it is opened when it is first needed.
#include <argon2.h>
#include <dlfcn.h>

#include "derivation/derivation_checks.hpp"
#include "failure.hpp"
#include "process/made_once.hpp"

namespace warpaes::core {
namespace {

struct Libargon2 {
  decltype(&argon2id_ctx) derive = nullptr;
  decltype(&argon2_error_message) message = nullptr;
};

/// Opens the library. Throws UNSUPPORTED if it is not there.
Libargon2 opened_libargon2() {
  Libargon2 found;
  if (void* const library = dlopen("libargon2.so.1", RTLD_NOW | RTLD_LOCAL)) {
    found.derive = reinterpret_cast<decltype(found.derive)>(dlsym(library, "argon2id_ctx"));
    found.message = reinterpret_cast<decltype(found.message)>(dlsym(library, "argon2_error_message"));
  }
  if (found.derive != nullptr && found.message != nullptr) return found;
  const char* const why = dlerror();
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "argon2id needs libargon2.so.1 (Debian's libargon2-1): {}",
                why != nullptr ? why : "it lacks what is needed");
}

/// The library, which stays open until the process ends. What is missing may come: a file descriptor, or
/// memory.
const Libargon2& libargon2() {
  static constinit MadeOnce<Libargon2> opened;
  return opened.get(opened_libargon2);
}

void require_valid_costs(const Argon2idCosts& costs) {
  const auto refuse = [](const char* why) { throw Failure(WARPAES_ERROR_OPTION, "argon2id: {}", why); };
  if (costs.iterations < ARGON2_MIN_TIME) refuse("at least 1 iteration");
  if (costs.lanes < ARGON2_MIN_LANES || costs.lanes > ARGON2_MAX_LANES) refuse("1 to 2^24 - 1 lanes");
  // RFC 9106 section 3.1: m is at least 8 p.
  if (costs.memory_kib < uint64_t{ARGON2_MIN_MEMORY} * costs.lanes) refuse("at least 8 KiB a lane");
  if (costs.memory_kib > kMaxDerivationMemory >> 10) refuse("more than 16 GiB of memory");
}

/// libargon2 takes mutable pointers, although it does not write to inputs unless a flag asks for it.
uint8_t* pointer_to(InputBytes bytes) { return const_cast<uint8_t*>(bytes.data()); }
uint32_t size_of(InputBytes bytes) { return static_cast<uint32_t>(bytes.size()); }

}  // namespace

void argon2id(InputBytes passphrase, InputBytes salt, InputBytes secret, InputBytes associated_data,
              const Argon2idCosts& costs, std::span<uint8_t> out) {
  require_valid_costs(costs);
  require_valid_derivation({{"the passphrase", passphrase},
                            {"the salt", salt},
                            {"the pepper", secret},
                            {"the info", associated_data}},
                           out, ARGON2_MIN_OUTLEN, kMaxDerivedBytes);
  if (salt.size() < ARGON2_MIN_SALT_LENGTH) {
    throw Failure(WARPAES_ERROR_LENGTH, "argon2id takes a salt of 8 bytes or more");
  }
  const Libargon2& library = libargon2();
  argon2_context run = {};
  run.out = out.data();
  run.outlen = static_cast<uint32_t>(out.size());
  run.pwd = pointer_to(passphrase);
  run.pwdlen = size_of(passphrase);
  run.salt = pointer_to(salt);
  run.saltlen = size_of(salt);
  run.secret = pointer_to(secret);
  run.secretlen = size_of(secret);
  run.ad = pointer_to(associated_data);
  run.adlen = size_of(associated_data);
  run.t_cost = costs.iterations;
  run.m_cost = costs.memory_kib;
  run.lanes = costs.lanes;
  // The key does not depend on it. With more threads, libargon2 does not wait for those that work in memory
  // that it frees, if the system refuses it another one.
  run.threads = 1;
  run.version = ARGON2_VERSION_13;
  run.flags = ARGON2_DEFAULT_FLAGS;  // the memory is wiped in any case
  const int result = library.derive(&run);
  if (result == ARGON2_OK) return;
  wipe_derived(out);
  if (result == ARGON2_MEMORY_ALLOCATION_ERROR) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "too little memory for argon2id, which takes {} KiB",
                  costs.memory_kib);
  }
  throw Failure(WARPAES_ERROR_INTERNAL, "argon2id: {}", library.message(result));
}

}  // namespace warpaes::core
