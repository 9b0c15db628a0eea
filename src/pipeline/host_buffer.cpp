#include <fmt/format.h>

#include <cstring>
#include <new>
#include <optional>

#include "device/device.hpp"
#include "failure.hpp"
#include "pipeline/context.hpp"
#include "process/secret_memory.hpp"

namespace warpaes::core {
namespace {

class PageableBuffer {
 public:
  explicit PageableBuffer(size_t bytes) : size_(bytes) {
    try {
      data_ = static_cast<uint8_t*>(secret_allocate(bytes));
    } catch (const std::bad_alloc&) {
      throw Failure(WARPAES_ERROR_HOST_MEMORY, fmt::format("no {} bytes of memory", bytes));
    }
  }
  ~PageableBuffer() { secret_free(data_, size_); }
  PageableBuffer(const PageableBuffer&) = delete;
  PageableBuffer& operator=(const PageableBuffer&) = delete;

  uint8_t* data() const { return size_ == 0 ? nullptr : data_; }
  size_t size() const { return size_; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_;
};

}  // namespace

struct HostBuffer::State {
  std::optional<PinnedBuffer> pinned;
  std::optional<PageableBuffer> pageable;
};

HostBuffer::HostBuffer(const Context& context, size_t bytes) : state_(std::make_unique<State>()) {
  if (bytes > SIZE_MAX / 2) {  // rounded up to whole pages, it could be 0
    throw Failure(WARPAES_ERROR_HOST_MEMORY, fmt::format("no memory has {} bytes", bytes));
  }
  if (context.has_device_engine() && cuda_alive()) {
    try {
      state_->pinned.emplace(context.device(), bytes);
      if (bytes > 0) std::memset(state_->pinned->data(), 0, bytes);
      return;
    } catch (const Failure&) {
      if (context.forced()) throw;
    }
  }
  state_->pageable.emplace(bytes);
}

HostBuffer::~HostBuffer() = default;
HostBuffer::HostBuffer(HostBuffer&&) noexcept = default;
HostBuffer& HostBuffer::operator=(HostBuffer&&) noexcept = default;

uint8_t* HostBuffer::data() const {
  return state_->pinned ? state_->pinned->data() : state_->pageable->data();
}
size_t HostBuffer::size() const { return state_->pinned ? state_->pinned->size() : state_->pageable->size(); }

}  // namespace warpaes::core
