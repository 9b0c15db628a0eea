// A key in the form that the kernels with lane-private tables take.
#pragma once

#include <openssl/crypto.h>

#include "engines/engine.hpp"
#include "kernels/kernel.hpp"
#include "kernels/team/small_gcm.hpp"
#include "kernels/warp/ghash.hpp"
#include "kernels/warp/ocb3_offsets.hpp"
#include "primitives/bitsliced_keys.hpp"
#include "primitives/careful_block.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {

/// It lives on the host. Kernels take round keys and powers of the hash key as parameters, which all threads
/// read without a load (docs/design/keys-on-the-device.md).
class LanePrivateKey : public EngineKey {
 public:
  LanePrivateKey(const KeySchedule& key_schedule, int on_device, const kernels::DeviceShape& device_shape)
      : schedule(key_schedule), device(on_device), shape(device_shape) {
    uint8_t h[16] = {};
    careful_block(schedule.encryption(), schedule.rounds(), h, h);
    fill_powers(powers, gf128_from_block(h));
    fill_sliced_keys(sliced, schedule.encryption(), schedule.rounds());
    fill_digit_powers(digits, powers.h());
    fill_ocb_key(ocb, h);
    OPENSSL_cleanse(h, sizeof h);
  }
  kernels::LaunchTarget target() const { return {device, shape, schedule.rounds()}; }

  KeySchedule schedule;
  GhashPowers powers;
  SlicedKeys sliced{};
  DigitPowers digits;
  OcbKey ocb;
  int device;
  kernels::DeviceShape shape;
};

}  // namespace warpaes::core
