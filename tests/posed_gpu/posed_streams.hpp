// What the handles of streams and events point to in the posed CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

struct CUgraph_st;

namespace warpaes::core::posed {

/// What a cudaStream_t that is not one of CUDA's names points to here.
struct PosedStream {
  int device;
  CUgraph_st* captured = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  bool was_taken_in = false;  // by the capture of another stream
};
inline PosedStream* posed(cudaStream_t stream) { return reinterpret_cast<PosedStream*>(stream); }

/// The stream in which it was recorded last, if that was captured then.
struct PosedEvent {
  PosedStream* recorded = nullptr;
};
inline PosedEvent* posed(cudaEvent_t event) { return reinterpret_cast<PosedEvent*>(event); }

/// Those that there are. One that the library has to forget, since it cannot reach its device, is CUDA's
/// still, and no leak of this process.
template <class Object>
class Objects {
 public:
  static Object* make(Object made) {
    auto object = std::make_unique<Object>(made);
    const std::lock_guard lock(mutex());
    return all().emplace(object.get(), std::move(object)).first->first;
  }
  static void destroy(Object* object) {
    const std::lock_guard lock(mutex());
    all().erase(object);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex made;
    return made;
  }
  static std::map<Object*, std::unique_ptr<Object>>& all() {
    static auto& made = *new std::map<Object*, std::unique_ptr<Object>>;
    return made;
  }
};

}  // namespace warpaes::core::posed
