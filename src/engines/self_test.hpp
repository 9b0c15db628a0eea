// Known answers: what every engine has to give before its first use on a device.
#pragma once

#include <string>

#include "engines/engine.hpp"

namespace warpaes::core {

struct SelfTestReport {
  int checks = 0;       // answers compared
  std::string failure;  // what was wrong first, as "gcm-128 encrypt: tag differs"; empty if nothing was
};

/// Runs all functions that the row has on FIPS 197 C.1-C.3, SP 800-38A F.5, the GCM specification's
/// cases, messages that are long enough for every path of a GPU kernel, XTS, decryption of CBC and CFB, the
/// other AEAD modes, batches, and wrong tags. Call it for an engine that is available; usable() does so once.
/// With SelfTestExtent::gcm, GCM alone. Throws only failures that prove nothing about the engine:
/// Failure::is_passing(), std::bad_alloc.
SelfTestReport self_test(const Engine& engine, int device, SelfTestExtent extent = SelfTestExtent::all);

}  // namespace warpaes::core
