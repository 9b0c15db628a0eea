#include "vector_file.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "primitives/hex.hpp"

namespace warpaes::core::conformance {
namespace {

std::string trimmed(const std::string& text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto begin = std::find_if_not(text.begin(), text.end(), is_space);
  const auto end = std::find_if_not(text.rbegin(), std::make_reverse_iterator(begin), is_space).base();
  return {begin, end};
}

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Of "NAME = VALUE, NAME = VALUE", as sections have them.
void add_fields(std::map<std::string, std::string>& fields, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const size_t equals = text.find('=', at);
    if (equals < end) {
      fields[capitals(trimmed(text.substr(at, equals - at)))] =
          trimmed(text.substr(equals + 1, end - equals - 1));
    }
    at = end + 1;
  }
}

}  // namespace

Bytes VectorRecord::bytes(const std::string& name) const {
  const auto field = fields.find(name);
  if (field == fields.end()) throw std::runtime_error("a record has no " + name);
  return bytes_of_hex(field->second);
}

std::vector<VectorRecord> read_vector_file(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot open " + file.string());
  std::vector<VectorRecord> records;
  std::map<std::string, std::string> head;  // what stands before the first COUNT of a section is of all of it
  bool in_head = true;
  std::string section, line;
  for (size_t number = 1; std::getline(stream, line); number++) {
    const auto refuse = [&](const char* why) {
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + why);
    };
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    const size_t equals = line.find('=');
    if (line[0] == '[') {
      in_head = true;
      add_fields(head, line.substr(1, line.size() - 2));
      if (equals == std::string::npos) section = capitals(line.substr(1, line.size() - 2));
      continue;
    }
    const std::string name = capitals(trimmed(line.substr(0, equals)));
    if (name == "COUNT") {
      in_head = false;
      records.push_back({section, head, false});
    }
    if (in_head && equals != std::string::npos) {
      head[name] = trimmed(line.substr(equals + 1));
      continue;
    }
    if (records.empty()) refuse("neither a section nor a field");
    if (equals != std::string::npos) {
      records.back().fields[name] = trimmed(line.substr(equals + 1));
    } else if (name == "FAIL") {
      records.back().fail = true;
    } else {
      refuse("neither a section nor a field");
    }
  }
  if (records.empty()) throw std::runtime_error(file.string() + ": no COUNT, so no records");
  return records;
}

}  // namespace warpaes::core::conformance
