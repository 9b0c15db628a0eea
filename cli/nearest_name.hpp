#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpaes::cli {

/// The one of some names that a mistyped one was most likely meant to be, if any is near.
std::optional<std::string> nearest_name(std::string_view typed, std::span<const std::string> names);

/// "; did you mean '…'?", or nothing if no name is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

}  // namespace warpaes::cli
