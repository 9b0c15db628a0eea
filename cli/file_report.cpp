#include "file_report.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "json_lines.hpp"
#include "progress_bar.hpp"
#include "shown_name.hpp"
#include "standard_streams.hpp"

namespace warpaes::cli {
namespace {

void add_figures(JsonObject& line, const Figures& report) {
  line["plaintext_bytes"] = report.plaintext_bytes;
  line["seconds"] = report.seconds;
  line["sync_seconds"] = report.sync_seconds;
  line["gb_per_s"] = report.gb_per_s();
  line["engine"] = report.engine;
}

}  // namespace

double Figures::gb_per_s() const {
  const double working = seconds - sync_seconds;
  return working > 0 ? static_cast<double>(plaintext_bytes) / working / 1e9 : 0;
}

void RunReport::add(const FileReport& file) {
  files++;
  plaintext_bytes += file.plaintext_bytes;
  seconds += file.seconds;
  sync_seconds += file.sync_seconds;
  engine = file.engine;
}

void print_file_report(const FileReport& report, const char* past_verb, const ReportOptions& options) {
  if (options.json) {
    JsonObject line = {{"type", "file"}, {"input", report.input}};
    if (!report.output.empty()) line["output"] = report.output;
    add_figures(line, report);
    print_json_line(line);
  } else if (!options.quiet) {
    const std::string names =
        shown_input(report.input) + (report.output.empty() ? "" : " -> " + shown_output(report.output));
    tell("{}: {} {}, {}, {}\n", names, readable_bytes(report.plaintext_bytes), past_verb,
         readable_rate(report.gb_per_s() * 1e9), report.engine);
  }
}

void print_summary(const RunReport& run, const char* command, const ReportOptions& options) {
  if (!options.json) return;
  JsonObject line = {{"type", "summary"}, {"command", command}, {"files", run.files}};
  add_figures(line, run);
  line["setup_seconds"] = run.setup_seconds;
  print_json_line(line);
}

}  // namespace warpaes::cli
