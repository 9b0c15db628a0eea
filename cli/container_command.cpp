#include "container_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "delivery.hpp"
#include "failure_report.hpp"
#include "file_report.hpp"
#include "interrupt.hpp"
#include "output_options.hpp"
#include "progress_bar.hpp"
#include "shown_name.hpp"

namespace warpaes::core::cli {
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
  void work(InputFile& input, ByteSink& to, FileReport& report);
  bool ends_run(ExitCode code) const;

  const ContainerVerb& verb_;
  std::vector<std::string> files_;
  OutputOptions output_options_;
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

void ContainerCommand::add_to(CLI::App& command) {
  command.add_option("FILE", files_, "Files, or - for standard input")->required()->option_text("...");
  if (verb_.writes) output_options_.add_to(command);
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
  const std::string& output = output_options_.output;
  if (!output.empty() && files_.size() > 1) {
    throw Refusal(ExitCode::usage, "-o names one output, and there are several files",
                  "without -o, each output gets its name from its input");
  }
  const bool to_stdout =
      is_standard_stream(output) || (output.empty() && std::ranges::any_of(files_, is_standard_stream));
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
      const Complaint complaint = complaint_of_current_exception(shown(path));
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
    const OutputOptions& options = output_options_;
    report.output = !options.output.empty() ? options.output : verb_.output_name(path);
    const std::optional<uint64_t> bytes =
        input.size() ? std::optional(verb_.output_bytes(*input.size())) : std::nullopt;
    report.sync_seconds =
        deliver({report.output, options.force, verb_.to_terminal, bytes, key_options_.files()}, input,
                [&](ByteSink& to) { work(input, to, report); });
  }
  report.seconds = stopwatch.seconds();
  return report;
}

/// Once, for the first file that can be opened: starting a GPU takes a while.
void ContainerCommand::set_up_engines() {
  if (context_) return;
  const Stopwatch stopwatch;
  context_.emplace(engine_options_.internal_context_options());
  total_.setup_seconds = stopwatch.seconds();
}

void ContainerCommand::work(InputFile& input, ByteSink& to, FileReport& report) {
  const std::optional<uint64_t> total =
      input.size() ? std::optional(verb_.plaintext_bytes(*input.size())) : std::nullopt;
  const bool bar_wanted = !report_options_.quiet && !report_options_.no_progress && isatty(STDERR_FILENO);
  ProgressBar bar(bar_wanted, shown(input.name()), total);
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

}  // namespace warpaes::core::cli
