// warpaes lab study: repeats the experiments of the literature, and writes JSON, charts and a page.
#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>

#include "as_typed.hpp"
#include "benchmarks/report.hpp"
#include "benchmarks/size_text.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "interrupt.hpp"
#include "lab/studies/energy_meter.hpp"
#include "lab/studies/study_lines.hpp"
#include "lab/studies/study_run.hpp"
#include "lab_commands.hpp"
#include "lab_hints.hpp"
#include "lab_report_files.hpp"
#include "option_checks.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

using lab::JsonLine;

/// Lines of JSON, each in the file as soon as it is known: what ends the run takes none of them away.
class ResultsFile {
 public:
  ResultsFile(const std::string& path, bool replace) : path_(path) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (replace ? O_TRUNC : O_EXCL), 0666);
    if (fd < 0 && errno == EEXIST) {
      throw Refusal(ExitCode::error, path + " exists already", kLabHints.exists);
    }
    if (fd < 0) throw_errno(path);
    file_ = fdopen(fd, "w");
    if (file_ == nullptr) throw_errno(path);
  }
  ~ResultsFile() { std::fclose(file_); }
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  void write(const JsonLine& line) {
    fmt::print(file_, "{}\n", line.dump());
    if (std::fflush(file_) != 0) throw_errno("writing " + path_);
  }
  std::FILE* get() const { return file_; }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

struct StudyCommand {
  std::vector<std::string> names;
  std::string folder = "lab-study", bytes_limit;
  bool force = false, quiet = false;
  double time_limit = 0;  // seconds; 0: none
  lab::StudyOptions options;

  ExitCode run();
  std::vector<const lab::Study*> studies() const;
  std::vector<JsonLine> outline() const;
  lab::StudyCounts measure(ResultsFile& file) const;
  void tell(const JsonLine& line) const;
};

std::string study_names(const char* separator) {
  std::string names;
  for (const lab::Study* study : lab::all_studies()) names += std::string(study->name) + separator;
  return names + "all";
}

/// Which share of the time may be over when a study ends: each of those behind it keeps half of what it
/// would have if all had the same.
double share_until(size_t study, size_t studies) {
  return 1 - 0.5 * static_cast<double>(studies - study - 1) / static_cast<double>(studies);
}

std::vector<const lab::Study*> StudyCommand::studies() const {
  std::vector<const lab::Study*> chosen;
  bool all = false;
  for (const std::string& name : names) {
    if (name == "all") {
      all = true;
      continue;
    }
    const lab::Study* const study = lab::find_study(name);
    if (study == nullptr) {
      throw Refusal(ExitCode::not_found, fmt::format("there is no study '{}'", name),
                    "there are " + study_names(", "));
    }
    // Who names one twice wants it once.
    if (std::ranges::find(chosen, study) == chosen.end()) chosen.push_back(study);
  }
  if (all) return {lab::all_studies().begin(), lab::all_studies().end()};
  return chosen;
}

/// The lines of results.jsonl that say which studies and charts there will be.
std::vector<JsonLine> StudyCommand::outline() const {
  std::vector<JsonLine> lines;
  for (const lab::Study* study : studies())
    std::ranges::move(lab::outline_of(*study), std::back_inserter(lines));
  return lines;
}

void StudyCommand::tell(const JsonLine& line) const {
  if (quiet) return;
  const std::string type = line.at("type");
  if (type == "study") {
    fmt::print("{}: {}\n", line.at("study").get<std::string>(), line.at("title").get<std::string>());
  } else if (type == "result") {
    fmt::print("  {:<18} {:<32} {:>10} {:>12.4g} ms {:>10.4g} GB/s{}{}\n",
               line.at("panel").get<std::string>(), line.at("series").get<std::string>(),
               bench::size_text(line.at("bytes")), line.at("milliseconds").get<double>(),
               line.at("gb_per_s").get<double>(),
               line.contains("step") ? "  " + line.at("step").get<std::string>() : "",
               line.at("verified").get<bool>() ? "" : "  WRONG: " + line.at("mismatch").get<std::string>());
  } else if (type == "left_out") {
    fmt::print("  left out: {}: {}\n", line.at("what").get<std::string>(),
               line.at("reason").get<std::string>());
  } else if (type == "finding") {
    fmt::print("  {}\n", line.at("text").get<std::string>());
  }
  std::fflush(stdout);
}

lab::StudyCounts StudyCommand::measure(ResultsFile& file) const {
  lab::StudyCounts total;
  const double begun = lab::steady_seconds();
  bench::json_report(file.get())
      ->machine(bench::describe_machine(options.device, bench::Nvml(options.device)));
  try {
    const std::vector<const lab::Study*> chosen = studies();
    for (size_t i = 0; i < chosen.size(); i++) {
      lab::StudyOptions its = options;
      if (time_limit > 0) its.until = begun + time_limit * share_until(i, chosen.size());
      const lab::StudyCounts counts = lab::run_study(*chosen[i], its, [&](const JsonLine& line) {
        throw_if_interrupted();
        file.write(line);
        tell(line);
      });
      total.results += counts.results;
      total.left_out += counts.left_out;
      total.wrong += counts.wrong;
    }
  } catch (const Interrupted&) {
    file.write({{"type", "interrupted"}});
    throw;
  }
  file.write({{"type", "summary"},
              {"results", total.results},
              {"left_out", total.left_out},
              {"wrong", total.wrong}});
  return total;
}

ExitCode StudyCommand::run() {
  studies();  // before anything is made
  if (!bytes_limit.empty()) {
    const auto bytes = bench::parse_size(bytes_limit);
    if (!bytes) throw Refusal(ExitCode::usage, "'" + bytes_limit + "' is no size", "4096, 16KiB or 1GiB");
    options.most_bytes = *bytes;
  }
  install_interrupt_handlers();
  std::error_code reason;
  std::filesystem::create_directories(folder, reason);
  if (reason) throw Refusal(ExitCode::error, fmt::format("creating {}: {}", folder, reason.message()));
  require_place_for_report(outline(), folder, force);
  const std::string path = std::filesystem::path(folder) / "results.jsonl";
  lab::StudyCounts counts;
  {
    ResultsFile file(path, force);
    try {
      counts = measure(file);
    } catch (const Interrupted&) {
      print_warning(
          fmt::format("interrupted: {} has what was measured; `warpaes lab report` draws it", path));
      throw;
    }
  }
  const std::string page = write_report(json_lines_in(path), folder, force);
  if (!quiet) {
    fmt::print("{} measured, {} left out, {} wrong: {}\n", counts.results, counts.left_out, counts.wrong,
               shown(page));
  }
  return counts.wrong == 0 ? ExitCode::done : ExitCode::error;
}

}  // namespace

void register_lab_study(CLI::App& lab, ExitCode& exit_code) {
  CLI::App* const added =
      lab.add_subcommand("study", "Repeat the experiments of the literature on this machine");
  const auto command = std::make_shared<StudyCommand>();
  add_list(*added, "NAME", command->names, study_names(", "))
      ->required()
      ->type_name(study_names("|"))  // what completions offer
      ->option_text("...");
  added->add_option("-o,--output", command->folder, "Folder for results.jsonl, report.html and the charts")
      ->check(not_empty())
      ->option_text("DIR (lab-study)");
  added->add_option("--bytes-limit", command->bytes_limit, "Leave out larger data; without a GPU: 4MiB")
      ->option_text("SIZE");
  added->add_option("--time-limit", command->time_limit, "Leave out what has not begun by then")
      ->check(seconds())
      ->check(more_than_none())
      ->option_text("SECONDS");
  added->add_option("--device", command->options.device, "CUDA device")
      ->transform(number<int>())
      ->option_text(fmt::format("NUMBER ({})", command->options.device));
  added->add_flag("-f,--force", command->force,
                  "Replace the results, the page and the charts of an earlier run");
  added->add_flag("-q,--quiet", command->quiet, "Say nothing but errors");
  added->callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace warpaes::cli
