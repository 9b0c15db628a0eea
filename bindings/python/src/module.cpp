// The extension module warpaes._native: the C interface, nearly as it is. The classes that people use are
// made of it in Python.
#include "handles.hpp"

// NOLINTNEXTLINE(misc-use-internal-linkage,performance-unnecessary-value-param): the macro's signature
NB_MODULE(_native, module) {
  nanobind::set_leak_warnings(false);  // the default context lives as long as the interpreter
  module.attr("version") = warpaes_version();
  warpaes::python::add_machine(module);
  warpaes::python::add_keys(module);
  warpaes::python::add_device(module);
  warpaes::python::add_arrays(module);
  warpaes::python::add_batches(module);
  warpaes::python::add_operations(module);
  warpaes::python::add_containers(module);
  warpaes::python::add_derivation(module);
}
