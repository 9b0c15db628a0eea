// How failures are told: statuses and the last error; and the checks that many calls have in common.

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "c_api/handles.hpp"
#include "modes/regions.hpp"

namespace {

struct StatusText {
  warpaes_status status;
  const char* name;
  const char* text;
};

#define WARPAES_STATUS(status, text) {status, #status, text}
constexpr StatusText kStatuses[] = {
    WARPAES_STATUS(WARPAES_OK, "Done."),
    WARPAES_STATUS(WARPAES_ERROR_NULL_POINTER, "A pointer is null that must not be."),
    WARPAES_STATUS(WARPAES_ERROR_KEY_LENGTH, "The mode has no key of this length."),
    WARPAES_STATUS(WARPAES_ERROR_LENGTH, "The mode, or the call, allows no data of this length."),
    WARPAES_STATUS(WARPAES_ERROR_NONCE_LENGTH, "The mode forbids a nonce of this length."),
    WARPAES_STATUS(WARPAES_ERROR_TAG_LENGTH, "The mode forbids a tag of this length."),
    WARPAES_STATUS(WARPAES_ERROR_OVERLAP, "Memory regions overlap that must be equal or apart."),
    WARPAES_STATUS(WARPAES_ERROR_WORKSPACE, "The workspace is missing, too small or not 16-byte aligned."),
    WARPAES_STATUS(WARPAES_ERROR_OPTION, "An option or structure holds a value of no meaning."),
    WARPAES_STATUS(WARPAES_ERROR_MEMORY_SPACE, "A pointer is not to memory of the context's device."),
    WARPAES_STATUS(WARPAES_ERROR_STRIDE, "A stride is too short, or one nonce is for all messages."),
    WARPAES_STATUS(WARPAES_ERROR_XTS_KEYS, "The two halves of an XTS key must differ."),
    WARPAES_STATUS(WARPAES_ERROR_BUFFER_SIZE, "There is too little room for the output."),
    WARPAES_STATUS(WARPAES_ERROR_STATE,
                   "The operation is over, the cipher has no key, or it has had all its random nonces."),
    WARPAES_STATUS(WARPAES_ERROR_MODE, "There is no such mode, or this call is not for it."),
    WARPAES_STATUS(WARPAES_ERROR_AUTHENTICATION, "The tag is wrong: wrong key or nonce, or damaged data."),
    WARPAES_STATUS(WARPAES_ERROR_PADDING, "The padding is wrong: wrong key or IV, or damaged data."),
    WARPAES_STATUS(WARPAES_ERROR_BATCH, "At least one message of the batch failed; the statuses say which."),
    WARPAES_STATUS(WARPAES_ERROR_CONTAINER_KEY,
                   "The container is of another key or context, or its header is damaged."),
    WARPAES_STATUS(WARPAES_ERROR_TRUNCATED, "The container's end is missing."),
    WARPAES_STATUS(WARPAES_ERROR_TRAILING_DATA, "Something was appended to the container."),
    WARPAES_STATUS(WARPAES_ERROR_SOURCE, "What the caller gave to read from could not be read."),
    WARPAES_STATUS(WARPAES_ERROR_CUDA, "A CUDA call failed."),
    WARPAES_STATUS(WARPAES_ERROR_DEVICE_MEMORY, "The GPU has too little free memory."),
    WARPAES_STATUS(WARPAES_ERROR_NO_DEVICE, "There is no such CUDA device, or no driver."),
    WARPAES_STATUS(WARPAES_ERROR_UNKNOWN_ENGINE, "There is no engine of that name."),
    WARPAES_STATUS(WARPAES_ERROR_ENGINE_UNAVAILABLE, "The engine exists and cannot be used here."),
    WARPAES_STATUS(WARPAES_ERROR_SELF_TEST,
                   "The engine computed wrongly: a known answer, or a chunk that was checked."),
    WARPAES_STATUS(WARPAES_ERROR_UNSUPPORTED, "The engine has no such operation."),
    WARPAES_STATUS(WARPAES_ERROR_CAPTURE,
                   "A stream is being captured, and CUDA forbids then what this call needs."),
    WARPAES_STATUS(WARPAES_ERROR_HOST_MEMORY, "The machine has too little free memory."),
    WARPAES_STATUS(WARPAES_ERROR_FORKED,
                   "The process was forked after it had used the GPU, or during the call."),
    WARPAES_STATUS(WARPAES_ERROR_FILE, "A file of the library's own could not be written."),
    WARPAES_STATUS(WARPAES_ERROR_INTERNAL, "WarpAES or a library under it has a defect."),
};
#undef WARPAES_STATUS

const StatusText& text_of(warpaes_status status) {
  static constexpr StatusText kUnknown = {WARPAES_ERROR_INTERNAL, "unknown status",
                                          "No status has this number."};
  for (const StatusText& each : kStatuses) {
    if (each.status == status) return each;
  }
  return kUnknown;
}

/// What the thread's last failed call had to say. Calls are still made while a thread or the process ends: in
/// destructors of thread-local and static objects, in those of pthread_key_create(), in functions of
/// atexit(). When some of these run, this library's thread-local objects have been destroyed. So the text is
/// kept in what has no destructor: a short one, or the beginning of a long one, in the array, which needs no
/// memory of the heap either.
constinit thread_local std::array<char, 256> short_error{};
constinit thread_local char* long_error = nullptr;  // all of the text, if it is longer
constinit thread_local bool thread_ends = false;

/// Frees the long text with its thread.
struct LongErrorEnds {
  ~LongErrorEnds() {
    delete[] long_error;
    long_error = nullptr;
    thread_ends = true;
  }
};

void keep_long_error(std::string_view message) {
  static thread_local const LongErrorEnds with_its_thread;
  static_cast<void>(with_its_thread);
  long_error = new (std::nothrow) char[message.size() + 1]();
  if (long_error != nullptr) message.copy(long_error, message.size());
}

warpaes_status remember(warpaes_status status, std::string_view message) noexcept {
  delete[] long_error;
  long_error = nullptr;
  short_error.fill('\0');
  const size_t short_size = message.copy(short_error.data(), short_error.size() - 1);
  if (short_size != message.size() && !thread_ends) keep_long_error(message);
  return status;
}

}  // namespace

namespace warpaes::core::c_api {

Status report_current_exception() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return remember(failure.status(), failure.what());
  } catch (const std::bad_alloc&) {
    return remember(WARPAES_ERROR_HOST_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return remember(WARPAES_ERROR_INTERNAL, error.what());
  } catch (...) {
    return remember(WARPAES_ERROR_INTERNAL, "an exception of unknown type");
  }
}

void refuse_null(const char* name) { throw Failure(WARPAES_ERROR_NULL_POINTER, "{} is null", name); }

void refuse_room(uint64_t needed, uint64_t room) {
  throw Failure(WARPAES_ERROR_BUFFER_SIZE, "the output has room for {} bytes, and needs {}", room, needed);
}

void require_apart_from(const char* name, const uint64_t* place,
                        std::initializer_list<warpaes_bytes> others) {
  if (place == nullptr) return;
  for (const warpaes_bytes& other : others) {
    if (apart_from_unchecked(place, other.data, other.length)) continue;
    throw Failure(WARPAES_ERROR_OVERLAP, "{} lies in memory that the call works on", name);
  }
}

void begin_length(uint64_t* length, const char* name, std::initializer_list<warpaes_bytes> others) {
  require(length, name);
  require_apart_from(name, length, others);
  *length = 0;
}

void require_size(const void* structure, size_t given, size_t known, const char* name) {
  constexpr size_t kMost = 1 << 16;  // a larger number is no size, but memory that was not set
  const auto refuse = [name](const char* why) { throw Failure(WARPAES_ERROR_OPTION, "{}{}", name, why); };
  if (given < sizeof(size_t) || given > kMost) refuse("->size is not the size of the structure");
  const auto* const bytes = static_cast<const uint8_t*>(structure);
  if (given > known && std::any_of(bytes + known, bytes + given, [](uint8_t byte) { return byte != 0; })) {
    refuse(" uses members that this version of the library does not know");
  }
}

void require_reserved(uint64_t reserved, const char* name) {
  if (reserved != 0) throw Failure(WARPAES_ERROR_OPTION, "{}->reserved is not zero", name);
}

void require_flag(uint32_t flag, const char* structure, const char* member) {
  if (flag > 1) throw Failure(WARPAES_ERROR_OPTION, "{}->{} is neither 0 nor 1", structure, member);
}

void require_device_members(uint32_t on_device, warpaes_stream stream, const char* name) {
  require_flag(on_device, name, "on_device");
  if (on_device == 0 && stream != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION,
                  "{0}->stream is given, and {0}->on_device is 0: host memory has no stream", name);
  }
}

void require_direction(Direction direction, const char* otherwise) {
  if (direction == WARPAES_DIRECTION_ENCRYPT || direction == WARPAES_DIRECTION_DECRYPT) return;
  throw Failure(WARPAES_ERROR_OPTION, "direction is {}", otherwise);
}

}  // namespace warpaes::core::c_api

const char* warpaes_status_name(warpaes_status status) { return text_of(status).name; }
const char* warpaes_status_string(warpaes_status status) { return text_of(status).text; }
const char* warpaes_last_error(void) { return long_error != nullptr ? long_error : short_error.data(); }
