// The parts of the self-test, and what they have in common.
#pragma once

#include <string>

#include "engines/self_test_bench.hpp"

namespace warpaes::core::self_test_parts {

struct WrongAnswer {
  std::string what;
};

inline void require(bool right, const char* what) {
  if (!right) throw WrongAnswer{what};
}

std::string sha256(const Bytes& data);

inline void append(Bytes& bytes, std::span<const uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// The engine that is being tested, and how far the test has come.
struct Subject {
  const Engine& engine;
  SelfTestBench& bench;
  std::string& current;
  int& checks;
  bool is_brief;  // leaves out what takes long, and is for GPUs, which have other kernels for long data
};

/// Makes checks. Each says first what it is about, so that whatever goes wrong can be named.
class Part {
 protected:
  explicit Part(const Subject& subject) : engine_(subject.engine), bench_(subject.bench), subject_(subject) {}

  bool is_brief() const { return subject_.is_brief; }
  bool has(warpaes_mode mode) const { return engine_.modes[mode].run != nullptr; }

  void begin(const char* mode, size_t key_bits, const std::string& operation) {
    subject_.current = std::string(mode) + "-" + std::to_string(key_bits) + " " + operation;
    subject_.checks++;
  }

  const Engine& engine_;
  SelfTestBench& bench_;

 private:
  const Subject& subject_;
};

// Each of these throws WrongAnswer, or what the engine throws.

/// The block functions, CTR, CBC, CFB, OFB and XTS.
void check_ciphers(const Subject& subject);
void check_gcm(const Subject& subject);
void check_other_aeads(const Subject& subject);
/// Batches of modes that do not authenticate, of CMAC, and of wrapped keys.
void check_batches(const Subject& subject);

}  // namespace warpaes::core::self_test_parts
