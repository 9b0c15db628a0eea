// Host memory for bulk data.
#include "c_api/handles.hpp"
#include "process/fork_locks.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

warpaes_status warpaes_host_alloc(const warpaes_context* context, size_t length, void** memory) {
  return guarded_into(memory, "memory", [&] {
    require(context, "context");
    HostBuffer buffer(context->context, std::max<size_t>(length, 1));
    void* const data = buffer.data();
    const std::lock_guard lock(fork_safe_mutex(&context->memory));
    context->memory.emplace(data, std::move(buffer));
    return data;
  });
}

warpaes_status warpaes_host_free(const warpaes_context* context, void* memory) {
  return guarded([&] {
    require(context, "context");
    if (memory == nullptr) return;
    std::map<void*, HostBuffer>::node_type freed;  // is destroyed when the lock has been released
    const std::lock_guard lock(fork_safe_mutex(&context->memory));
    freed = context->memory.extract(memory);
    if (freed.empty()) {
      throw Failure(WARPAES_ERROR_OPTION, "this memory is not of this context's warpaes_host_alloc");
    }
  });
}
