// Messages that come in parts, in host memory.
#include <memory>
#include <utility>

#include "buffer.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// An operation is for one thread at a time: `busy` turns two at once into an error, as the GIL is released
/// while one of them works.
struct Operation {
  nb::object key;  // of which the operation uses the cipher; so do copies
  Context context;
  std::unique_ptr<warpaes_operation, Destroy<warpaes_operation_destroy>> handle;
  bool busy = false;
};

class Turn {
 public:
  explicit Turn(Operation& operation) : operation_(operation) {
    if (operation.busy) throw std::runtime_error("this operation is already working in another thread");
    operation.busy = true;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() { operation_.busy = false; }

 private:
  Operation& operation_;
};

void make_operation(Operation* place, nb::handle_t<Key> given, warpaes_direction direction, nb::handle iv,
                    uint64_t data_unit) {
  const Key& key = nb::cast<const Key&>(given);
  const Buffer nonce = Buffer::reading(iv, "iv");
  warpaes_message message{};
  message.size = sizeof message;
  message.nonce = nonce.data();
  message.nonce_length = nonce.length();
  message.data_unit = data_unit;
  message.tag_length = key.tag_length;
  warpaes_operation* operation = nullptr;
  check(warpaes_operation_create(key.cipher.get(), direction, &message, &operation));
  new (place) Operation{nb::borrow(given), key.context, {}};
  place->handle.reset(operation);
}

uint64_t update_size(const Operation& operation, uint64_t length) {
  uint64_t size = 0;
  check(warpaes_operation_size(operation.handle.get(), length, &size, nullptr));
  return size;
}

uint64_t update_to(Operation& operation, const Buffer& input, uint8_t* output, uint64_t capacity) {
  uint64_t written = 0;
  check(without_gil([&] {
    return warpaes_operation_update(operation.handle.get(), input.data(), input.length(), output, capacity,
                                    &written);
  }));
  return written;
}

Buffer part(nb::handle data) {
  if (data.is_none()) throw nb::type_error("data must be bytes-like, not None");
  return Buffer::reading(data, "data");
}

/// Input and output may begin at one address, or have no byte in common.
void require_apart(const Buffer& input, const uint8_t* output, uint64_t written) {
  const auto from = reinterpret_cast<uintptr_t>(input.data()), to = reinterpret_cast<uintptr_t>(output);
  if (from == to || input.length() == 0 || written == 0) return;
  if (from < to ? to - from < input.length() : from - to < written) {
    throw nb::value_error("the output and the input overlap, and do not begin at one address");
  }
}

nb::bytes update(Operation& operation, nb::handle data) {
  const Turn turn(operation);
  const Buffer input = part(data);
  const uint64_t room = update_size(operation, input.length());
  nb::bytes made = new_bytes(room);
  update_to(operation, input, room == 0 ? nullptr : data_of(made), room);
  return made;
}

uint64_t update_into(Operation& operation, nb::handle data, nb::handle buf) {
  const Turn turn(operation);
  const Buffer input = part(data);
  const Buffer output = Buffer::writing(buf, "buf");
  // Looked at here, as a call of the library that fails would end the operation.
  const uint64_t written = update_size(operation, input.length());
  require_room(output.length(), written);
  require_apart(input, output.data(), written);
  return update_to(operation, input, output.data(), output.length());
}

nb::bytes finish(Operation& operation) {
  const Turn turn(operation);
  uint64_t room = 0, written = 0;
  check(warpaes_operation_size(operation.handle.get(), 0, nullptr, &room));
  nb::bytes made = new_bytes(room);
  check(without_gil([&] {
    return warpaes_operation_finish(operation.handle.get(), room == 0 ? nullptr : data_of(made), room,
                                    &written);
  }));
  if (written == room) return made;
  return nb::bytes(data_of(made), written);
}

Operation copy(const Operation& operation) {
  if (operation.busy) throw std::runtime_error("this operation is working in another thread");
  warpaes_operation* made = nullptr;
  check(warpaes_operation_copy(operation.handle.get(), &made));
  return {operation.key, operation.context, decltype(operation.handle)(made)};
}

void seek(Operation& operation, uint64_t offset) {
  const Turn turn(operation);
  check(warpaes_operation_seek(operation.handle.get(), offset));
}

/// The message ends, and that of an operation of the same key, which nobody else has, comes in its place.
void take_over(Operation& operation, Operation& other) {
  const Turn turn(operation);
  const Turn turn_of_other(other);
  std::swap(operation.handle, other.handle);
}

}  // namespace

void add_operations(nb::module_& module) {
  nb::class_<Operation>(module, "Operation")
      .def("__init__", make_operation, nb::arg("key"), nb::arg("direction"), nb::arg("iv").none(),
           nb::arg("data_unit"))
      .def("update", update, nb::arg("data").none())
      .def("update_into", update_into, nb::arg("data").none(), nb::arg("buf").none())
      .def("update_size", update_size, nb::arg("length"))
      .def("finish", finish)
      .def("copy", copy)
      .def("seek", seek, nb::arg("offset"))
      .def("take_over", take_over, nb::arg("other"));
}

}  // namespace warpaes::python
