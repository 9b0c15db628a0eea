#pragma once

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

#include "file_descriptor.hpp"

namespace warpaes::cli {

/// Refuses an empty name: a shell variable that is not set would else count as an option that is not given.
inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& value) { return value.empty() ? "its value is empty" : ""; },
                        "", "");
}

/// The number of a file that is open to be read. Asked while options are read: later, a file of this process
/// may have that number.
inline CLI::Validator descriptor() {
  return CLI::Validator(
      [](const std::string& value) {
        int number = -1;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        const bool is_number = error == std::errc() && end == value.data() + value.size() && number >= 0;
        if (!is_number) return value + " is not the number of a file descriptor";
        if (fcntl(number, F_GETFD) < 0) return "file descriptor " + value + " is not open";
        return is_open_to(number, Way::in) ? "" : "file descriptor " + value + " is not open for reading";
      },
      "", "");
}

}  // namespace warpaes::cli
