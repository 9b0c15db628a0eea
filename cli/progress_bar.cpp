#include "progress_bar.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "standard_streams.hpp"

namespace warpaes::core::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{100};
constexpr const char* kClearLine = "\r\x1b[K";

std::string readable_time(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::string readable_bytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  // 999.5 would be printed with four digits.
  for (; value >= 999.5 && unit + 1 < std::size(kUnits); unit++) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

ProgressBar::ProgressBar(bool enabled, std::string name, std::optional<uint64_t> total)
    : enabled_(enabled), name_(std::move(name)), total_(total), start_(Clock::now()), last_drawn_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) tell("{}", kClearLine);
}

void ProgressBar::update(uint64_t done) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_drawn_ < kRedrawInterval) return;
  last_drawn_ = now;
  drawn_ = true;
  const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - start_).count();
  std::string line = fmt::format("{}{}  {}", kClearLine, name_, readable_bytes(done));
  if (total_ && *total_ > 0) {
    line += fmt::format(" of {}  {:3.0f} %", readable_bytes(*total_),
                        100 * static_cast<double>(done) / static_cast<double>(*total_));
  }
  line += fmt::format("  {:.2f} GB/s", rate / 1e9);
  if (total_ && *total_ >= done && rate > 0) {
    line += fmt::format("  {} left", readable_time(static_cast<double>(*total_ - done) / rate));
  }
  tell("{}", line);
}

}  // namespace warpaes::core::cli
