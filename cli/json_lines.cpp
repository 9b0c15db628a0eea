#include "json_lines.hpp"

#include <cstdio>

namespace warpaes::cli {

/// File names need not be UTF-8; JSON text must be.
std::string json_line(const JsonObject& object) {
  return object.dump(-1, ' ', false, JsonObject::error_handler_t::replace) + "\n";
}

void print_json_line(const JsonObject& object) {
  const std::string line = json_line(object);
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace warpaes::cli
