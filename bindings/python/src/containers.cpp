// Encrypted files: chunks, and any range of bytes.
#include "buffer.hpp"
#include "container_reading.hpp"
#include "errors.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

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
  Container container{context.handle, context.threads, {}};
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
  Container container{context.handle, context.threads, {}};
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

uint64_t read(const Container& container, uint64_t container_length, nb::handle read_at, int file,
              uint64_t start, uint64_t offset, nb::handle into) {
  const Buffer output = Buffer::writing(into, "into");
  const PythonSource source{container_length, read_at, file, start};
  return read_container(container, source, offset, output.data(), output.length());
}

/// The same as a new object, which nobody knows before all of it is genuine. The caller has made sure that
/// there are so many bytes.
nb::bytes read_bytes(const Container& container, uint64_t container_length, nb::handle read_at, int file,
                     uint64_t start, uint64_t offset, uint64_t length) {
  nb::bytes made = new_bytes(length);
  const PythonSource source{container_length, read_at, file, start};
  if (read_container(container, source, offset, data_of(made), length) != length)
    throw nb::value_error("the range ends behind the plaintext");
  return made;
}

}  // namespace

void add_containers(nb::module_& module) {
  nb::class_<Container>(module, "Container")
      .def_static("create", create, nb::arg("context"), nb::arg("key"), nb::arg("context_string"),
                  nb::arg("salt").none())
      .def_static("open", open, nb::arg("context"), nb::arg("key"), nb::arg("context_string"),
                  nb::arg("header"))
      .def("encrypt", encrypt, nb::arg("first"), nb::arg("data"), nb::arg("ends"))
      .def("read", read, nb::arg("container_length"), nb::arg("read_at"), nb::arg("file"), nb::arg("start"),
           nb::arg("offset"), nb::arg("into"))
      .def("read_bytes", read_bytes, nb::arg("container_length"), nb::arg("read_at"), nb::arg("file"),
           nb::arg("start"), nb::arg("offset"), nb::arg("length"));
  module.def("container_size", size, nb::arg("direction"), nb::arg("length"));
}

}  // namespace warpaes::python
