#include "buffer.hpp"

#include <string>
#include <string_view>

namespace warpaes::python {
namespace {

const char* hint_for_text(std::string_view name) {
  return name.ends_with("key") ? ": text is no key, bytes.fromhex() reads hexadecimal digits"
                               : ": encode the text first, as text.encode()";
}

/// Which sentence says best what to do about an object that lends no memory.
[[noreturn]] void refuse(nanobind::handle object, const char* name, bool writable) {
  PyErr_Clear();
  const std::string type(nanobind::type_name(object.type()).c_str());
  if (PyObject_CheckBuffer(object.ptr()) == 0) {
    const std::string why = std::string(name) + " must be bytes-like, not " + type +
                            (PyUnicode_Check(object.ptr()) ? hint_for_text(name) : "");
    throw nanobind::type_error(why.c_str());
  }
  Py_buffer view{};
  if (writable && PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) == 0) {
    PyBuffer_Release(&view);
    const std::string why = std::string(name) + " is read-only (" + type +
                            "): pass memory that can be written to, such as a bytearray";
    throw nanobind::type_error(why.c_str());
  }
  PyErr_Clear();
  // Memory that is lent in no form, as that of a view that was released or of a file that was closed.
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_FULL_RO) != 0) nanobind::raise_python_error();
  PyBuffer_Release(&view);
  const std::string why = std::string(name) + " is not contiguous in memory (" + type +
                          "): copy it into one piece first, as with numpy.ascontiguousarray()";
  throw nanobind::value_error(why.c_str());
}

/// Not inline: the constructor, which every call of a short message waits for, stays small.
[[noreturn, gnu::noinline]] void refuse_items(const char* name, Py_ssize_t length) {
  const std::string why = std::string(name) + " is an array of items of " + std::to_string(length) +
                          " bytes: pass its bytes, as with memoryview(x).cast('B')";
  throw nanobind::type_error(why.c_str());
}

}  // namespace

Buffer::Buffer(nanobind::handle object, const char* name, int flags, bool any_items) {
  const bool writable = (flags & PyBUF_WRITABLE) != 0;
  if (object.is_none() && !writable) return;
  if (PyBytes_CheckExact(object.ptr()) != 0 && !writable) {
    bytes_ = nanobind::borrow(object);
    data_ = reinterpret_cast<uint8_t*>(PyBytes_AsString(object.ptr()));
    length_ = static_cast<uint64_t>(PyBytes_Size(object.ptr()));
    return;
  }
  Py_buffer view{};
  if (PyObject_GetBuffer(object.ptr(), &view, flags) != 0) refuse(object, name, writable);
  if (const Py_ssize_t item = view.itemsize; !any_items && item != 1) {
    PyBuffer_Release(&view);
    refuse_items(name, item);
  }
  data_ = static_cast<uint8_t*>(view.buf);
  length_ = static_cast<uint64_t>(view.len);
  view_ = view;
}

void require_room(uint64_t given, uint64_t needed) {
  if (given >= needed) return;
  const std::string why = "buf must have at least " + std::to_string(needed) + " bytes for this part, not " +
                          std::to_string(given);
  throw nanobind::value_error(why.c_str());
}

}  // namespace warpaes::python
