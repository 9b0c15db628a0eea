// Memory that a Python object lends through the buffer protocol, for as long as a call lasts.
#pragma once

#include <nanobind/nanobind.h>
#include <warpaes/warpaes.h>

#include <utility>

namespace warpaes::python {

/// A view of a bytes-like object. While it exists, the object can be neither freed nor resized, so the memory
/// may be used without the GIL. It must be destroyed with the GIL held.
class Buffer {
 public:
  Buffer() = default;

  /// Nothing of a None; raises TypeError for what is not bytes-like, ValueError for what is not contiguous.
  static Buffer reading(nanobind::handle object, const char* name) { return {object, name, PyBUF_SIMPLE}; }

  /// The same for memory that is written to: read-only objects raise TypeError, and so does None.
  static Buffer writing(nanobind::handle object, const char* name) { return {object, name, PyBUF_WRITABLE}; }

  Buffer(Buffer&& other) noexcept : view_(other.view_) { other.view_ = {}; }
  Buffer& operator=(Buffer&&) = delete;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (view_.obj != nullptr) PyBuffer_Release(&view_);
  }

  [[nodiscard]] uint8_t* data() const { return static_cast<uint8_t*>(view_.buf); }
  [[nodiscard]] uint64_t length() const { return static_cast<uint64_t>(view_.len); }
  [[nodiscard]] warpaes_bytes bytes() const { return {data(), length()}; }

 private:
  Buffer(nanobind::handle object, const char* name, int flags);

  Py_buffer view_{};
};

/// A bytes object that nobody else has seen yet, to be filled.
inline nanobind::bytes new_bytes(uint64_t length) {
  PyObject* const made = length > PY_SSIZE_T_MAX
                             ? PyErr_NoMemory()
                             : PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(length));
  if (made == nullptr) throw nanobind::python_error();
  return nanobind::steal<nanobind::bytes>(made);
}

inline uint8_t* data_of(const nanobind::bytes& fresh) {
  // PyBytes_AsString() is the one way to the memory in the stable ABI; only fresh objects are written to.
  return reinterpret_cast<uint8_t*>(PyBytes_AsString(fresh.ptr()));
}

}  // namespace warpaes::python
