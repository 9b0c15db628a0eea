// DLPack's exchange interface for C (DLPack 1.3, `DLPackExchangeAPI` of dlpack.h): functions that a package
// has for its type of arrays. They say where an array lies in some tens of nanoseconds; to ask the array's
// attributes, one after the other, takes ten times as long.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

namespace warpaes::python {

/// The functions return 0, or another number with Python's error set. They neither wait for a stream nor
/// tell one to wait.
struct ExchangeFunctions {
  uint32_t major;
  uint32_t minor;
  const void* earlier_version;
  void (*allocate)();  // this and the next two are not called here
  void (*from_object)();
  void (*to_object)();
  int (*describe)(void* array, nanobind::dlpack::dltensor* description);  // may be null
  int (*current_stream)(int32_t device_type, int32_t device, void** stream);
};

/// @return null if the type has none, or another version's; else it lives as long as the process
const ExchangeFunctions* exchange_functions_of(nanobind::handle type);

/// Whether the items lie one behind the other without gaps, those of the last axis side by side.
bool is_contiguous(const nanobind::dlpack::dltensor& array);

/// How many items an array has.
uint64_t item_count(const nanobind::dlpack::dltensor& array);

}  // namespace warpaes::python
