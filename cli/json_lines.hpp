// --json: one object a line on stdout; the last one is of type "summary" or "error".
#pragma once

#include <nlohmann/json.hpp>

namespace warpaes::cli {

/// Keeps the members in the order in which they are written.
using JsonObject = nlohmann::ordered_json;

void print_json_line(const JsonObject& object);

}  // namespace warpaes::cli
