// Runs cases on one engine, in memory of the engine's kind, and examines every byte of it afterwards.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "conformance_case.hpp"
#include "engines/engine_buffer.hpp"

namespace warpaes::core::conformance {

class Trial {
 public:
  Trial(const Engine& engine, int device);

  /// @return what is wrong, as "output differs at byte 17"; empty if nothing is
  std::string run(const Case& test);

 private:
  struct Field;
  struct AeadFields;

  std::string run_bytes(const Case& test);  // all but AEAD
  void call_mode(const Case& test, const uint8_t* input, uint8_t* output, const Field& workspace);
  std::string run_aead(const Case& test);
  static std::string first_difference(std::initializer_list<const Field*> fields);
  void prepare(const Case& test);

  const Engine& engine_;
  const int device_;
  const EngineStream stream_;
  EngineBuffer input_, output_, nonces_, aad_, aad_entries_, tags_, statuses_, workspace_;
  Bytes key_bytes_;
  Mode key_mode_{};
  std::unique_ptr<EngineKey> key_, other_key_;  // the latter for modes with two
};

}  // namespace warpaes::core::conformance
