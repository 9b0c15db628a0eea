#include "lab_report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>

#include "failure_report.hpp"
#include "input_file.hpp"
#include "lab_hints.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kPageName = "report.html";

std::string text_in(InputFile& input) {
  std::string text;
  std::vector<uint8_t> piece(1 << 16);
  size_t got;
  do {
    got = input.read(piece);
    text.append(piece.begin(), piece.begin() + static_cast<ptrdiff_t>(got));
  } while (got == piece.size());
  return text;
}

/// The page and its charts by their names. Results may come from elsewhere, and theirs must not lead out of
/// the folder.
std::map<std::string, std::string> files_of(const lab::Page& page) {
  std::map<std::string, std::string> files = {{kPageName, lab::html_of(page)}};
  for (const lab::Section& section : page.sections) {
    for (const lab::Chart& chart : section.charts) {
      if (chart.id.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
        throw std::out_of_range(shown(chart.id) + " cannot be the name of a chart's file");
      }
      files[chart.id + ".svg"] = lab::svg_file_of(chart);
    }
  }
  return files;
}

}  // namespace

std::vector<lab::JsonLine> json_lines_in(const std::string& path) {
  InputFile input(path);
  const std::string text = text_in(input);
  std::vector<lab::JsonLine> lines;
  for (size_t begin = 0, number = 1; begin < text.size(); number++) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lab::JsonLine line = lab::JsonLine::parse(text.substr(begin, end - begin), nullptr, false);
    if (line.is_object()) {
      lines.push_back(std::move(line));
    } else if (end < text.size()) {
      throw Refusal(ExitCode::error,
                    fmt::format("{}: line {} is no JSON object", shown(input.name()), number),
                    "`warpaes lab study` writes such files");
    }
    begin = end + 1;
  }
  return lines;
}

void require_place_for_report(std::span<const lab::JsonLine> lines, const std::string& folder, bool replace) {
  for (const auto& [name, text] : files_of(lab::page_of(lines))) {
    const OutputFile file((std::filesystem::path(folder) / name).string(), replace, kLabHints);
  }
}

std::string write_report(std::span<const lab::JsonLine> lines, const std::string& folder, bool replace) {
  const std::map<std::string, std::string> files = files_of(lab::page_of(lines));
  std::error_code reason;
  std::filesystem::create_directories(folder, reason);
  if (reason) throw Refusal(ExitCode::error, fmt::format("creating {}: {}", folder, reason.message()));
  const std::filesystem::path in(folder);
  std::list<OutputFile> outputs;
  std::vector<OutputFile*> all;
  for (const auto& [name, text] : files) {
    OutputFile& output = outputs.emplace_back((in / name).string(), replace, kLabHints);
    output.set_mode(default_file_mode());
    output.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    all.push_back(&output);
  }
  publish_together(all);
  return in / kPageName;
}

}  // namespace warpaes::cli
