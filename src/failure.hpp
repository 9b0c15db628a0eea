// How an error travels inside the library: as this exception, up to src/c_api, which makes it a
// status code, or to the CLI, which prints it.
#pragma once

#include <stdexcept>
#include <string>

#include "warpaes/warpaes.h"

namespace warpaes {

using Status = warpaes_status;

class Failure : public std::runtime_error {
 public:
  Failure(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  Status status() const noexcept { return status_; }
  /// Says nothing against whoever was at work: later, the same may succeed.
  bool is_lack_of_memory() const noexcept {
    return status_ == WARPAES_ERROR_HOST_MEMORY || status_ == WARPAES_ERROR_DEVICE_MEMORY;
  }

 private:
  Status status_;
};

}  // namespace warpaes
