// Encrypted files: chunks, and any range of bytes.
#include <memory>

#include "buffer.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

struct Container {
  Context context;
  std::unique_ptr<warpaes_container, Destroy<warpaes_container_destroy>> handle;
};

warpaes_container_options options_with(const Buffer& context, const Buffer& salt) {
  warpaes_container_options options{};
  options.size = sizeof options;
  options.context = context.bytes();
  options.salt = salt.bytes();
  return options;
}

/// The container and its header.
nb::tuple create(const PythonContext& context, nb::handle key_object, nb::handle context_string,
                 nb::handle salt_object) {
  const Buffer key = Buffer::reading(key_object, "key"), string = Buffer::reading(context_string, "context"),
               salt = Buffer::reading(salt_object, "salt");
  const warpaes_container_options options = options_with(string, salt);
  nb::bytes header = new_bytes(WARPAES_CONTAINER_HEADER_LENGTH);
  warpaes_container* made = nullptr;
  check(without_gil([&] {
    return warpaes_container_create(context.handle.get(), key.data(), key.length(), &options, data_of(header),
                                    &made);
  }));
  Container container{context.handle, {}};
  container.handle.reset(made);
  return nb::make_tuple(nb::cast(std::move(container)), header);
}

Container open(const PythonContext& context, nb::handle key_object, nb::handle context_string,
               nb::handle header_object) {
  const Buffer key = Buffer::reading(key_object, "key"), string = Buffer::reading(context_string, "context"),
               header = Buffer::reading(header_object, "header");
  if (header.length() != WARPAES_CONTAINER_HEADER_LENGTH) throw nb::value_error("a header has 56 bytes");
  const warpaes_container_options options = options_with(string, Buffer());
  warpaes_container* made = nullptr;
  check(without_gil([&] {
    return warpaes_container_open(context.handle.get(), key.data(), key.length(), &options, header.data(),
                                  &made);
  }));
  Container container{context.handle, {}};
  container.handle.reset(made);
  return container;
}

uint64_t size(warpaes_direction direction, uint64_t length) {
  uint64_t result = 0;
  check(warpaes_container_size(direction, length, &result));
  return result;
}

nb::bytes encrypt(const Container& container, uint64_t first, nb::handle data, bool ends) {
  const Buffer input = Buffer::reading(data, "data");
  const uint64_t tags = input.length() / WARPAES_CONTAINER_CHUNK_LENGTH + (ends ? 1 : 0);
  nb::bytes made = new_bytes(input.length() + tags * 16);
  warpaes_chunks chunks{};
  chunks.size = sizeof chunks;
  chunks.first = first;
  chunks.input = input.data();
  chunks.length = input.length();
  chunks.output = data_of(made);
  chunks.output_capacity = input.length() + tags * 16;
  chunks.ends = ends ? 1 : 0;
  check(without_gil([&] { return warpaes_container_encrypt(container.handle.get(), &chunks); }));
  return made;
}

/// For calls that read an encrypted file: what is wrong with it has exceptions of its own.
void check_container(warpaes_status status) {
  if (status == WARPAES_OK) return;
  const nb::object make = nb::module_::import_("warpaes._errors").attr("container_exception_of");
  const nb::object exception = make(status, warpaes_status_name(status), warpaes_last_error());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

/// Reads through a Python function read(offset, memoryview), whose exception becomes that of the call.
struct Source {
  nb::handle read;
  nb::object error;
};

int32_t read_through_python(void* user, uint64_t offset, void* into, uint64_t length) {
  const nb::gil_scoped_acquire acquired;
  auto& source = *static_cast<Source*>(user);
  try {
    const nb::object view = nb::steal(
        PyMemoryView_FromMemory(static_cast<char*>(into), static_cast<Py_ssize_t>(length), PyBUF_WRITE));
    source.read(offset, view);
    view.attr("release")();  // the memory is gone when this returns, whoever still holds the view
    return 0;
  } catch (nb::python_error& failed) {
    source.error = nb::borrow(failed.value());
    return 1;
  }
}

uint64_t read(const Container& container, uint64_t container_length, nb::handle read_at, uint64_t offset,
              nb::handle into) {
  const Buffer output = Buffer::writing(into, "into");
  Source source{read_at, {}};
  warpaes_container_source given{};
  given.size = sizeof given;
  given.length = container_length;
  given.user = &source;
  given.read = read_through_python;
  uint64_t got = 0;
  const warpaes_status status = without_gil([&] {
    return warpaes_container_read(container.handle.get(), &given, offset, output.data(), output.length(),
                                  &got);
  });
  if (source.error.is_valid()) {
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(source.error.ptr())), source.error.ptr());
    throw nb::python_error();
  }
  check_container(status);
  return got;
}

}  // namespace

void add_containers(nb::module_& module) {
  nb::class_<Container>(module, "Container")
      .def_static("create", create, nb::arg("context"), nb::arg("key"), nb::arg("context_string"),
                  nb::arg("salt").none())
      .def_static("open", open, nb::arg("context"), nb::arg("key"), nb::arg("context_string"),
                  nb::arg("header"))
      .def("encrypt", encrypt, nb::arg("first"), nb::arg("data"), nb::arg("ends"))
      .def("read", read, nb::arg("container_length"), nb::arg("read_at"), nb::arg("offset"), nb::arg("into"));
  module.def("container_size", size, nb::arg("direction"), nb::arg("length"));
}

}  // namespace warpaes::python
