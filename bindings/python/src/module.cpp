// The extension module warpaes._native: the C interface, nearly as it is. The classes that people use are
// made of it in Python.
#include <atomic>
#include <cstdint>

#include "handles.hpp"

// NOLINTNEXTLINE(performance-unnecessary-value-param): the macro's signature
NB_MODULE(_made_in_one_interpreter, module) {
  nanobind::set_leak_warnings(false);  // the default context lives as long as the interpreter
  module.attr("version") = warpaes_version();
  warpaes::python::add_machine(module);
  warpaes::python::add_keys(module);
  warpaes::python::add_methods(module);
  warpaes::python::add_device(module);
  warpaes::python::add_arrays(module);
  warpaes::python::add_batches(module);
  warpaes::python::add_operations(module);
  warpaes::python::add_containers(module);
  warpaes::python::add_derivation(module);
  warpaes::python::add_leftovers(module);
}

namespace {

/// What Python calls to fill the module, in place of nanobind's own function: nanobind keeps one table of
/// types in a process, which a second interpreter would take away from the first one. Python refuses such a
/// module by itself since 3.12, but not in a subinterpreter that shares the GIL.
int fill_in_first_interpreter(PyObject* module) {
  static constexpr int64_t kNone = -1;
  static std::atomic<int64_t> first = kNone;
  int64_t found = kNone;
  const int64_t current = PyInterpreterState_GetID(PyInterpreterState_Get());
  if (!first.compare_exchange_strong(found, current) && found != current) {
    PyErr_SetString(PyExc_ImportError,
                    "warpaes works in one interpreter of a process, and another one has imported it already: "
                    "use a thread of that one, or a process, in place of a subinterpreter");
    return -1;
  }
  return nanobind__made_in_one_interpreter_exec(module);
}

}  // namespace

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" NB_EXPORT PyObject* PyInit__native() {
  PyObject* const made = PyInit__made_in_one_interpreter();
  if (made == nullptr) return nullptr;
  for (PyModuleDef_Slot* slot = reinterpret_cast<PyModuleDef*>(made)->m_slots; slot->slot != 0; ++slot) {
    if (slot->slot == Py_mod_exec) slot->value = reinterpret_cast<void*>(fill_in_first_interpreter);
  }
  return made;
}
