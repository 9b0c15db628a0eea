// Methods of the AEAD classes that do the simplest calls themselves: bytes, all arguments by place; and
// arrays of PyTorch and CuPy on a device, with or without `out`.
//
// A class's own method takes arrays of all kinds, names of arguments and streams, and is a function of
// Python's. To get there and on to the key costs 120 of the 590 ns that a message of 64 bytes takes.
// Everything that is not as simple as that goes to that function, which also tells what is wrong with a call.
#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

struct QuickMethod {
  const char* name;
  PyObject* (*of_key)(PyObject* key, PyObject* const* arguments, Py_ssize_t count);
  const char* arguments;  // of the class's own function, as Python writes them
  bool into;              // memory for the answer is the fourth argument
  warpaes_direction direction;
};

constexpr std::array kMethods{
    QuickMethod{"encrypt", encrypt_quickly, "nonce, data, associated_data=None, *, out=None, stream=None",
                false, WARPAES_DIRECTION_ENCRYPT},
    QuickMethod{"decrypt", decrypt_quickly, "nonce, data, associated_data=None, *, out=None, stream=None",
                false, WARPAES_DIRECTION_DECRYPT},
    QuickMethod{"encrypt_into", encrypt_into_quickly, "nonce, data, associated_data, buf, *, stream=None",
                true, WARPAES_DIRECTION_ENCRYPT},
    QuickMethod{"decrypt_into", decrypt_into_quickly, "nonce, data, associated_data, buf, *, stream=None",
                true, WARPAES_DIRECTION_DECRYPT},
};

// Python's objects, which live as long as the interpreter.
PyTypeObject* type_of_keys;
PyObject* name_of_key;
PyObject* names_with_out;                          // ("out",)
std::array<PyObject*, kMethods.size()> functions;  // the class's own

PyObject* kept_name(const char* name) {
  PyObject* const made = PyUnicode_InternFromString(name);
  if (made == nullptr) nb::raise_python_error();
  return made;
}

bool is_simple(bool into, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  if (keywords != nullptr) return false;
  if (into) return count == 4 && PyBytes_CheckExact(arguments[1]) && PyByteArray_CheckExact(arguments[3]);
  return (count == 2 || count == 3) && PyBytes_CheckExact(arguments[1]);
}

/// nonce and data by place, no additional data, and no other name than `out`.
bool may_be_on_device(PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  if (count != 2 && (count != 3 || arguments[2] != Py_None)) return false;
  return keywords == nullptr || keywords == names_with_out ||
         PyObject_RichCompareBool(keywords, names_with_out, Py_EQ) == 1;
}

/// @return as run_on_device_quickly()
PyObject* call_on_device(PyObject* self, warpaes_direction direction, PyObject* const* arguments,
                         Py_ssize_t count, PyObject* keywords) {
  const nb::object key = nb::steal(PyObject_GetAttr(self, name_of_key));
  if (!key.is_valid() || Py_TYPE(key.ptr()) != type_of_keys) return nullptr;
  PyObject* const out = keywords == nullptr ? Py_None : arguments[count];
  return run_on_device_quickly(key, direction, arguments[0], arguments[1], out);
}

/// Calls the class's own function with what was given.
PyObject* call_function(PyObject* function, PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* keywords) {
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_Size(keywords);
  std::vector<PyObject*> given;
  try {
    given.reserve(static_cast<size_t>(count + named) + 1);
  } catch (const std::bad_alloc&) {  // Python would not see a C++ exception
    return PyErr_NoMemory();
  }
  given.push_back(self);
  given.insert(given.end(), arguments, arguments + count + named);
  return PyObject_Vectorcall(function, given.data(), static_cast<size_t>(count) + 1, keywords);
}

template <size_t kIndex>
PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  constexpr QuickMethod kMethod = kMethods[kIndex];
  if (is_simple(kMethod.into, arguments, count, keywords)) {
    PyObject* const key = PyObject_GetAttr(self, name_of_key);
    if (key == nullptr) return nullptr;
    if (Py_TYPE(key) == type_of_keys) {
      PyObject* const given[] = {arguments[0], arguments[1], count > 2 ? arguments[2] : Py_None,
                                 kMethod.into ? arguments[3] : nullptr};
      PyObject* const made = kMethod.of_key(key, given, kMethod.into ? 4 : 3);
      Py_DECREF(key);
      return made;
    }
    Py_DECREF(key);
  } else if (!kMethod.into && may_be_on_device(arguments, count, keywords)) {
    PyObject* const made = call_on_device(self, kMethod.direction, arguments, count, keywords);
    if (made != nullptr || PyErr_Occurred() != nullptr) return made;
  }
  return call_function(functions[kIndex], self, arguments, count, keywords);
}

/// @param own_functions by name: the class's own functions, for documentation
template <size_t kIndex>
void add(nb::handle type, nb::dict& own_functions) {
  constexpr QuickMethod kMethod = kMethods[kIndex];
  // It is not called as an attribute: a subclass may have a method of whatever name that had.
  const nb::object function = nb::getattr(type, kMethod.name);
  functions[kIndex] = function.inc_ref().ptr();
  own_functions[kMethod.name] = function;

  // Python takes the signature of such a method from the beginning of its documentation.
  static std::string text;
  static PyMethodDef method;
  const nb::object documentation = nb::getattr(function, "__doc__");
  text = std::string(kMethod.name) + "($self, " + kMethod.arguments + ")\n--\n\n";
  if (!documentation.is_none()) text += nb::str(documentation).c_str();
  method = {kMethod.name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call<kIndex>)),
            METH_FASTCALL | METH_KEYWORDS, text.c_str()};
  PyObject* const made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method);
  if (made == nullptr) nb::raise_python_error();
  nb::setattr(type, kMethod.name, nb::steal(made));
}

/// Puts these methods before those of the class, which has its key under `_key`, and which keeps its own
/// under
/// `_own_functions`. To be called once.
void call_quickly(nb::handle type) {
  name_of_key = kept_name("_key");
  names_with_out = nb::make_tuple("out").release().ptr();
  type_of_keys = reinterpret_cast<PyTypeObject*>(nb::type<Key>().ptr());
  nb::dict own_functions;
  add<0>(type, own_functions);
  add<1>(type, own_functions);
  add<2>(type, own_functions);
  add<3>(type, own_functions);
  nb::setattr(type, "_own_functions", own_functions);
}

}  // namespace

void add_methods(nb::module_& module) { module.def("call_quickly", call_quickly, nb::arg("of")); }

}  // namespace warpaes::python
