#include "refused_calls.hpp"

#include <algorithm>
#include <cstdio>

namespace warpaes::core::testing {
namespace {

struct Refusal {
  warpaes_mode mode;
  const char* reason;
  bool (*concerns)(const DeviceCall& call, const ModeMessage& message, Form form);
};

bool is_batch_with_other_nonce(const DeviceCall&, const ModeMessage& message, Form form) {
  return form == Form::batch && message.nonce.size() != 12;
}

constexpr Refusal kRefusals[] = {
    {WARPAES_MODE_GCM, "batches of GCM on the device have nonces of 12 bytes", is_batch_with_other_nonce},
    {WARPAES_MODE_GMAC, "batches of GMAC on the device have nonces of 12 bytes", is_batch_with_other_nonce},
};

}  // namespace

const char* why_refused(const DeviceCall& call, const ModeMessage& message, Form form) {
  const auto* const found = std::find_if(std::begin(kRefusals), std::end(kRefusals), [&](const Refusal& row) {
    return row.mode == call.mode->mode && row.concerns(call, message, form);
  });
  return found == std::end(kRefusals) ? nullptr : found->reason;
}

std::vector<DeviceCall> calls_for_recommended_lengths() {
  std::vector<DeviceCall> calls = device_calls();
  std::erase_if(calls, [](const DeviceCall& call) {
    const char* const reason = why_refused(call, message_of(*call.mode, {.length = 64}), Form::message);
    if (reason != nullptr) std::printf("[  REFUSED ] %s is left out: %s\n", call.name().c_str(), reason);
    return reason != nullptr;
  });
  return calls;
}

bool RefusedCalls::has(const DeviceCall& call, const ModeMessage& message, Form form,
                       const std::function<warpaes_status()>& run) {
  const char* const reason = why_refused(call, message, form);
  if (reason == nullptr) return false;
  EXPECT_STREQ(warpaes_status_name(run()), "WARPAES_ERROR_UNSUPPORTED") << reason;
  counts_[reason]++;
  return true;
}

RefusedCalls::~RefusedCalls() {
  for (const auto& [reason, count] : counts_) {
    std::printf("[  REFUSED ] %d calls, as they have to be: %s\n", count, reason.c_str());
  }
}

}  // namespace warpaes::core::testing
