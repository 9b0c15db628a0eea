// The C interface's handles with an owner, and what the parts of the module are.
#pragma once

#include <nanobind/nanobind.h>
#include <warpaes/warpaes.h>

#include <memory>

namespace warpaes::python {

template <auto destroy>
struct Destroy {
  template <class Handle>
  void operator()(Handle* handle) const {
    destroy(handle);
  }
};

/// Engines, a device and threads. Whoever needs the context holds a share of it, so that it goes last,
/// whatever order Python's garbage collection has.
using Context = std::shared_ptr<warpaes_context>;
using CipherHandle = std::unique_ptr<warpaes_cipher, Destroy<warpaes_cipher_destroy>>;

struct PythonContext {
  Context handle;
  uint32_t threads = 0;  // 0: all
  int32_t device = 0;    // of calls on device memory
};

/// A key with its mode, and how the Python classes arrange ciphertext and tag.
struct Key {
  Context context;
  CipherHandle cipher;
  warpaes_mode mode = WARPAES_MODE_INVALID;
  uint64_t tag_length = 0;
  bool tag_first = false;  // SIV: the tag stands before the ciphertext
  bool is_quick = false;   // a short message takes a microsecond or so
  int32_t device = 0;      // the context's
};

/// Methods of a key, all arguments by place: nonce, data, additional data and, for …_into, memory for the
/// answer.
/// @return a new reference, or null with Python's error set
PyObject* encrypt_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count);
PyObject* decrypt_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count);
PyObject* encrypt_into_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count);
PyObject* decrypt_into_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count);

/// One message in an array of a device, if the array's type has a short way (warpaes/_short_ways.py).
/// @param out memory for the answer, or None
/// @return a new reference; null with Python's error set; or null without, if that is a matter for the
///         general way, and then nothing was done
PyObject* run_on_device_quickly(nanobind::handle key, warpaes_direction direction, PyObject* nonce,
                                PyObject* data, PyObject* out);

/// An address as Python has it.
using Address = uint64_t;

template <class Type>
Type* at(Address address) {
  return reinterpret_cast<Type*>(address);
}

void add_machine(nanobind::module_& module);     // contexts, engines, devices
void add_keys(nanobind::module_& module);        // keys and whole messages
void add_methods(nanobind::module_& module);     // the quick way to them from the classes of Python
void add_device(nanobind::module_& module);      // messages in device memory
void add_arrays(nanobind::module_& module);      // the same of PyTorch's and CuPy's arrays, with few steps
void add_batches(nanobind::module_& module);     // many messages
void add_operations(nanobind::module_& module);  // messages in parts
void add_containers(nanobind::module_& module);  // encrypted files
void add_derivation(nanobind::module_& module);  // random bytes, keys of passphrases
void add_leftovers(nanobind::module_& module);   // temporary files at the interpreter's end

}  // namespace warpaes::python
