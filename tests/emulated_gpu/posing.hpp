#pragma once

namespace warpaes::core {

/// What a thread does meanwhile is a posed GPU's work, and none of the library's.
class Posing {
 public:
  Posing() { depth_++; }
  ~Posing() { depth_--; }
  Posing(const Posing&) = delete;
  Posing& operator=(const Posing&) = delete;
  static bool is_under_way() { return depth_ != 0; }

 private:
  static inline thread_local int depth_ = 0;
};

}  // namespace warpaes::core
