#pragma once

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

namespace warpaes::core::cli {

/// Refuses an empty name: a shell variable that is not set would else count as an option that is not given.
inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& value) { return value.empty() ? "its value is empty" : ""; },
                        "", "");
}

/// The number of an open file. Asked while options are read: later, a file of this process may have that
/// number.
inline CLI::Validator descriptor() {
  return CLI::Validator(
      [](const std::string& value) {
        int number = -1;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        const bool is_number = error == std::errc() && end == value.data() + value.size() && number >= 0;
        if (!is_number) return value + " is not the number of a file descriptor";
        return fcntl(number, F_GETFD) >= 0 ? "" : "file descriptor " + value + " is not open";
      },
      "", "");
}

}  // namespace warpaes::core::cli
