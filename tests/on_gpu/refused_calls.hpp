// Calls that the library does in host memory and refuses in device memory. Tests that do the same with every
// mode ask here which of their calls these are; no other call may be refused.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "device_calls.hpp"

namespace warpaes::core::testing {

enum class Form : uint8_t { message, batch };

/// Says why a call on a message like this, or on a batch of such messages, is refused.
/// @return null: it is not
const char* why_refused(const DeviceCall& call, const ModeMessage& message, Form form);

/// Those calls of device_calls() that take one message with the lengths that its mode recommends. The others
/// are said to be left out, with the reason.
std::vector<DeviceCall> calls_for_recommended_lengths();

/// Counts refused calls for a test, which says at its end how many there were and why.
class RefusedCalls {
 public:
  RefusedCalls() = default;
  RefusedCalls(const RefusedCalls&) = delete;
  RefusedCalls& operator=(const RefusedCalls&) = delete;
  ~RefusedCalls();

  /// Is this one refused? Then it has to say so, and the test goes on to the next.
  bool has(const DeviceCall& call, const ModeMessage& message, Form form,
           const std::function<warpaes_status()>& run);

 private:
  std::map<std::string, int> counts_;
};

}  // namespace warpaes::core::testing
