// How an error travels inside the library: as this exception, up to src/c_api, which makes it a
// status code, or to the CLI, which prints it.
#pragma once

#include <stdexcept>
#include <string>

#include "warpaes/status.h"

namespace warpaes::core {

using Status = warpaes_status;

class Failure : public std::runtime_error {
 public:
  Failure(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
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
