#include "json_lines.hpp"

#include <cstdio>

namespace warpaes::cli {

void print_json_line(const JsonObject& object) {
  // File names need not be UTF-8; JSON text must be.
  const std::string line = object.dump(-1, ' ', false, JsonObject::error_handler_t::replace) + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace warpaes::cli
