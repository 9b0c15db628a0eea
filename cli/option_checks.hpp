#pragma once

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "file_descriptor.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

/// Refuses an empty name: a shell variable that is not set would else count as an option that is not given.
inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& value) { return value.empty() ? "its value is empty" : ""; },
                        "", "");
}

/// A number in decimal digits and nothing else, or nothing: CLI11's own would be 0 for no digits, 8 for 010,
/// and 2^64 - 1 for -1.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool has_sign = text.starts_with('-');
  if (has_sign || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// For the transform() of an option that is a number.
template <class Number>
CLI::Validator number(Number least = 0, Number most = std::numeric_limits<Number>::max()) {
  return CLI::Validator(
      [least, most](std::string& text) {
        const std::optional<Number> value = number_in<Number>(text);
        if (!value || *value < least || *value > most) {
          return "it takes a number from " + std::to_string(least) + " to " + std::to_string(most) +
                 ", in decimal digits, not '" + shown(text) + "'";
        }
        text = std::to_string(*value);  // without zeros before it, which would make it octal for CLI11
        return std::string();
      },
      "", "");
}

/// For the transform() of an option that takes one of some names. CLI11's own also takes the numbers that
/// stand for them in the program.
template <class Value>
CLI::Validator named(std::map<std::string, Value> names) {
  return CLI::Validator(
      [names = std::move(names)](std::string& text) {
        const auto found = names.find(text);
        if (found == names.end()) return "there is no '" + shown(text) + "'";
        text = std::to_string(static_cast<int>(found->second));
        return std::string();
      },
      "", "");
}

/// For the check() of an option that is a time in seconds, which may have decimal places. CLI11's own would
/// also be no number at all (nan), which passes every comparison.
inline CLI::Validator seconds(int most = std::numeric_limits<int>::max()) {
  return CLI::Validator(
      [most](const std::string& text) {
        double value = 0;
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
        const bool is_number = error == std::errc() && end == text.data() + text.size();
        if (is_number && !text.starts_with('-') && value <= most) return std::string();
        return "it takes seconds from 0 to " + std::to_string(most) + ", in decimal digits, not '" +
               shown(text) + "'";
      },
      "", "");
}

/// For the check() of such a time that may not be 0.
inline CLI::Validator more_than_none() {
  return CLI::Validator(
      [](const std::string& text) {
        const bool is_none = text.find_first_not_of("0.") == std::string::npos;
        return is_none ? "it takes more than 0 seconds" : "";
      },
      "", "");
}

/// For the transform() of an option that is the number of a file which is open to be read. Asked while
/// options are read: later, a file of this process may have that number.
inline CLI::Validator descriptor() {
  return CLI::Validator(
      [](std::string& value) -> std::string {
        const std::optional<int> number = number_in<int>(value);
        if (!number) return "'" + shown(value) + "' is not the number of a file descriptor";
        value = std::to_string(*number);  // without zeros before it, as above
        if (fcntl(*number, F_GETFD) < 0) return "file descriptor " + value + " is not open";
        return is_open_to(*number, Way::in) ? "" : "file descriptor " + value + " is not open for reading";
      },
      "", "");
}

}  // namespace warpaes::cli
