// What can do the work on this machine: contexts, engines, devices.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

void make_context(PythonContext* place, const std::optional<std::string>& engine,
                  const std::vector<int32_t>& devices, bool all_devices, uint32_t threads, uint32_t timing) {
  warpaes_context_options options{};
  options.size = sizeof options;
  options.engine = engine ? engine->c_str() : nullptr;
  options.devices = devices.empty() ? nullptr : devices.data();
  options.device_count = all_devices ? WARPAES_ALL_DEVICES : devices.size();
  options.timing = timing;
  options.threads = threads;
  warpaes_context* context = nullptr;
  check(without_gil([&] { return warpaes_context_create(&options, &context); }));
  new (place) PythonContext{Context(context, warpaes_context_destroy), threads,
                            devices.empty() ? 0 : devices.front()};
}

std::string engine_for(const PythonContext& context, uint64_t length) {
  const char* name = nullptr;
  check(warpaes_context_engine(context.handle.get(), length, &name));
  return name;
}

nb::list engines(int32_t device) {
  nb::list all;
  for (size_t index = 0;; ++index) {
    warpaes_engine_info info{};
    info.size = sizeof info;
    info.device = device;
    const warpaes_status status = without_gil([&] { return warpaes_engine_get(index, &info); });
    if (status == WARPAES_ERROR_OPTION) return all;  // there is none of this number
    check(status);
    all.append(nb::make_tuple(info.name, info.kernel, info.description, info.timing, info.on_device != 0,
                              info.available != 0, info.failed_self_test != 0, info.reason));
  }
}

nb::list devices() {
  nb::list all;
  for (uint32_t device = 0;; ++device) {
    warpaes_device_info info{};
    info.size = sizeof info;
    const warpaes_status status = without_gil([&] { return warpaes_device_get(device, &info); });
    if (status == WARPAES_ERROR_NO_DEVICE) return all;  // there is none of this number
    check(status);
    all.append(nb::make_tuple(device, info.name, nb::make_tuple(info.compute_major, info.compute_minor),
                              info.multiprocessors, info.memory_size, info.memory_free));
  }
}

}  // namespace

void add_machine(nb::module_& module) {
  nb::class_<PythonContext>(module, "Context")
      .def("__init__", make_context, nb::arg("engine").none(), nb::arg("devices"), nb::arg("all_devices"),
           nb::arg("threads"), nb::arg("timing"))
      .def("engine_for", engine_for, nb::arg("length"));
  module.def("engines", engines, nb::arg("device"));
  module.def("devices", devices);
}

}  // namespace warpaes::python
