#include "exchange.hpp"

namespace nb = nanobind;

namespace warpaes::python {

const ExchangeFunctions* exchange_functions_of(nb::handle type) {
  constexpr uint32_t kMajor = 1;
  const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api") == 0) return nullptr;
  const auto* const found =
      static_cast<const ExchangeFunctions*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  return found->major == kMajor && found->describe != nullptr ? found : nullptr;
}

bool is_contiguous(const nb::dlpack::dltensor& array) {
  if (array.strides == nullptr || item_count(array) == 0) return true;
  int64_t items = 1;
  for (int32_t axis = array.ndim - 1; axis >= 0; axis--) {
    if (array.shape[axis] != 1 && array.strides[axis] != items) return false;
    items *= array.shape[axis];
  }
  return true;
}

uint64_t item_count(const nb::dlpack::dltensor& array) {
  uint64_t items = 1;
  for (int32_t axis = 0; axis < array.ndim; axis++) items *= static_cast<uint64_t>(array.shape[axis]);
  return items;
}

}  // namespace warpaes::python
