#pragma once

namespace warpaes::core {

/// What a thread does meanwhile is a posed GPU's work, and none of the library's.
class Posing {
 public:
  Posing() { depth++; }
  ~Posing() { depth--; }
  Posing(const Posing&) = delete;
  Posing& operator=(const Posing&) = delete;
  static bool is_under_way() { return depth != 0; }

 private:
  static inline thread_local int depth = 0;
};

}  // namespace warpaes::core
