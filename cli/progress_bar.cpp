#include "progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

#include "shown_name.hpp"
#include "standard_streams.hpp"

namespace warpaes::cli {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval{100};
constexpr const char* kClearLine = "\r\x1b[K";

std::atomic<bool> bar_is_drawn = false;  // on standard error's line

/// How wide standard error's terminal is.
size_t terminal_columns() {
  constexpr size_t kUsual = 80;
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

bool begins_character(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) != 0x80; }

/// Counts a character as one column, which is too few for some scripts.
size_t columns_of(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(text, begins_character));
}

/// Where a UTF-8 text's character of that number begins.
size_t offset_of_character(const std::string& text, size_t number) {
  size_t at = 0;
  for (; at < text.size(); at++) {
    if (begins_character(text[at]) && number-- == 0) break;
  }
  return at;
}

/// "a-long-na…tar.gz": the end of a name says as much as its beginning.
std::string cut_in_the_middle(const std::string& text, size_t columns) {
  const size_t all = columns_of(text);
  if (all <= columns) return text;
  const size_t front = columns / 2, back = columns - front - 1;
  return text.substr(0, offset_of_character(text, front)) + "…" +
         text.substr(offset_of_character(text, all - back));
}

/// A line of as many fields as have room, the first of them at least.
std::string joined_fields(const std::vector<std::string>& fields, size_t columns) {
  std::string text = fields.front();
  for (size_t i = 1; i < fields.size(); i++) {
    if (text.size() + 2 + fields[i].size() > columns) break;
    text += "  " + fields[i];
  }
  return text;
}

std::string readable_time(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

bool terminal_has_bars() {
  const char* const kind = std::getenv("TERM");
  const bool is_dumb = kind != nullptr && (*kind == '\0' || std::string_view(kind) == "dumb");
  return isatty(STDERR_FILENO) != 0 && !is_dumb;
}

const char* taking_bar_away() { return bar_is_drawn.exchange(false) ? kClearLine : ""; }

std::string progress_line(const ProgressState& state, size_t columns) {
  constexpr size_t kLongestBar = 30, kShortestBar = 10, kShortestName = 16, kGap = 2;
  std::vector<std::string> fields = {readable_bytes(state.done)};
  const bool has_total = state.total && *state.total > 0;
  const double share =
      has_total ? std::min(static_cast<double>(state.done) / static_cast<double>(*state.total), 1.0) : 0;
  if (has_total) {
    fields.front() += " of " + readable_bytes(*state.total);
    fields.push_back(fmt::format("{:3.0f} %", 100 * share));
  }
  fields.push_back(readable_rate(state.bytes_per_second));
  if (has_total && *state.total >= state.done && state.bytes_per_second > 0) {
    const auto rest = static_cast<double>(*state.total - state.done);
    fields.push_back(fmt::format("{} left", readable_time(rest / state.bytes_per_second)));
  }
  const size_t width = columns == 0 ? 0 : columns - 1;  // in the last column, some terminals begin a new line
  const size_t least_name = std::min(columns_of(state.name), kShortestName);
  if (width < fields.front().size() + kGap + least_name) return joined_fields(fields, width).substr(0, width);
  const std::string figures = joined_fields(fields, width - kGap - least_name);
  size_t room = width - figures.size() - kGap;
  std::string bar;
  const size_t name_room = std::min(columns_of(state.name), std::max(kShortestName, room / 2));
  if (has_total && room >= name_room + kGap + kShortestBar + 2) {
    const size_t length = std::min(room - name_room - kGap - 2, kLongestBar);
    const auto full = static_cast<size_t>(share * static_cast<double>(length));
    bar = fmt::format("[{}{}]  ", std::string(full, '#'), std::string(length - full, '-'));
    room -= bar.size();
  }
  return fmt::format("{}  {}{}", cut_in_the_middle(state.name, room), bar, figures);
}

std::string readable_rate(double bytes_per_second) {
  return readable_bytes(static_cast<uint64_t>(std::max(bytes_per_second, 0.0))) + "/s";
}

std::string readable_bytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return told_bytes(bytes);
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  // 999.5 would be printed with four digits.
  for (; value >= 999.5 && unit + 1 < std::size(kUnits); unit++) value /= 1000;
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

ProgressBar::ProgressBar(bool enabled, std::string name, std::optional<uint64_t> total)
    : enabled_(enabled), name_(std::move(name)), total_(total), start_(Clock::now()), last_drawn_(start_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() { write_message(taking_bar_away()); }

void ProgressBar::update(uint64_t done) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - last_drawn_ < kRedrawInterval) return;
  last_drawn_ = now;
  bar_is_drawn = true;
  const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - start_).count();
  tell("{}{}", kClearLine, progress_line({name_, done, total_, rate}, terminal_columns()));
}

}  // namespace warpaes::cli
