// The self-test: known answers that every engine has to give on a device before it is first used there.
#pragma once

#include <string>

#include "engines/engine.hpp"

namespace warpaes::core {

struct SelfTestReport {
  int checks = 0;  // answers compared
  std::string
      failure;  // the first thing that was wrong, as "gcm-128 encrypt: tag differs"; empty if nothing was
};

/// Runs all functions of the engine's row on FIPS 197 C.1-C.3, SP 800-38A's examples, the GCM specification's
/// cases, messages that are long enough for every path of a GPU kernel, XTS, decryption of CBC and CFB, the
/// other AEAD modes, batches, and wrong tags. To be called for an engine that is available; usable() does
/// that once. It throws only failures that prove nothing about the engine's answers: those of
/// Failure::is_passing(), std::bad_alloc, and CUDA and NO_DEVICE of a GPU that is lost or not well.
SelfTestReport self_test(const Engine& engine, int device, SelfTestExtent extent = SelfTestExtent::all);

}  // namespace warpaes::core
