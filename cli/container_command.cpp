#include "container_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "failure_report.hpp"
#include "file_report.hpp"
#include "interrupt.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

const std::map<std::string, cobblestone::OutputCheck> kOutputChecks = {
    {"none", cobblestone::OutputCheck::none},
    {"sample", cobblestone::OutputCheck::sample},
    {"full", cobblestone::OutputCheck::full},
};

class ContainerCommand {
 public:
  explicit ContainerCommand(const ContainerVerb& verb) : verb_(verb) {}

  void add_to(CLI::App& command);
  ExitCode run();

 private:
  void check_usage() const;
  FileReport process(const std::string& path);
  void set_up_engines();
  void to_standard_output(InputFile& input, FileReport& report);
  void to_file(InputFile& input, FileReport& report);
  void work(InputFile& input, ByteSink& to, FileReport& report);
  bool ends_run(ExitCode code) const;

  const ContainerVerb& verb_;
  std::vector<std::string> files_;
  std::string output_;
  bool force_ = false;
  cobblestone::OutputCheck output_check_ = cobblestone::OutputCheck::sample;
  KeyOptions key_options_;
  EngineOptions engine_options_;
  ReportOptions report_options_;

  std::optional<SecretKey> key_;
  std::optional<Context> context_;
  RunReport total_;
};

class Nowhere : public ByteSink {
 public:
  void write(std::span<const uint8_t>) override {}
};

bool same_file(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void ContainerCommand::add_to(CLI::App& command) {
  command.add_option("FILE", files_, "Files, or - for standard input")->required()->option_text("...");
  if (verb_.writes) {
    command.add_option("-o,--output", output_, "Name of the output, or - for standard output")
        ->option_text("FILE");
    command.add_flag("-f,--force", force_, "Replace an output that exists; write to a terminal");
  }
  if (verb_.encrypts) {
    command
        .add_option("--verify-output", output_check_,
                    "Encrypt again on the CPU and compare: sample is one in 64 of the chunks that a GPU made")
        ->transform(CLI::CheckedTransformer(kOutputChecks))
        ->option_text("none|sample|full (sample)");
  }
  key_options_.add_to(command);
  engine_options_.add_to(command);
  report_options_.add_to(command);
}

void ContainerCommand::check_usage() const {
  if (!output_.empty() && files_.size() > 1) {
    throw Refusal(ExitCode::usage, "-o names one output, and there are several files",
                  "without -o, each output gets its name from its input");
  }
  const bool to_stdout =
      is_standard_stream(output_) || (output_.empty() && std::ranges::any_of(files_, is_standard_stream));
  if (verb_.writes && to_stdout && report_options_.json) {
    throw Refusal(ExitCode::usage, "standard output cannot take both the data and --json", "-o FILE");
  }
}

ExitCode ContainerCommand::run() {
  check_usage();
  install_interrupt_handlers();
  key_.emplace(key_options_.read());
  size_t failed = 0;
  for (const std::string& path : files_) {
    try {
      const FileReport report = process(path);
      print_file_report(report, verb_.past, report_options_);
      total_.add(report);
    } catch (...) {
      const Complaint complaint = complaint_of_current_exception(path);
      const bool last = ends_run(complaint.code);
      print_complaint(complaint);
      if (report_options_.json) print_complaint_json(complaint, last ? "error" : "file_error", path);
      if (last) return complaint.code;
      failed++;
    }
  }
  if (failed != 0) {
    throw Refusal(ExitCode::some_failed, fmt::format("{} of {} files failed", failed, files_.size()));
  }
  print_summary(total_, verb_.name, report_options_);
  return ExitCode::done;
}

/// What fails for one file because of the machine or the user fails for all.
bool ContainerCommand::ends_run(ExitCode code) const {
  return files_.size() == 1 || code == ExitCode::no_engine || code == ExitCode::interrupted;
}

FileReport ContainerCommand::process(const std::string& path) {
  InputFile input(path);
  set_up_engines();
  const Stopwatch stopwatch;
  FileReport report;
  report.input = path;
  if (!verb_.writes) {
    Nowhere nowhere;
    work(input, nowhere, report);
  } else {
    report.output = !output_.empty() ? output_ : verb_.output_name(path);
    if (is_standard_stream(report.output)) {
      to_standard_output(input, report);
    } else {
      to_file(input, report);
    }
  }
  report.seconds = stopwatch.seconds();
  return report;
}

/// Once, for the first file that can be opened: starting a GPU takes a while.
void ContainerCommand::set_up_engines() {
  if (context_) return;
  const Stopwatch stopwatch;
  context_.emplace(engine_options_.context_options());
  total_.setup_seconds = stopwatch.seconds();
}

void ContainerCommand::to_standard_output(InputFile& input, FileReport& report) {
  struct stat status = {};
  if (fstat(STDOUT_FILENO, &status) == 0 && same_file(input.status(), status)) {
    throw Refusal(ExitCode::error, input.name() + " is both input and output", "write to another file");
  }
  if (!verb_.to_terminal && !force_ && isatty(STDOUT_FILENO)) {
    throw Refusal(ExitCode::error, "ciphertext is not written to a terminal",
                  "-o FILE, or send it to a file or a pipe; --force writes it all the same");
  }
  StandardOutput output;
  try {
    work(input, output, report);
  } catch (...) {
    Complaint complaint = complaint_of_current_exception(input.name());
    if (output.written() != 0) {
      complaint.message +=
          fmt::format("; the {} bytes on standard output are only the beginning", output.written());
    }
    throw Refusal(complaint);
  }
}

void ContainerCommand::to_file(InputFile& input, FileReport& report) {
  struct stat status = {};
  if (stat(report.output.c_str(), &status) == 0 && same_file(input.status(), status)) {
    throw Refusal(ExitCode::error, report.output + " is both input and output", "-o names another file");
  }
  OutputFile output(report.output, force_);
  if (input.size()) output.reserve(verb_.output_bytes(*input.size()));
  work(input, output, report);

  const bool like_input = S_ISREG(input.status().st_mode) && !input.is_standard_input();
  const mode_t mode = like_input ? input.status().st_mode & default_file_mode() : default_file_mode();
  const Stopwatch disk;
  output.publish(mode);
  report.sync_seconds = disk.seconds();
}

void ContainerCommand::work(InputFile& input, ByteSink& to, FileReport& report) {
  const std::optional<uint64_t> total =
      input.size() ? std::optional(verb_.plaintext_bytes(*input.size())) : std::nullopt;
  const bool bar_wanted = !report_options_.quiet && !report_options_.no_progress && isatty(STDERR_FILENO);
  ProgressBar bar(bar_wanted, input.name(), total);
  const auto draw = [&bar](uint64_t done) { bar.update(done); };
  report.plaintext_bytes = verb_.work(*context_, {.key = key_->bytes()}, input, to, draw, output_check_);
  report.engine =
      full_name(cobblestone::engine_for_chunks(*context_, cobblestone::chunks_of(report.plaintext_bytes)));
}

}  // namespace

void register_container_verb(CLI::App& app, ExitCode& exit_code, const ContainerVerb& verb) {
  CLI::App* const added = app.add_subcommand(verb.name, verb.description);
  const auto command = std::make_shared<ContainerCommand>(verb);
  command->add_to(*added);
  added->callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace warpaes::cli
