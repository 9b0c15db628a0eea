// One message in device memory, however its addresses were found.
#pragma once

#include <vector>

#include "handles.hpp"

namespace warpaes::python {

/// What a call on device memory is given, as addresses.
struct DeviceMessage {
  Address input = 0;
  uint64_t length = 0;
  Address output = 0;
  Address tag = 0;
  std::vector<warpaes_bytes> aad;  // associated data, or SIV's strings if they are a list
  bool strings = false;
  Address workspace = 0;
  uint64_t workspace_size = 0;
  Address status = 0;
  Address stream = 0;
};

uint64_t workspace_size(const Key& key, warpaes_direction direction, uint64_t count, uint64_t length);

/// Returns 0 when a stream has done all that it was given to do, or an error: the driver's
/// cuStreamSynchronize().
using WaitForStream = int (*)(void* stream);
constexpr int kNotWaited = -1;

/// Starts the work, without the GIL. Raises what the C call reports.
/// @param wait if not null, and the work is started, it is called before the GIL is taken again, as other
///        threads may keep that for milliseconds
/// @return what `wait` has returned, or kNotWaited
int start_on_device(const Key& key, warpaes_direction direction, nanobind::handle nonce,
                    const DeviceMessage& given, WaitForStream wait = nullptr);

}  // namespace warpaes::python
