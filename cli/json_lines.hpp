// --json: one object a line on stdout; the last one is of type "summary" or "error".
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpaes::cli {

/// Keeps the members in the order in which they are written.
using JsonObject = nlohmann::ordered_json;

/// With the end of the line.
std::string json_line(const JsonObject& object);

void print_json_line(const JsonObject& object);

}  // namespace warpaes::cli
