#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "device/device.hpp"
#include "failure.hpp"
#include "pipeline/context.hpp"

namespace warpaes {
namespace {

/// Whole pages of our own, so that they can be kept out of core dumps.
class PageableBuffer {
 public:
  explicit PageableBuffer(size_t bytes) : size_(bytes) {
    if (bytes == 0) return;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw Failure(WARPAES_ERROR_HOST_MEMORY,
                    fmt::format("no {} bytes of memory: {}", bytes, strerror(errno)));
    }
    data_ = static_cast<uint8_t*>(memory);
    if (madvise(data_, bytes, MADV_DONTDUMP) != 0) {
      const int error = errno;
      munmap(data_, bytes);
      throw Failure(WARPAES_ERROR_INTERNAL,
                    fmt::format("memory cannot be kept out of core dumps: {}", strerror(error)));
    }
  }
  ~PageableBuffer() {
    if (!data_) return;
    OPENSSL_cleanse(data_, size_);
    munmap(data_, size_);
  }
  PageableBuffer(const PageableBuffer&) = delete;
  PageableBuffer& operator=(const PageableBuffer&) = delete;

  uint8_t* data() const { return data_; }
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

}  // namespace warpaes
