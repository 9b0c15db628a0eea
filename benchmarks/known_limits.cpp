#include "known_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "warpaes/memory.hpp"

namespace warpaes::bench {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(WARPAES_ERROR_OPTION, fmt::format("--limits-from {}: {}", path, why));
}

std::string text_in(const Json& line, const char* member) {
  const auto found = line.find(member);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::vector<MeasuredLimit> limits_in(const std::string& path, const std::string& gpu) {
  std::ifstream file(path);
  if (!file) refuse(path, "it cannot be read");
  std::vector<MeasuredLimit> limits;
  for (std::string text; std::getline(file, text);) {
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) refuse(path, "a line is no JSON object: it is no report of --limits --json");
    const std::string type = text_in(line, "type");
    if (type == "machine" && text_in(line, "gpu") != gpu) {
      refuse(path, fmt::format("its limits are of '{}', and this GPU is '{}'", text_in(line, "gpu"), gpu));
    }
    const auto value = line.find("value");
    if (type != "limit" || value == line.end() || !value->is_number()) continue;
    const auto known = std::ranges::find(limit_table(), text_in(line, "name"), &Limit::name);
    if (known != limit_table().end()) limits.push_back({&*known, value->get<double>()});
  }
  if (limits.empty()) refuse(path, "it has no limits: `warpaes bench --limits --json` measures them");
  return limits;
}

}  // namespace warpaes::bench
