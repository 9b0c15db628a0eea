// One message in device memory, and what Python needs to know about memory that is not its own.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "buffer.hpp"
#include "device_message.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

using Region = std::pair<Address, uint64_t>;  // address and length

/// @param aad associated data, or SIV's strings if it is a list (`strings`)
void on_device(const Key& key, warpaes_direction direction, nb::handle nonce, const Region& input,
               Address output, Address tag, const std::vector<Region>& aad, bool strings,
               const Region& workspace, Address status, Address stream) {
  DeviceMessage message{.input = input.first,
                        .length = input.second,
                        .output = output,
                        .tag = tag,
                        .aad = {},
                        .strings = strings,
                        .workspace = workspace.first,
                        .workspace_size = workspace.second,
                        .status = status,
                        .stream = stream};
  message.aad.reserve(aad.size() + 1);  // a list of no strings is an array that is there
  for (const auto& [address, length] : aad) message.aad.push_back({at<const void>(address), length});
  start_on_device(key, direction, nonce, message);
}

/// What a capsule of DLPack says: (owner, address, shape, strides, bits an item, device type, device, whether
/// it may only be read), or None if it is none. The memory is valid as long as the owner exists.
nb::object dlpack(nb::handle capsule) {
  if (PyCapsule_CheckExact(capsule.ptr()) == 0) return nb::none();
  nb::ndarray<nb::ro> array;
  nb::ndarray<> writable;
  const bool readonly = !nb::try_cast(capsule, writable, false);
  if (!readonly) array = nb::ndarray<nb::ro>(writable.handle());  // a capsule can be taken once only
  if (readonly && !nb::try_cast(capsule, array, false)) return nb::none();
  nb::list shape, strides;
  for (size_t axis = 0; axis < array.ndim(); ++axis) {
    shape.append(array.shape(axis));
    strides.append(array.stride(axis));
  }
  const auto address = reinterpret_cast<Address>(array.data());
  const int bits = array.dtype().bits * array.dtype().lanes;
  const int device_type = array.device_type(), device = array.device_id();
  const nb::capsule owner(new nb::ndarray<nb::ro>(array),
                          [](void* held) noexcept { delete static_cast<nb::ndarray<nb::ro>*>(held); });
  return nb::make_tuple(owner, address, nb::tuple(shape), nb::tuple(strides), bits, device_type, device,
                        readonly);
}

/// Host memory whose owner has said where it lies, and is kept by the caller for as long as the view.
nb::object view_at(Address address, uint64_t length) {
  static char nothing = 0;  // a view of no bytes has to lie somewhere
  char* const start = length == 0 ? &nothing : reinterpret_cast<char*>(address);
  return nb::steal(PyMemoryView_FromMemory(start, static_cast<Py_ssize_t>(length), PyBUF_WRITE));
}

/// The address of a bytes-like object's memory, valid as long as the object lends it (memoryview, bytes).
Address address_of(nb::handle object) {
  return reinterpret_cast<Address>(Buffer::of_any_items(object, "data").data());
}

/// The lengths and the addresses of a list's items, each as packed 64-bit numbers, if all are bytes objects;
/// else None. They are valid as long as somebody else holds the items.
nb::object regions_of_bytes(const nb::list& given) {
  std::vector<uint64_t> lengths, addresses;
  for (nb::handle one : given) {
    if (PyBytes_CheckExact(one.ptr()) == 0) return nb::none();
    lengths.push_back(static_cast<uint64_t>(PyBytes_Size(one.ptr())));
    addresses.push_back(reinterpret_cast<Address>(PyBytes_AsString(one.ptr())));
  }
  return nb::make_tuple(nb::bytes(lengths.data(), lengths.size() * sizeof(uint64_t)),
                        nb::bytes(addresses.data(), addresses.size() * sizeof(uint64_t)));
}

}  // namespace

uint64_t workspace_size(const Key& key, warpaes_direction direction, uint64_t count, uint64_t length) {
  size_t size = 0;
  check(warpaes_workspace_size(key.cipher.get(), direction, count, length, &size));
  return size;
}

int start_on_device(const Key& key, warpaes_direction direction, nb::handle nonce_object,
                    const DeviceMessage& given, WaitForStream wait) {
  const Buffer nonce = Buffer::reading(nonce_object, "nonce");
  warpaes_message message{};
  message.size = sizeof message;
  message.input = at<const void>(given.input);
  message.length = given.length;
  message.output = at<void>(given.output);
  message.output_capacity = given.length;
  message.nonce = nonce.data();
  message.nonce_length = nonce.length();
  message.tag = at<void>(given.tag);
  message.tag_length = key.tag_length;
  message.status = at<int32_t>(given.status);
  if (given.strings) {
    message.strings = given.aad.data();
    message.string_count = given.aad.size();
  } else if (!given.aad.empty()) {
    message.aad = given.aad[0].data;
    message.aad_length = given.aad[0].length;
  }
  const auto run = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_device : warpaes_decrypt_device;
  int waited = kNotWaited;
  check(without_gil([&] {
    const warpaes_status started = run(key.cipher.get(), &message, at<void>(given.workspace),
                                       given.workspace_size, at<CUstream_st>(given.stream));
    if (started == WARPAES_OK && wait != nullptr) waited = wait(at<void>(given.stream));
    return started;
  }));
  return waited;
}

void add_device(nb::module_& module) {
  module.def("workspace_size", workspace_size, nb::arg("key"), nb::arg("direction"), nb::arg("count"),
             nb::arg("length"));
  module.def("message_on_device", on_device, nb::arg("key"), nb::arg("direction"), nb::arg("nonce").none(),
             nb::arg("data"), nb::arg("output"), nb::arg("tag"), nb::arg("aad"), nb::arg("strings"),
             nb::arg("workspace"), nb::arg("status"), nb::arg("stream"));
  module.def("dlpack", dlpack, nb::arg("capsule"));
  module.def("address_of", address_of, nb::arg("given"));
  module.def("regions_of_bytes", regions_of_bytes, nb::arg("given"));
  module.def("new_bytes", new_bytes, nb::arg("length"));
  module.def("view_at", view_at, nb::arg("address"), nb::arg("length"),
             nb::sig("def view_at(address: int, length: int) -> memoryview"));
}

}  // namespace warpaes::python
