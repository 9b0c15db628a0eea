// Arrays of PyTorch and CuPy on a device, with as few steps as there can be: a short message takes the GPU
// less time than Python needs to look at two tensors. What is unusual in any way is left to the general way
// (warpaes/_arrays.py), which also knows what to say about it.
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "device_message.hpp"
#include "errors.hpp"
#include "exchange.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// A name as Python keeps those of attributes: it is made once, and found by its address.
nb::object name_of(const char* text) {
  PyObject* const made = PyUnicode_InternFromString(text);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object attribute(nb::handle of, const nb::object& name) {
  return checked(PyObject_GetAttr(of.ptr(), name.ptr()));
}

nb::object called(nb::handle of, const nb::object& method) {
  PyObject* const given = of.ptr();
  return checked(PyObject_VectorcallMethod(method.ptr(), &given, 1, nullptr));
}

/// Python's True itself, not what counts as true.
bool is_true(const nb::object& given) { return given.ptr() == Py_True; }

/// Where the bytes of an array lie.
struct Place {
  Address address = 0;
  uint64_t length = 0;
  int32_t device = 0;
};

/// What a package's arrays are asked for, and what their memory is asked of.
struct Package {
  nb::object type;            // exactly this, as a subclass may do anything
  nb::object uint8;           // the items' type
  nb::object current_device;  // () -> number: memory is made there
  nb::object current_stream;  // (device) -> address, PyTorch; (device) -> stream with its address, CuPy
  nb::object allocate;      // (bytes, stream) -> address, PyTorch; (bytes) -> memory that frees itself, CuPy
  nb::object release;       // (address), PyTorch
  nb::object empty;         // (shape, strides, type) -> array, PyTorch
  nb::object take_verdict;  // () -> where the device says of a message whether it is genuine
  nb::object put_verdict_back;  // (verdict, device): of a call that failed
  nb::object require_genuine;   // (verdict, device, kNotWaited or what `wait` returned): raises what it says
  WaitForStream wait;           // null: that waits, too
};

enum class Of : uint8_t { torch, cupy };

/// Memory of the package's allocator, without an array around it. It may be given back as soon as the work is
/// started, as the allocator hands it on in the stream's order.
struct Memory {
  nb::object held;
  Address address = 0;
  uint64_t size = 0;
  int32_t device = 0;
};

class DeviceArrays {
 public:
  DeviceArrays(Of of, Package package)
      : of_(of), package_(std::move(package)), exchange_(exchange_functions_of(package_.type)) {}
  DeviceArrays(const DeviceArrays&) = delete;
  DeviceArrays& operator=(const DeviceArrays&) = delete;
  DeviceArrays(DeviceArrays&&) = delete;
  DeviceArrays& operator=(DeviceArrays&&) = delete;
  ~DeviceArrays() { release(kept_); }

  /// @return `out`, or a new array if that is None; None if this is a matter for the general way, and then
  ///         nothing was done
  nb::object run(const Key& key, warpaes_direction direction, nb::handle nonce, nb::handle data,
                 nb::handle out) const;

 private:
  class Workspace;

  std::optional<Place> place_of(nb::handle array) const {
    if (Py_TYPE(array.ptr()) != reinterpret_cast<PyTypeObject*>(package_.type.ptr())) return std::nullopt;
    try {
      if (exchange_ != nullptr) return place_by_exchange(array);
      return of_ == Of::torch ? place_of_torch(array) : place_of_cupy(array);
    } catch (const std::exception&) {  // such as of a tensor without plain memory
      return std::nullopt;
    }
  }
  [[nodiscard]] std::optional<Place> place_by_exchange(nb::handle array) const;
  std::optional<Place> place_of_torch(nb::handle array) const;
  std::optional<Place> place_of_cupy(nb::handle array) const;
  [[nodiscard]] nb::object new_array(uint64_t length) const;
  [[nodiscard]] Memory allocated(uint64_t size, int32_t device, Address stream) const;
  void release(const Memory& memory) const noexcept;
  template <typename Start>
  void with_verdict(int32_t device, const Start& start) const;
  [[nodiscard]] Address stream_of(int32_t device) const;
  [[nodiscard]] Address address_of(const nb::object& array) const;
  [[nodiscard]] bool has_bytes(nb::handle array) const { return attribute(array, dtype_).is(package_.uint8); }

  Of of_;
  Package package_;
  const ExchangeFunctions* exchange_;  // null: the arrays' attributes say the same, and take longer
  mutable Memory kept_;                // if a call has left one
  nb::object dtype_ = name_of("dtype"), is_cuda_ = name_of("is_cuda"), get_device_ = name_of("get_device"),
             is_contiguous_ = name_of("is_contiguous"), numel_ = name_of("numel"),
             data_ptr_ = name_of("data_ptr"), flags_ = name_of("flags"),
             c_contiguous_ = name_of("c_contiguous"), data_ = name_of("data"), ptr_ = name_of("ptr"),
             device_id_ = name_of("device_id"), nbytes_ = name_of("nbytes"), address_ = name_of("address");
};

std::optional<Place> DeviceArrays::place_by_exchange(nb::handle array) const {
  constexpr nb::dlpack::dtype kBytes = nb::dtype<uint8_t>();
  nb::dlpack::dltensor found;
  if (exchange_->describe(array.ptr(), &found) != 0) {  // such as a tensor without plain memory
    PyErr_Clear();
    return std::nullopt;
  }
  if (found.device.device_type != nb::device::cuda::value || found.dtype != kBytes || !is_contiguous(found)) {
    return std::nullopt;
  }
  return Place{reinterpret_cast<Address>(found.data) + found.byte_offset, item_count(found),
               found.device.device_id};
}

std::optional<Place> DeviceArrays::place_of_torch(nb::handle array) const {
  if (!has_bytes(array) || !is_true(attribute(array, is_cuda_)) || !is_true(called(array, is_contiguous_))) {
    return std::nullopt;
  }
  return Place{nb::cast<Address>(called(array, data_ptr_)), nb::cast<uint64_t>(called(array, numel_)),
               nb::cast<int32_t>(called(array, get_device_))};
}

std::optional<Place> DeviceArrays::place_of_cupy(nb::handle array) const {
  if (!has_bytes(array) || !is_true(attribute(attribute(array, flags_), c_contiguous_))) return std::nullopt;
  const nb::object memory = attribute(array, data_);
  return Place{nb::cast<Address>(attribute(memory, ptr_)), nb::cast<uint64_t>(attribute(array, nbytes_)),
               nb::cast<int32_t>(attribute(memory, device_id_))};
}

/// Of bytes, on the current device.
nb::object DeviceArrays::new_array(uint64_t length) const {
  const nb::tuple shape = nb::make_tuple(length);
  if (of_ == Of::torch) return package_.empty(shape, nb::make_tuple(1), package_.uint8);
  return package_.type(shape, package_.uint8);
}

Address DeviceArrays::stream_of(int32_t device) const {
  if (exchange_ != nullptr) {
    void* current = nullptr;
    if (exchange_->current_stream(nb::device::cuda::value, device, &current) != 0) throw nb::python_error();
    return reinterpret_cast<Address>(current);
  }
  const nb::object stream = package_.current_stream(device);
  return nb::cast<Address>(of_ == Of::torch ? stream : attribute(stream, ptr_));
}

/// Of an array that was made here.
Address DeviceArrays::address_of(const nb::object& array) const {
  if (of_ == Of::torch) return nb::cast<Address>(called(array, data_ptr_));
  return nb::cast<Address>(attribute(attribute(array, data_), ptr_));
}

Memory DeviceArrays::allocated(uint64_t size, int32_t device, Address stream) const {
  if (of_ == Of::torch) {
    const nb::object held = package_.allocate(size, stream);
    return {held, nb::cast<Address>(held), size, device};
  }
  const nb::object held = package_.allocate(size);
  return {held, nb::cast<Address>(attribute(held, ptr_)), size, device};
}

void DeviceArrays::release(const Memory& memory) const noexcept {
  if (of_ != Of::torch || !memory.held.is_valid()) return;
  try {
    package_.release(memory.held);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("warpaes: workspace");
  }
}

/// Asking the allocator takes a quarter of a short call, so one small workspace is kept between calls; for
/// the default stream only: it cannot be captured into a graph, which would use the workspace whenever it is
/// replayed, and it is never destroyed, so that no other stream takes its place while it has work left.
/// A call takes the workspace away for as long as it lasts, so that one on another thread finds none.
class DeviceArrays::Workspace {
 public:
  Workspace(const DeviceArrays& arrays, uint64_t size, int32_t device, Address stream)
      : arrays_(arrays), may_be_kept_(stream == kDefaultStream && size <= kMostKept) {
    if (size == 0) return;
    Memory& kept = arrays.kept_;
    if (may_be_kept_ && kept.size >= size && kept.device == device) {
      memory_ = std::exchange(kept, {});
    } else {
      memory_ = arrays.allocated(size, device, stream);
    }
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Workspace(Workspace&&) = delete;
  Workspace& operator=(Workspace&&) = delete;
  ~Workspace() {
    if (may_be_kept_ && memory_.size > arrays_.kept_.size) std::swap(memory_, arrays_.kept_);
    arrays_.release(memory_);
  }

  [[nodiscard]] Address address() const { return memory_.address; }

 private:
  static constexpr Address kDefaultStream = 0;
  static constexpr uint64_t kMostKept = 64 << 10;

  const DeviceArrays& arrays_;
  bool may_be_kept_;
  Memory memory_;
};

nb::object DeviceArrays::run(const Key& key, warpaes_direction direction, nb::handle nonce, nb::handle data,
                             nb::handle out) const {
  const bool encrypts = direction == WARPAES_DIRECTION_ENCRYPT;
  const std::optional<Place> input = place_of(data);
  if (!input || input->device != key.device || key.tag_first) return nb::none();
  if (PyObject_CheckBuffer(nonce.ptr()) == 0) return nb::none();  // such as a tensor's
  if (!encrypts && input->length < key.tag_length) return nb::none();
  const uint64_t needed = encrypts ? input->length + key.tag_length : input->length - key.tag_length;
  std::optional<Place> output;
  if (!out.is_none()) {
    output = place_of(out);
    if (!output || output->device != key.device || output->length != needed) return nb::none();
  }
  if (nb::cast<int32_t>(package_.current_device()) != key.device) return nb::none();

  const uint64_t length = encrypts ? input->length : needed;
  const uint64_t size = workspace_size(key, direction, 1, length);  // says so if nothing works on devices
  nb::object made = nb::borrow(out);
  if (out.is_none()) {
    made = new_array(needed);
    output = Place{address_of(made), needed, key.device};
  }
  const Address stream = stream_of(key.device);
  const Workspace workspace(*this, size, key.device, stream);
  const auto start = [&](Address status, WaitForStream wait) {
    return start_on_device(key, direction, nonce,
                           {.input = input->address,
                            .length = length,
                            .output = output->address,
                            .tag = (encrypts ? output->address : input->address) + length,
                            .aad = {},
                            .strings = false,
                            .workspace = workspace.address(),
                            .workspace_size = size,
                            .status = status,
                            .stream = stream},
                           wait);
  };
  if (encrypts) {
    start(0, nullptr);
  } else {
    with_verdict(key.device, start);
  }
  return made;
}

/// @param start (address of a status, how to wait) -> as start_on_device()
template <typename Start>
void DeviceArrays::with_verdict(int32_t device, const Start& start) const {
  const nb::object verdict = package_.take_verdict();
  int waited = kNotWaited;
  try {
    waited = start(nb::cast<Address>(attribute(verdict, address_)), package_.wait);
  } catch (...) {
    package_.put_verdict_back(verdict, device);
    throw;
  }
  package_.require_genuine(verdict, device, waited);
}

WaitForStream function_at(nb::handle address) {
  return reinterpret_cast<WaitForStream>(nb::cast<Address>(address));
}

void make_arrays(DeviceArrays* place, bool of_torch, const nb::dict& given) {
  new (place) DeviceArrays(of_torch ? Of::torch : Of::cupy, {.type = given["type"],
                                                             .uint8 = given["uint8"],
                                                             .current_device = given["current_device"],
                                                             .current_stream = given["current_stream"],
                                                             .allocate = given["allocate"],
                                                             .release = given["release"],
                                                             .empty = given["empty"],
                                                             .take_verdict = given["take_verdict"],
                                                             .put_verdict_back = given["put_verdict_back"],
                                                             .require_genuine = given["require_genuine"],
                                                             .wait = function_at(given["wait"])});
}

// warpaes._short_ways.SHORT_WAYS: the ways by the type of arrays. It lives as long as the interpreter.
PyObject* ways_by_type = nullptr;

void find_ways_in(const nb::dict& ways) { ways_by_type = nb::object(ways).release().ptr(); }

}  // namespace

PyObject* run_on_device_quickly(nb::handle key, warpaes_direction direction, PyObject* nonce, PyObject* data,
                                PyObject* out) {
  if (ways_by_type == nullptr || !nb::inst_ready(key)) return nullptr;
  auto* const type = reinterpret_cast<PyObject*>(Py_TYPE(data));
  const nb::object way = nb::borrow(PyDict_GetItemWithError(ways_by_type, type));
  if (!way.is_valid() || way.is_none()) return nullptr;
  try {
    nb::object made =
        nb::inst_ptr<DeviceArrays>(way)->run(*nb::inst_ptr<Key>(key), direction, nonce, data, out);
    return made.is_none() ? nullptr : made.release().ptr();
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {  // Python would not see a C++ exception
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

void add_arrays(nb::module_& module) {
  module.def("find_ways_in", find_ways_in, nb::arg("ways"));
  nb::class_<DeviceArrays>(module, "DeviceArrays")
      .def("__init__", make_arrays, nb::arg("of_torch"), nb::arg("package"))
      .def("run", &DeviceArrays::run, nb::arg("key"), nb::arg("direction"), nb::arg("nonce").none(),
           nb::arg("data").none(), nb::arg("out").none());
}

}  // namespace warpaes::python
