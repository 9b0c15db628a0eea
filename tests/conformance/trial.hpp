// Runs cases on one engine, in the engine's memory, and looks at every byte of it afterwards.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "conformance_case.hpp"
#include "engines/engine_buffer.hpp"

namespace warpaes::conformance {

class Trial {
 public:
  Trial(const Engine& engine, int device);

  /// @return what is wrong, as "output differs at byte 17"; empty if nothing is
  std::string run(const Case& test);

 private:
  struct Field;
  struct GcmFields;

  std::string run_bytes(const Case& test);  // ECB and CTR
  std::string run_gcm(const Case& test);
  static std::string first_difference(std::initializer_list<const Field*> fields);
  const EngineKey& prepared(const Bytes& key);

  const Engine& engine_;
  const int device_;
  const EngineStream stream_;
  EngineBuffer input_, output_, nonces_, aad_, tags_, statuses_, workspace_;
  Bytes key_bytes_;
  std::unique_ptr<EngineKey> key_;
};

}  // namespace warpaes::conformance
