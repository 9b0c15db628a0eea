// Keys with their mode, and whole messages in host memory.
#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// To release the GIL and to take it again takes a third of the time of a short message, and lets nobody else
/// get anything done meanwhile. Python's hashlib has the same limit.
constexpr uint64_t kShort = 2047;

/// The implementation that computes a message of so many bytes of host memory.
std::string_view engine_of(const warpaes_cipher* cipher, warpaes_direction direction, uint64_t length) {
  warpaes_cipher_info info = {};
  info.size = sizeof info;
  info.direction = direction;
  info.length = length;
  check(warpaes_cipher_get(cipher, &info));
  return info.engine;
}

/// Do short messages take a microsecond or so? Not on a GPU, nor by the reference implementation.
bool is_quick(const warpaes_cipher* cipher) {
  return engine_of(cipher, WARPAES_DIRECTION_ENCRYPT, kShort).starts_with("openssl");
}

void make_key(Key* place, const PythonContext& context, warpaes_mode mode, nb::handle bytes,
              uint64_t tag_length, bool tag_first) {
  const Buffer key = Buffer::reading(bytes, "key");
  warpaes_cipher* cipher = nullptr;
  check(without_gil(
      [&] { return warpaes_cipher_create(context.handle.get(), mode, key.data(), key.length(), &cipher); }));
  new (place) Key{context.handle, CipherHandle(cipher), mode,          tag_length,
                  tag_first,      is_quick(cipher),     context.device};
}

/// The additional data of one message: nothing, one string, or SIV's list of strings.
class AdditionalData {
 public:
  explicit AdditionalData(nb::handle given) : one_(one(given)) {
    if (PyList_Check(given.ptr())) take_list(given);
  }

  void put_into(warpaes_message& message) const {
    if (listed_) {
      message.strings = strings_.data();
      message.string_count = strings_.size();
    } else {
      message.aad = one_.data();
      message.aad_length = one_.length();
    }
  }

 private:
  static Buffer one(nb::handle given) {
    return PyList_Check(given.ptr()) ? Buffer() : Buffer::reading(given, "associated_data");
  }

  void take_list(nb::handle given) {
    listed_ = true;
    // Of its own, as an object that is asked for its memory may run code that changes the list.
    const nb::object snapshot = nb::steal(PyList_AsTuple(given.ptr()));
    if (!snapshot.is_valid()) nb::raise_python_error();
    for (nb::handle string : nb::borrow<nb::tuple>(snapshot)) {
      if (string.is_none()) throw nb::type_error("associated_data must be a list of strings, without None");
      many_.push_back(Buffer::reading(string, "associated_data"));
      strings_.push_back(many_.back().bytes());
    }
    strings_.reserve(1);  // a list of no strings is an array that is there
  }

  Buffer one_;
  bool listed_ = false;
  std::vector<Buffer> many_;
  std::vector<warpaes_bytes> strings_;
};

void require_data(nb::handle object) {
  if (object.is_none()) throw nb::type_error("data must be bytes-like, not None");
}

/// What every message of an authenticating mode is made of.
struct Given {
  Given(nb::handle nonce_object, nb::handle data_object, nb::handle aad_object)
      : nonce(Buffer::reading(nonce_object, "nonce")), data(bytes_like(data_object)), aad(aad_object) {}

  [[nodiscard]] warpaes_message message(const Key& key) const {
    warpaes_message made{};
    made.size = sizeof made;
    made.nonce = nonce.data();
    made.nonce_length = nonce.length();
    aad.put_into(made);
    made.tag_length = key.tag_length;
    return made;
  }

  static Buffer bytes_like(nb::handle object) {
    require_data(object);
    return Buffer::reading(object, "data");
  }

  Buffer nonce, data;
  AdditionalData aad;
};

void require_length(uint64_t given, uint64_t needed) {
  if (given == needed) return;
  const std::string why = "buf must have exactly " + std::to_string(needed) +
                          " bytes for this message, not " + std::to_string(given);
  throw nb::value_error(why.c_str());
}

void run(const Key& key, warpaes_status (*call)(const warpaes_cipher*, const warpaes_message*),
         const warpaes_message& message) {
  const bool is_short =
      message.length <= kShort && message.aad_length <= kShort && message.strings == nullptr;
  if (is_short && key.is_quick) return check(call(key.cipher.get(), &message));
  check(without_gil([&] { return call(key.cipher.get(), &message); }));
}

/// Writes ciphertext and tag in the order of the key's mode.
void encrypt_to(const Key& key, const Given& given, uint8_t* output) {
  warpaes_message message = given.message(key);
  message.input = given.data.data();
  message.length = given.data.length();
  message.output = key.tag_first ? output + key.tag_length : output;
  message.output_capacity = message.length;
  message.tag = key.tag_first ? output : output + message.length;
  run(key, warpaes_encrypt, message);
}

/// CCM counts the bytes of a message in what the nonce leaves of a block (SP 800-38C appendix A.1). One byte
/// more than that can count is the most that `cryptography` decrypts, in vain.
bool is_first_without_ccm_length(uint64_t length, uint64_t nonce_length) {
  constexpr uint64_t kLongest = 13, kShortest = 7;  // nonces; others are refused as such
  if (nonce_length > kLongest || nonce_length <= kShortest) return false;
  return length == uint64_t{1} << (8 * (15 - nonce_length));
}

/// A message that is too short to have a tag is as wrong as one whose tag is wrong. The library refuses what
/// is too long.
uint64_t plaintext_length(const Key& key, const Given& given) {
  if (given.data.length() < key.tag_length) raise(WARPAES_ERROR_AUTHENTICATION);
  const uint64_t length = given.data.length() - key.tag_length;
  if (key.mode == WARPAES_MODE_CCM && is_first_without_ccm_length(length, given.nonce.length())) {
    raise(WARPAES_ERROR_AUTHENTICATION);
  }
  return length;
}

void decrypt_to(const Key& key, const Given& given, uint8_t* output) {
  warpaes_message message = given.message(key);
  message.length = plaintext_length(key, given);
  message.input = key.tag_first ? given.data.data() + key.tag_length : given.data.data();
  message.output = output;
  message.output_capacity = message.length;
  message.tag = key.tag_first ? given.data.data() : given.data.data() + message.length;
  run(key, warpaes_decrypt, message);
}

/// SIV alone goes without a nonce, and takes several strings.
void require_types(const Key& key, nb::handle nonce, nb::handle aad) {
  if (key.mode == WARPAES_MODE_SIV) return;
  if (nonce.is_none()) throw nb::type_error("nonce must be bytes-like, not None");
  if (PyList_Check(aad.ptr())) {
    throw nb::type_error("associated_data must be bytes-like, not list: AESSIV alone takes several strings");
  }
}

nb::bytes encrypt(const Key& key, nb::handle nonce, nb::handle data, nb::handle aad) {
  require_types(key, nonce, aad);
  const Given given(nonce, data, aad);
  nb::bytes made = new_bytes(given.data.length() + key.tag_length);
  encrypt_to(key, given, data_of(made));
  return made;
}

nb::bytes decrypt(const Key& key, nb::handle nonce, nb::handle data, nb::handle aad) {
  require_types(key, nonce, aad);
  const Given given(nonce, data, aad);
  nb::bytes made = new_bytes(plaintext_length(key, given));
  decrypt_to(key, given, data_of(made));
  return made;
}

uint64_t encrypt_into(const Key& key, nb::handle nonce, nb::handle data, nb::handle aad, nb::handle buf) {
  require_types(key, nonce, aad);
  const Given given(nonce, data, aad);
  const Buffer output = Buffer::writing(buf, "buf");
  require_length(output.length(), given.data.length() + key.tag_length);
  encrypt_to(key, given, output.data());
  return output.length();
}

uint64_t decrypt_into(const Key& key, nb::handle nonce, nb::handle data, nb::handle aad, nb::handle buf) {
  require_types(key, nonce, aad);
  const Given given(nonce, data, aad);
  const Buffer output = Buffer::writing(buf, "buf");
  require_length(output.length(), plaintext_length(key, given));
  decrypt_to(key, given, output.data());
  return output.length();
}

/// A whole message in a mode without a tag, key wrap among them.
struct Untagged {
  Untagged(const Key& key, warpaes_direction direction, nb::handle iv, nb::handle data)
      : nonce(Buffer::reading(iv, "iv")), input(any_items(data)) {
    check(warpaes_output_size(key.mode, direction, input.length(), &room));
  }

  /// @return how many bytes were written, of `room` at most
  uint64_t run_to(const Key& key, warpaes_direction direction, uint8_t* output) const {
    uint64_t length = 0;
    warpaes_message message{};
    message.size = sizeof message;
    message.input = input.data();
    message.length = input.length();
    message.output = output;
    message.output_capacity = room;
    message.output_length = &length;
    message.nonce = nonce.data();
    message.nonce_length = nonce.length();
    const auto run = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
    check(without_gil([&] { return run(key.cipher.get(), &message); }));
    return length;
  }

  static Buffer any_items(nb::handle object) {
    require_data(object);
    return Buffer::reading(object, "data");
  }

  Buffer nonce, input;
  uint64_t room = 0;
};

nb::bytes transform(const Key& key, warpaes_direction direction, nb::handle iv, nb::handle data) {
  const Untagged message(key, direction, iv, data);
  nb::bytes made = new_bytes(message.room);
  const uint64_t length = message.run_to(key, direction, data_of(made));
  if (length == message.room) return made;
  return nb::bytes(data_of(made), length);
}

uint64_t transform_into(const Key& key, warpaes_direction direction, nb::handle iv, nb::handle data,
                        nb::handle buf) {
  const Untagged message(key, direction, iv, data);
  const Buffer output = Buffer::writing(buf, "buf");
  require_room(output.length(), message.room);
  return message.run_to(key, direction, output.data());
}

std::string engine_for(const Key& key, warpaes_direction direction, uint64_t length) {
  return std::string(engine_of(key.cipher.get(), direction, length));
}

PyObject* as_python(nb::bytes made) { return made.release().ptr(); }
PyObject* as_python(uint64_t length) { return PyLong_FromUnsignedLongLong(length); }

/// One of these functions, called by Python itself: nanobind, which also knows the names of arguments, takes
/// some 60 of the 800 ns of a short message's call. Arguments that are not as they must be are looked at once
/// more in nanobind's way, which tells so; what the library refuses, such as a wrong tag, is told at once.
/// @param checked the method that is called in nanobind's way
template <auto kFunction, size_t... kArgument>
PyObject* quickly(PyObject* self, PyObject* const* arguments, Py_ssize_t count, const char* checked,
                  std::index_sequence<kArgument...>) {
  if (count == sizeof...(kArgument) && nb::inst_ready(self)) {
    try {
      return as_python(kFunction(*nb::inst_ptr<Key>(self), arguments[kArgument]...));
    } catch (nb::python_error& error) {
      error.restore();
      return nullptr;
    } catch (...) {
      PyErr_Clear();
    }
  }
  try {
    nb::list given;
    for (Py_ssize_t i = 0; i < count; i++) given.append(nb::borrow(arguments[i]));
    return nb::handle(self).attr(checked)(*given).release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
    return nullptr;
  }
}

/// A method of a class of nanobind's that is a function of C's; arguments have their places only.
void add_method(nb::handle type, PyMethodDef* method) {
  PyObject* const made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), method);
  if (made == nullptr) nb::raise_python_error();
  nb::setattr(type, method->ml_name, nb::steal(made));
}

template <class Function>
PyMethodDef fast_method(const char* name, Function* function) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL,
          nullptr};
}

std::array quick_methods{fast_method("encrypt", encrypt_quickly), fast_method("decrypt", decrypt_quickly),
                         fast_method("encrypt_into", encrypt_into_quickly),
                         fast_method("decrypt_into", decrypt_into_quickly)};

}  // namespace

PyObject* encrypt_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count) {
  return quickly<encrypt>(key, arguments, count, "_encrypt", std::make_index_sequence<3>());
}
PyObject* decrypt_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count) {
  return quickly<decrypt>(key, arguments, count, "_decrypt", std::make_index_sequence<3>());
}
PyObject* encrypt_into_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count) {
  return quickly<encrypt_into>(key, arguments, count, "_encrypt_into", std::make_index_sequence<4>());
}
PyObject* decrypt_into_quickly(PyObject* key, PyObject* const* arguments, Py_ssize_t count) {
  return quickly<decrypt_into>(key, arguments, count, "_decrypt_into", std::make_index_sequence<4>());
}

void add_keys(nb::module_& module) {
  const nb::handle type =
      nb::class_<Key>(module, "Key")
          .def("__init__", make_key, nb::arg("context"), nb::arg("mode"), nb::arg("key"),
               nb::arg("tag_length"), nb::arg("tag_first"))
          .def("_encrypt", encrypt, nb::arg("nonce").none(), nb::arg("data").none(), nb::arg("aad").none())
          .def("_decrypt", decrypt, nb::arg("nonce").none(), nb::arg("data").none(), nb::arg("aad").none())
          .def("_encrypt_into", encrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
               nb::arg("aad").none(), nb::arg("buf"))
          .def("_decrypt_into", decrypt_into, nb::arg("nonce").none(), nb::arg("data").none(),
               nb::arg("aad").none(), nb::arg("buf"))
          .def("transform", transform, nb::arg("direction"), nb::arg("iv").none(), nb::arg("data").none())
          .def("transform_into", transform_into, nb::arg("direction"), nb::arg("iv").none(),
               nb::arg("data").none(), nb::arg("buf").none())
          .def("engine_for", engine_for, nb::arg("direction"), nb::arg("length"));
  for (PyMethodDef& method : quick_methods) add_method(type, &method);
}

}  // namespace warpaes::python
