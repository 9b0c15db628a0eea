// What the opaque handles of the C ABI point to, how a call becomes a status, and how structures are read and
// written, whichever version of the header the caller was compiled with (warpaes/types.h has the rule).
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>

#include "failure.hpp"
#include "operations/operation.hpp"
#include "pipeline/context.hpp"
#include "process/cancellation.hpp"
#include "runtime/cipher.hpp"
#include "warpaes/warpaes.h"

struct warpaes_context {
  warpaes::core::Context context;
  mutable std::map<void*, warpaes::core::HostBuffer> memory = {};  // guarded by its fork_safe_mutex()
};

struct warpaes_cipher {
  warpaes::core::Cipher cipher;
};

struct warpaes_operation {
  warpaes::core::Operation operation;
};

namespace warpaes::core::c_api {

/// Keeps the message of the exception that is being handled for warpaes_last_error(), and returns its status.
Status report_current_exception() noexcept;

/// Runs a call of the C ABI. No exception passes beyond it. This one is for calls that are made for each
/// message or part of one, which may be short: if they wait, whoever waits sees to it that the thread is not
/// cancelled.
template <class Call>
Status guarded_quickly(const Call& call) noexcept {
  try {
    call();
    return WARPAES_OK;
  } catch (...) {
    return report_current_exception();
  }
}

/// Any other call, in which the thread is not cancelled.
template <class Call>
Status guarded(const Call& call) noexcept {
  const NotCancelled not_cancelled;
  return guarded_quickly(call);
}

/// These throw NULL_POINTER and BUFFER_SIZE. Whether anything is wrong is decided inline, as in other checks
/// of messages: a short one is done in the time that it takes to enter some dozens of functions.
[[noreturn]] void refuse_null(const char* name);
[[noreturn]] void refuse_room(uint64_t needed, uint64_t room);

/// Throws NULL_POINTER, with the parameter's name, if the pointer is null.
inline void require(const void* pointer, const char* name) {
  if (pointer == nullptr) refuse_null(name);
}

/// A guarded call whose result is one number, name or handle. It is 0 if the call fails, and written at the
/// end only, as its place may lie in what the call reads.
/// @param name of the parameter that says where the result goes
template <class Result, class Call>
Status guarded_into(Result* result, const char* name, const Call& call) noexcept {
  return guarded([&] {
    require(result, name);
    try {
      *result = call();
    } catch (...) {
      *result = Result{};
      throw;
    }
  });
}

/// Throws OVERLAP if the place where a call is going to write a number lies in memory that it reads or writes
/// otherwise, whose length need not have been checked. Null is no such place.
void require_apart_from(const char* name, const uint64_t* place, std::initializer_list<warpaes_bytes> others);

/// Begins a call that tells a length: it is 0 if the call fails. Throws NULL_POINTER if there is no place for
/// it, and OVERLAP, with nothing written, if that place is in memory that the call reads or writes otherwise.
/// @param name of the parameter that says where the length goes
/// @param others the memory, whose lengths need not have been checked
void begin_length(uint64_t* length, const char* name, std::initializer_list<warpaes_bytes> others);

/// What a call would write, or 0 if it is going to be refused. Of an output's capacity, which may be said to
/// be more than there is, no more is looked at.
template <class Size>
uint64_t size_unless_refused(const Size& size) {
  try {
    return size();
  } catch (const Failure&) {
    return 0;
  }
}

/// Throws OPTION if it is neither direction.
/// @param otherwise what the direction is then
void require_direction(Direction direction, const char* otherwise =
                                                "neither WARPAES_DIRECTION_ENCRYPT nor "
                                                "WARPAES_DIRECTION_DECRYPT");

/// Throws BUFFER_SIZE if there is too little room.
inline void require_room(uint64_t needed, uint64_t room) {
  if (needed > room) refuse_room(needed, room);
}

/// Throws OPTION unless a structure of `given` bytes can stand for one of `known` bytes.
void require_size(const void* structure, size_t given, size_t known, const char* name);

/// A copy of a caller's structure, with zeros for what an older one lacks.
template <class Structure>
Structure read_structure(const Structure* given, const char* name) {
  require(given, name);
  if (given->size == sizeof(Structure)) return *given;
  require_size(given, given->size, sizeof(Structure), name);
  Structure known{};
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  known.size = sizeof known;
  return known;
}

/// Fills in a caller's structure as far as it reaches. Its size stays as it is.
template <class Structure>
void write_structure(Structure* to, Structure known) {
  known.size = to->size;
  std::memcpy(to, &known, std::min(known.size, sizeof known));
}

/// Throws OPTION if a reserved member is not 0.
void require_reserved(uint64_t reserved, const char* name);

/// Throws OPTION unless a member that stands for yes or no is 1 or 0.
void require_flag(uint32_t flag, const char* structure, const char* member);

/// Checks the members of structures that can say that plaintext is in device memory (OPTION).
void require_device_members(uint32_t on_device, warpaes_stream stream, const char* name);

/// A name such as "cuda/lane_private_tables" that is valid as long as the library is loaded.
const char* lasting_name(const Engine& engine);

inline const Cipher& cipher_of(const warpaes_cipher* handle) {
  require(handle, "cipher");
  return handle->cipher;
}

inline const uint8_t* bytes_at(const void* memory) { return static_cast<const uint8_t*>(memory); }
inline uint8_t* bytes_at(void* memory) { return static_cast<uint8_t*>(memory); }

}  // namespace warpaes::core::c_api
