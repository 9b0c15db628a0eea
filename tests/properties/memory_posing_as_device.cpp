#include "memory_posing_as_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "device/device.hpp"

namespace warpaes::core {
namespace posing {
namespace {

std::recursive_mutex mutex;
std::map<uint8_t*, size_t> buffers;

// Bytes are counted, and set, one a turn where this is compiled for debugging: a whole buffer by memcmp() and
// memset().

size_t dirty_in(const uint8_t* data, size_t bytes) {
  const bool is_clean = bytes == 0 || (data[0] == 0 && std::memcmp(data, data + 1, bytes - 1) == 0);
  return is_clean ? 0 : bytes - static_cast<size_t>(std::count(data, data + bytes, 0));
}

uint8_t* new_zeros(size_t bytes) {
  auto memory = std::make_unique_for_overwrite<uint8_t[]>(bytes);
  std::memset(memory.get(), 0, bytes);
  return memory.release();
}

}  // namespace

Device& device() {
  static Device one;
  return one;
}

bool is_device_memory(const void* pointer, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const auto* const first = static_cast<const uint8_t*>(pointer);
  return std::any_of(buffers.begin(), buffers.end(), [&](const auto& buffer) {
    return first >= buffer.first && first + bytes <= buffer.first + buffer.second;
  });
}

size_t dirty_bytes() {
  const std::lock_guard lock(mutex);
  size_t dirty = 0;
  for (const auto& [data, bytes] : buffers) dirty += dirty_in(data, bytes);
  return dirty;
}

namespace {

/// One of a stream's deeds. Some wait for other streams.
using Deed = std::function<void()>;

struct PosedStream {
  int device;
  std::deque<Deed> deeds;
};

PosedStream* posed(Stream stream) { return reinterpret_cast<PosedStream*>(stream); }

std::set<PosedStream*> streams;

void do_next(PosedStream& stream) {
  const Deed deed = std::move(stream.deeds.front());
  stream.deeds.pop_front();
  deed();
}

void do_all(PosedStream& stream) {
  while (!stream.deeds.empty()) do_next(stream);
}

/// Time goes by on the device.
void pass_time() {
  static std::mt19937 generator;
  static uint32_t seeded_with = 0;
  if (seeded_with != device().seed) generator.seed(seeded_with = device().seed);
  for (PosedStream* stream : streams) {
    if (device().pace == Pace::at_once) do_all(*stream);
    if (device().pace == Pace::any && !stream->deeds.empty() && generator() % 3 == 0) do_next(*stream);
  }
}

/// With the mutex held: one call of CUDA, which may be the one to fail.
void enter(int on_device, Status status = WARPAES_ERROR_CUDA) {
  if (device().lost) throw Failure(WARPAES_ERROR_CUDA, "the device is lost");
  const bool one_fails = device().failing_device >= 0;
  if (one_fails && on_device != device().failing_device) return;
  device().calls++;
  const int left = device().calls_until_failure;
  if (left < 0 && !(one_fails && left < -1)) return;
  device().calls_until_failure = left == 0 ? -2 : left - (left > 0 ? 1 : 0);
  if (left > 0) return;
  for (PosedStream* stream : streams) {
    if (one_fails && stream->device == on_device) stream->deeds.clear();
  }
  if (device().failure_is_fatal) {
    device().lost = true;
    for (PosedStream* stream : streams) stream->deeds.clear();
    throw Failure(WARPAES_ERROR_CUDA, "this call was meant to be the device's last");
  }
  throw Failure(status, "this call was meant to fail");
}

thread_local int current_device = 0;

int device_of(Stream stream) { return stream == nullptr ? 0 : posed(stream)->device; }

void put(Stream stream, Deed deed) {
  if (stream == nullptr) return deed();
  posed(stream)->deeds.push_back(std::move(deed));
  pass_time();
}

/// As CUDA does, and as no Failure, for which others would do the work.
void require_current_device(Stream stream) {
  if (device_of(stream) == current_device) return;
  throw std::logic_error("memory of a device that is not current");
}

void copy(void* to, const void* from, size_t bytes, Stream stream) {
  require_current_device(stream);
  const std::lock_guard lock(mutex);
  enter(device_of(stream));
  int& left = device().copies_until_failure;
  if (left == 0) throw Failure(WARPAES_ERROR_CUDA, "this copy was meant to fail");
  if (left > 0) left--;
  put(stream, [=] {
    if (bytes > 0) std::memcpy(to, from, bytes);
  });
}

}  // namespace

void launch(Stream stream, std::function<void()> work) {
  const std::lock_guard lock(mutex);
  enter(device_of(stream));
  device().engine_calls++;
  put(stream, std::move(work));
}

}  // namespace posing

using posing::buffers;
using posing::enter;
using posing::mutex;

int device_count(std::string*) { return 2; }
warpaes_device_info device_info(int) { return {}; }
void require_device(int device) {
  if (device < 0 || device > 1) throw Failure(WARPAES_ERROR_NO_DEVICE, "only devices 0 and 1 are posed as");
}
bool cuda_alive() noexcept { return !posing::device().lost; }
Status device_pointer_status(const void* pointer, int) {
  return posing::is_device_memory(pointer, 1) ? WARPAES_OK : WARPAES_ERROR_MEMORY_SPACE;
}
bool is_pinned(const void*, uint64_t) noexcept {
  const std::lock_guard lock(mutex);
  posing::device().pins_asked++;
  return posing::device().host_memory_is_pinned;
}

namespace {
/// Throws if the limit leaves no room for so many bytes more.
void require_room(size_t bytes, size_t limit, size_t used, Status status) {
  if (bytes > limit - std::min(used, limit)) throw Failure(status, fmt::format("no {} bytes", bytes));
}
}  // namespace

DeviceBuffer::DeviceBuffer(int device, size_t bytes) : DeviceBuffer(device, bytes, nullptr) {}

DeviceBuffer::DeviceBuffer(int device, size_t bytes, Stream stream) {
  const std::lock_guard lock(mutex);
  enter(device, WARPAES_ERROR_DEVICE_MEMORY);
  posing::Device& posed = posing::device();
  require_room(bytes, posed.memory_limit, posed.memory_used, WARPAES_ERROR_DEVICE_MEMORY);
  data_ = Owner(posing::new_zeros(bytes), {device, bytes, Origin::one_stream, stream});
  posed.memory_used += bytes;
  buffers.emplace(data(), bytes);
}

/// The production's wipes its memory. Whoever gives it up should have done so before, unless a call failed.
void DeviceBuffer::WipeAndFree::operator()(uint8_t* memory) const noexcept {
  const std::lock_guard lock(mutex);
  if (stream != nullptr) posing::do_all(*posing::posed(stream));
  const bool has_failed = posing::device().calls_until_failure < -1 || posing::device().lost;
  if (!has_failed) posing::device().dirty_bytes_freed += posing::dirty_in(memory, bytes);
  posing::device().memory_used -= bytes;
  buffers.erase(memory);
  delete[] memory;
}

PinnedBuffer::PinnedBuffer(int device, size_t bytes) {
  const std::lock_guard lock(mutex);
  enter(device, WARPAES_ERROR_HOST_MEMORY);
  posing::Device& posed = posing::device();
  require_room(bytes, posed.pinned_limit, posed.pinned_used, WARPAES_ERROR_HOST_MEMORY);
  data_ = Owner(posing::new_zeros(bytes), {device, bytes});
  posed.pinned_used += bytes;
}
void PinnedBuffer::WipeAndFree::operator()(uint8_t* memory) const noexcept {
  const std::lock_guard lock(mutex);
  const bool has_failed = posing::device().calls_until_failure < -1 || posing::device().lost;
  if (!has_failed) posing::device().dirty_bytes_unpinned += posing::dirty_in(memory, bytes);
  posing::device().pinned_used -= bytes;
  delete[] memory;
}

DeviceScope::DeviceScope(int device)
    : callers_(std::exchange(posing::current_device, device)), changed_(true) {}
DeviceScope::~DeviceScope() {
  if (changed_) posing::current_device = callers_;
}

OwnedStream::OwnedStream(int device) : stream_(nullptr, {device}) {
  const std::lock_guard lock(mutex);
  enter(device);
  stream_.reset(reinterpret_cast<Stream>(*posing::streams.insert(new posing::PosedStream{device, {}}).first));
}
void OwnedStream::Destroy::operator()(Stream stream) const noexcept {
  const std::lock_guard lock(mutex);
  posing::do_all(*posing::posed(stream));
  posing::streams.erase(posing::posed(stream));
  delete posing::posed(stream);
}

/// Its state is kept by deeds that may be done after its end.
struct PosedEvent {
  posing::PosedStream* on = nullptr;
  uint64_t recorded = 0, passed = 0;

  void let_pass(uint64_t number) {
    while (passed < number && !on->deeds.empty()) posing::do_next(*on);
  }
};

namespace {
std::shared_ptr<PosedEvent>& posed(CUevent_st* event) {
  return *reinterpret_cast<std::shared_ptr<PosedEvent>*>(event);
}
}  // namespace

OwnedEvent::OwnedEvent(int device) : event_(nullptr, {device}) {
  const std::lock_guard lock(mutex);
  enter(device);
  event_.reset(reinterpret_cast<CUevent_st*>(new std::shared_ptr(std::make_shared<PosedEvent>())));
}
void OwnedEvent::Destroy::operator()(CUevent_st* event) const noexcept { delete &posed(event); }

void OwnedEvent::record(Stream stream) {
  const std::lock_guard lock(mutex);
  enter(posing::device_of(stream));
  const std::shared_ptr<PosedEvent> event = posed(event_.get());
  event->on = posing::posed(stream);
  posing::put(stream, [event, number = ++event->recorded] { event->passed = number; });
}

void OwnedEvent::hold_up(Stream stream) const {
  const std::lock_guard lock(mutex);
  enter(posing::device_of(stream));
  const std::shared_ptr<PosedEvent> event = posed(event_.get());
  posing::put(stream, [event, number = event->recorded] { event->let_pass(number); });
}

void OwnedEvent::wait() const {
  const std::lock_guard lock(mutex);
  enter(posed(event_.get())->on->device);
  posed(event_.get())->let_pass(posed(event_.get())->recorded);
}

void copy_to_device(void* to, const void* from, size_t bytes, Stream stream) {
  posing::copy(to, from, bytes, stream);
}
void copy_to_host(void* to, const void* from, size_t bytes, Stream stream) {
  posing::copy(to, from, bytes, stream);
}
void fill_device(void* to, uint8_t value, size_t bytes, Stream stream) {
  posing::require_current_device(stream);
  const std::lock_guard lock(mutex);
  enter(posing::device_of(stream));
  posing::put(stream, [=] { std::memset(to, value, bytes); });
}

void copy_rows_to_device(void* to, uint64_t to_stride, const void* from, uint64_t from_stride, Rows rows,
                         Stream stream) {
  for (uint64_t i = 0; i < rows.count; i++) {
    posing::copy(static_cast<uint8_t*>(to) + i * to_stride,
                 static_cast<const uint8_t*>(from) + i * from_stride, rows.bytes, stream);
  }
}
void copy_rows_to_host(void* to, uint64_t to_stride, const void* from, uint64_t from_stride, Rows rows,
                       Stream stream) {
  copy_rows_to_device(to, to_stride, from, from_stride, rows, stream);
}
void require_not_captured(Stream) {}
void require_stream_of(int, Stream) {}
void synchronize(Stream stream) {
  const std::lock_guard lock(mutex);
  enter(posing::device_of(stream));
  if (stream != nullptr) posing::do_all(*posing::posed(stream));
}

}  // namespace warpaes::core
