// What the C interface returns, as Python exceptions.
#pragma once

#include <nanobind/nanobind.h>
#include <warpaes/warpaes.h>

#include "gil.hpp"

namespace warpaes::python {

/// Raises what warpaes._errors.exception_of() makes of a status and of the thread's last message. Call it
/// with the GIL held, on the thread whose call failed.
[[noreturn]] void raise(warpaes_status status);

inline void check(warpaes_status status) {
  if (status != WARPAES_OK) raise(status);
}

/// Runs a call of the C interface without the GIL, so that other threads of Python go on meanwhile.
template <class Call>
warpaes_status without_gil(const Call& call) {
  const WithoutGil released;
  return call();
}

}  // namespace warpaes::python
