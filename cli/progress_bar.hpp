// One line on stderr while a file is worked on: bytes, share, speed, time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace warpaes::core::cli {

class ProgressBar {
 public:
  /// @param total bytes of plaintext, if known
  ProgressBar(bool enabled, std::string name, std::optional<uint64_t> total);
  /// Clears the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws at most some times a second.
  void update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  std::string name_;
  std::optional<uint64_t> total_;
  Clock::time_point start_, last_drawn_;
  bool drawn_ = false;
};

/// "1.23 GB": decimal units, three digits.
std::string readable_bytes(uint64_t bytes);

}  // namespace warpaes::core::cli
