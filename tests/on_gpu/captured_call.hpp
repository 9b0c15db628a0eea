// A call on device memory in a CUDA graph.
#pragma once

#include <functional>

#include "device_calls.hpp"

namespace warpaes::core::testing {

/// Whatever was in the output: a replay writes the same again.
class CapturedCall {
 public:
  explicit CapturedCall(const std::function<warpaes_status(cudaStream_t)>& call) {
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(call(stream_), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph_), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&replay_, graph_, 0), cudaSuccess);
  }
  ~CapturedCall() {
    cudaGraphExecDestroy(replay_);
    cudaGraphDestroy(graph_);
    cudaStreamDestroy(stream_);
  }
  CapturedCall(const CapturedCall&) = delete;
  CapturedCall& operator=(const CapturedCall&) = delete;
  void replay() const {
    EXPECT_EQ(cudaGraphLaunch(replay_, stream_), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaSuccess);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t replay_ = nullptr;
};

}  // namespace warpaes::core::testing
