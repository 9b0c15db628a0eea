// Memory that a Python object lends through the buffer protocol, for as long as a call lasts.
#pragma once

#include <nanobind/nanobind.h>
#include <warpaes/warpaes.h>

#include <optional>
#include <utility>

namespace warpaes::python {

/// A view of a bytes-like object. While it exists, the object can be neither freed nor resized, so the memory
/// may be used without the GIL. It must be destroyed with the GIL held.
///
/// Objects of the type bytes cannot be resized or written to, so a reference to them is enough: asking for
/// their buffer and giving it back takes a tenth of a call for a short message.
class Buffer {
 public:
  Buffer() = default;

  /// Nothing of a None. Raises TypeError for what is not bytes-like, items of several bytes such as floating
  /// point numbers among it, and ValueError for what is not contiguous.
  static Buffer reading(nanobind::handle object, const char* name) { return {object, name, PyBUF_SIMPLE}; }

  /// The same for memory that is written to: read-only objects raise TypeError, and so does None.
  static Buffer writing(nanobind::handle object, const char* name) { return {object, name, PyBUF_WRITABLE}; }

  /// As reading(), whatever the items are.
  static Buffer of_any_items(nanobind::handle object, const char* name) {
    return {object, name, PyBUF_SIMPLE, true};
  }

  Buffer(Buffer&& other) noexcept
      : data_(other.data_),
        length_(other.length_),
        bytes_(std::move(other.bytes_)),
        view_(std::exchange(other.view_, std::nullopt)) {}
  Buffer& operator=(Buffer&&) = delete;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (view_.has_value()) PyBuffer_Release(&*view_);
  }

  [[nodiscard]] uint8_t* data() const { return data_; }
  [[nodiscard]] uint64_t length() const { return length_; }
  [[nodiscard]] warpaes_bytes bytes() const { return {data(), length()}; }

 private:
  Buffer(nanobind::handle object, const char* name, int flags, bool any_items = false);

  uint8_t* data_ = nullptr;
  uint64_t length_ = 0;
  nanobind::object bytes_;         // what is held, if it is of the type bytes
  std::optional<Py_buffer> view_;  // else
};

/// Raises ValueError if memory for an answer is too short for it.
void require_room(uint64_t given, uint64_t needed);

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
