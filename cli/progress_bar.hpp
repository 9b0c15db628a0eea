// One line on stderr while a file is worked on: bytes, share, speed, time left.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warpaes::cli {

/// Is told from time to time how much is done; may throw to stop.
using Progress = std::function<void(uint64_t bytes)>;

/// Is standard error a terminal whose lines can be cleared? Those of some editors cannot ("dumb"), nor is it
/// known of one that has no name.
bool terminal_has_bars();

class ProgressBar {
 public:
  /// @param total bytes of plaintext, if known
  ProgressBar(bool enabled, std::string name, std::optional<uint64_t> total);
  /// Clears the line.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void rename(std::string name) { name_ = std::move(name); }
  void clear();

  /// Draws at most some times a second.
  void update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  std::string name_;
  std::optional<uint64_t> total_;
  Clock::time_point start_, last_drawn_;
};

/// What a message begins with: it takes a bar off the line, and is nothing where there is none.
const char* taking_bar_away();

struct ProgressState {
  std::string name;  // as it is shown
  uint64_t done;
  std::optional<uint64_t> total;
  double bytes_per_second;
};

/// The line for a terminal of that many columns: a name that is too long is cut in the middle; where they
/// have no room, the bar, the last figures and then the name are left out.
std::string progress_line(const ProgressState& state, size_t columns);

/// "1.23 GB/s"
std::string readable_rate(double bytes_per_second);

/// "1.23 GB": decimal units, three digits.
std::string readable_bytes(uint64_t bytes);

}  // namespace warpaes::cli
