#include "lab_report_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "failure_report.hpp"
#include "input_file.hpp"
#include "output_file.hpp"

namespace warpaes::cli {
namespace {

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path, true);
  file.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  file.publish(default_file_mode());
}

}  // namespace

std::vector<lab::JsonLine> json_lines_in(const std::string& path) {
  const InputFile exists(path);  // complains of what is none
  std::ifstream file(path);
  std::vector<lab::JsonLine> lines;
  std::string text;
  for (size_t number = 1; std::getline(file, text); number++) {
    lab::JsonLine line = lab::JsonLine::parse(text, nullptr, false);
    if (line.is_object()) {
      lines.push_back(std::move(line));
    } else if (!file.eof()) {
      throw Refusal(ExitCode::error, fmt::format("{}: line {} is no JSON object", path, number),
                    "`warpaes lab study` writes such files");
    }
  }
  if (file.bad()) throw_errno("reading " + path);
  return lines;
}

std::string write_report(std::span<const lab::JsonLine> lines, const std::string& folder) {
  const lab::Page page = lab::page_of(lines);
  std::error_code reason;
  std::filesystem::create_directories(folder, reason);
  if (reason) throw Refusal(ExitCode::error, fmt::format("creating {}: {}", folder, reason.message()));
  const std::filesystem::path in(folder);
  for (const lab::Section& section : page.sections) {
    for (const lab::Chart& chart : section.charts)
      write_file(in / (chart.id + ".svg"), lab::svg_file_of(chart));
  }
  const std::string path = in / "report.html";
  write_file(path, lab::html_of(page));
  return path;
}

}  // namespace warpaes::cli
