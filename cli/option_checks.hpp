#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpaes::core::cli {

/// Refuses an empty name: a shell variable that is not set would else count as an option that is not given.
inline CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& value) { return value.empty() ? "its value is empty" : ""; },
                        "", "");
}

}  // namespace warpaes::core::cli
