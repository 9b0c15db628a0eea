#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "command.hpp"
#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "input_file.hpp"
#include "interrupt.hpp"
#include "json_lines.hpp"
#include "kdf_functions.hpp"
#include "option_checks.hpp"
#include "output_file.hpp"
#include "report_options.hpp"
#include "secret_file.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"
#include "standard_streams.hpp"
#include "warpaes/memory.hpp"

namespace warpaes::cli {
namespace {

class KdfCommand {
 public:
  explicit KdfCommand(const KdfRow& row) : row_(row), function_(row.make()) {}

  void add_to(CLI::App& command);
  void run() const;

 private:
  void check_usage() const;
  void derive(std::span<uint8_t> out) const;
  OutputFile open_output() const { return OutputFile(output_, /*replace=*/false, {.has_stream = true}); }
  void report() const;
  std::string help() const { return fmt::format("warpaes kdf {} --help", row_.name); }

  const KdfRow& row_;
  std::unique_ptr<KdfFunction> function_;
  std::string output_;
  size_t bytes_ = 32;
  bool raw_ = false, insecure_ = false;
  ReportOptions report_options_;
};

void KdfCommand::add_to(CLI::App& command) {
  function_->add_to(command);
  command.add_option("-o,--output", output_, "A new file that only you can read, or - for standard output")
      ->required()
      ->check(not_empty())
      ->option_text("FILE");
  command.add_option("--bytes", bytes_, "Length of what is derived")
      ->transform(number<size_t>(1, kMostDerivedBytes))
      ->option_text("NUMBER (32)");
  command.add_flag("--raw", raw_, "Write bytes instead of hexadecimal digits");
  command.add_flag("--insecure-key-file", insecure_, "Use a file with a secret that other users can read");
  command.add_flag("-q,--quiet", report_options_.quiet, "Say nothing but errors");
  report_options_.add_json(command);
}

void KdfCommand::check_usage() const {
  if (const auto [least, most] = function_->byte_counts(); bytes_ < least || bytes_ > most) {
    throw Refusal(ExitCode::usage,
                  fmt::format("--bytes: {} derives {} to {} bytes, not {}", row_.name, least, most, bytes_),
                  help());
  }
  const bool to_standard_output = is_standard_stream(output_);
  if (to_standard_output || report_options_.json) require_no_standard_output(function_->files());
  if (!to_standard_output) return;
  if (report_options_.json) {
    throw Refusal(ExitCode::usage, "standard output cannot take both the key and --json", "-o FILE");
  }
  if (raw_ && isatty(STDOUT_FILENO)) {
    throw Refusal(ExitCode::error, "bytes are not written to a terminal", "-o FILE, or leave out --raw");
  }
}

/// Lengths are told by options here, so one that a function does not have is a mistake on the command line.
void KdfCommand::derive(std::span<uint8_t> out) const {
  try {
    function_->derive(out, insecure_);
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_LENGTH) throw;
    throw Refusal(ExitCode::usage, error.what(), help());
  }
}

void KdfCommand::run() const {
  check_usage();
  install_interrupt_handlers();
  const bool to_file = !is_standard_stream(output_);
  // Refused before the work, while which there is no file, as a signal may end the process.
  if (to_file) open_output();
  SecretBytes derived(bytes_), line(2 * bytes_ + 1);
  derive(derived.bytes());
  encode_hexadecimal(derived.bytes(), line.bytes());
  line.bytes().back() = '\n';
  const std::span<const uint8_t> content = raw_ ? derived.bytes() : line.bytes();
  if (!to_file) return StandardOutput().write(content);
  OutputFile file = open_output();
  file.write(content);
  file.publish_key();
  report();
}

void KdfCommand::report() const {
  if (report_options_.json) {
    print_json_line({{"type", "summary"},
                     {"command", "kdf"},
                     {"function", row_.name},
                     {"output", output_},
                     {"bytes", bytes_}});
  } else if (!report_options_.quiet) {
    tell("{}: {} by {}\n", shown(output_), told_bytes(bytes_), row_.name);
  }
}

}  // namespace

void register_kdf(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added = app.add_subcommand("kdf", "Derive a key from a passphrase or from another key");
  added->require_subcommand(1);
  for (const KdfRow& row : kdf_table()) {
    CLI::App* const function = added->add_subcommand(row.name, row.description);
    const auto command = std::make_shared<KdfCommand>(row);
    command->add_to(*function);
    function->callback([command, &exit_code] {
      command->run();
      exit_code = ExitCode::done;
    });
  }
}

}  // namespace warpaes::cli
