#include "container_reading.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "errors.hpp"
#include "gil.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// What a thread takes at a time. The library's call fetches and opens by turns, so one call alone would
/// leave the other processors idle while it waits for bytes.
constexpr uint64_t kPiece = 256 * WARPAES_CONTAINER_CHUNK_LENGTH;
constexpr unsigned kMostThreads = 8;

class Reading {
 public:
  Reading(const Container& container, const PythonSource& source, uint64_t offset, uint8_t* output,
          uint64_t length)
      : container_(container), python_(source), offset_(offset), output_(output), length_(length) {
    source_.size = sizeof source_;
    source_.length = source.length;
    source_.user = this;
    source_.read = read_through_python;
  }

  uint64_t run() {
    {
      const WithoutGil released;
      std::vector<std::thread> others = helpers();
      take_pieces();
      for (std::thread& other : others) other.join();
      if (failed_) std::memset(output_, 0, length_);
    }
    if (failed_) raise();
    return got_;
  }

 private:
  unsigned threads() const {
    const unsigned wanted =
        container_.threads != 0 ? container_.threads : std::max(1U, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::clamp<uint64_t>(length_ / kPiece, 1, std::min(wanted, kMostThreads)));
  }

  /// As many as the machine has to give: this thread alone does it, too.
  std::vector<std::thread> helpers() {
    std::vector<std::thread> others;
    others.reserve(kMostThreads);
    try {
      while (others.size() + 1 < threads()) others.emplace_back([this] { take_pieces(); });
    } catch (const std::exception&) {  // no thread, or no memory for one
    }
    return others;
  }

  /// Pieces end where a chunk does, so that no chunk is opened twice.
  void take_pieces() {
    const uint64_t skipped = offset_ % WARPAES_CONTAINER_CHUNK_LENGTH;
    const uint64_t pieces = (skipped + length_) / kPiece + 1;
    while (!failed_) {
      const uint64_t piece = next_++;
      if (piece >= pieces) return;
      const uint64_t first = piece == 0 ? 0 : piece * kPiece - skipped;
      const uint64_t last = std::min(length_, (piece + 1) * kPiece - skipped);
      if (first < last || piece == 0) read_piece(first, last);
    }
  }

  void read_piece(uint64_t first, uint64_t last) {
    uint64_t got = 0;
    const warpaes_status status = warpaes_container_read(container_.handle.get(), &source_, offset_ + first,
                                                         output_ + first, last - first, &got);
    got_ += got;
    if (status == WARPAES_OK) return;
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    failed_ = true;
    status_ = status;
    message_ = warpaes_last_error();  // of this thread
  }

  /// Calls read(offset, memoryview), whose exception becomes that of the whole.
  static int32_t read_through_python(void* user, uint64_t offset, void* into, uint64_t length) {
    auto& reading = *static_cast<Reading*>(user);
    if (reading.read_file(offset, static_cast<char*>(into), length)) return 0;
    const WithGil acquired;
    nb::object view;  // outside of the block: a thread that ends must not use Python any more
    try {
      view = nb::steal(
          PyMemoryView_FromMemory(static_cast<char*>(into), static_cast<Py_ssize_t>(length), PyBUF_WRITE));
      if (!view.is_valid()) nb::raise_python_error();
      reading.python_.read(offset, view);
      view.attr("release")();  // the memory is gone when this returns, whoever still holds the view
      return 0;
    } catch (nb::python_error& error) {
      if (!reading.raised_.is_valid()) reading.raised_ = nb::borrow(error.value());
      take_back(view);
      return 1;
    } catch (const ThreadEnds&) {  // while the function waited for something, without the GIL
      sleep_until_the_process_ends();
    }
  }

  /// After an exception, whose traceback leads to the view. That exception is the one that counts.
  static void take_back(const nb::object& view) {
    if (!view.is_valid()) return;
    const nb::object done = nb::steal(PyObject_CallMethod(view.ptr(), "release", nullptr));
    if (!done.is_valid()) PyErr_Clear();
  }

  /// Without Python, so that threads need not wait for each other. False if not all of it could be read.
  bool read_file(uint64_t offset, char* into, uint64_t length) const {
    uint64_t done = 0;
    while (python_.file >= 0 && done < length) {
      const auto place = static_cast<off_t>(python_.start + offset + done);
      const ssize_t got = pread(python_.file, into + done, length - done, place);
      if (got <= 0) return false;
      done += static_cast<uint64_t>(got);
    }
    return done == length;
  }

  [[noreturn]] void raise() const {
    nb::object exception = raised_;
    if (!exception.is_valid()) {
      const nb::object make = nb::module_::import_("warpaes._errors").attr("container_exception_of");
      exception = make(status_, warpaes_status_name(status_), message_.c_str());
    }
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
    throw nb::python_error();
  }

  const Container& container_;
  PythonSource python_;
  uint64_t offset_;
  uint8_t* output_;
  uint64_t length_;
  warpaes_container_source source_{};
  std::atomic<uint64_t> next_ = 0, got_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  warpaes_status status_ = WARPAES_OK;
  std::string message_;
  nb::object raised_;  // only touched with the GIL
};

}  // namespace

uint64_t read_container(const Container& container, const PythonSource& source, uint64_t offset,
                        uint8_t* output, uint64_t length) {
  return Reading(container, source, offset, output, length).run();
}

}  // namespace warpaes::python
