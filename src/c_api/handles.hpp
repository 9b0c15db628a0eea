// What the opaque handles of the C ABI point to, and how a call becomes a status.
#pragma once

#include <string>
#include <utility>

#include "failure.hpp"
#include "pipeline/context.hpp"
#include "pipeline/random_nonces.hpp"
#include "warpaes/warpaes.h"

struct warpaes_context {
  warpaes::Context context;
};

struct warpaes_key {
  warpaes::Key key;
  mutable warpaes::RandomNonceCount random_nonces = {};
};

namespace warpaes::c_api {

/// Keeps the message of the exception being handled for warpaes_last_error() and returns its status.
Status report_current_exception() noexcept;

/// The wall that no exception passes.
template <class Call>
Status guarded(const Call& call) noexcept {
  try {
    call();
    return WARPAES_OK;
  } catch (...) {
    return report_current_exception();
  }
}

/// Throws NULL_POINTER, with the parameter's name.
void require(const void* pointer, const char* name);

/// Throws OPTION.
void require_direction(Direction direction);

/// Throws OPTION unless a struct of the caller's is of the type's size, with zeros where nothing is defined.
/// @param name,type as error texts have them
template <class Struct>
void require_layout(const Struct& given, const char* name, const char* type) {
  if (given.size != sizeof given) {
    throw Failure(WARPAES_ERROR_OPTION, std::string(name) + ".size is not sizeof(" + type + ")");
  }
  for (const auto word : given.reserved) {
    if (word != 0) throw Failure(WARPAES_ERROR_OPTION, std::string(name) + ".reserved is not zero");
  }
}

inline const Key& key_of(const warpaes_key* key) {
  require(key, "key");
  return key->key;
}

inline const uint8_t* bytes_at(const void* memory) { return static_cast<const uint8_t*>(memory); }
inline uint8_t* bytes_at(void* memory) { return static_cast<uint8_t*>(memory); }

}  // namespace warpaes::c_api
