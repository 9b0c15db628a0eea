// The right answers: OpenSSL's or, for key expansion, whose result OpenSSL does not show, this library's,
// after OpenSSL has accepted it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// How long a task's output is.
uint64_t output_bytes(const Variant& variant, uint64_t input_bytes);

/// What the task should write, computed on the CPU. Its pointers are to host memory. Throws Failure(INTERNAL)
/// if a schedule of this library does not encrypt as OpenSSL does.
std::vector<uint8_t> reference_output(const Task& task);

/// Who gives that answer: "OpenSSL" or "the library".
std::string_view reference_name(Mode mode);

/// Compares key schedules with OpenSSL.
class ScheduleCheck {
 public:
  explicit ScheduleCheck(int key_bits);
  ~ScheduleCheck();

  /// Does a block that is encrypted with these round keys become what OpenSSL makes of it with the key?
  bool accepts(std::span<const uint8_t> key, const RoundKeys& keys) const;

 private:
  struct Cipher;
  std::unique_ptr<Cipher> cipher_;
};

}  // namespace warpaes::core::lab
