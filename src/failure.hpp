// How an error travels inside the library: as this exception, up to src/c_api, which makes it a
// status code, or to the CLI, which prints it.
#pragma once

#ifndef __CUDACC__  // nvcc does not compile all versions of fmt
#include <fmt/core.h>
#endif

#include <stdexcept>
#include <string>
#include <utility>

#include "warpaes/status.h"

namespace warpaes::core {

using Status = warpaes_status;

class Failure : public std::runtime_error {
 public:
  Failure(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
#ifndef __CUDACC__
  /// The message is made as fmt::format() makes it.
  template <class... Words>
    requires(sizeof...(Words) != 0)
  Failure(Status status, fmt::format_string<Words...> sentence, Words&&... words)
      : Failure(status, fmt::format(sentence, std::forward<Words>(words)...)) {}
#endif
  Status status() const noexcept { return status_; }
  /// Memory is lacking, or a stream is being captured: later, the same may succeed, and nothing is said
  /// against whoever was at work.
  bool is_passing() const noexcept {
    return status_ == WARPAES_ERROR_HOST_MEMORY || status_ == WARPAES_ERROR_DEVICE_MEMORY ||
           status_ == WARPAES_ERROR_CAPTURE;
  }

 private:
  Status status_;
};

}  // namespace warpaes::core
