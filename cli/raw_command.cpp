#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "claimed_descriptors.hpp"
#include "command.hpp"
#include "cpu_first.hpp"
#include "delivery.hpp"
#include "direct_option.hpp"
#include "engine_options.hpp"
#include "failure_report.hpp"
#include "file_clashes.hpp"
#include "file_report.hpp"
#include "interrupt.hpp"
#include "output_file.hpp"
#include "output_options.hpp"
#include "progress_bar.hpp"
#include "raw_options.hpp"
#include "raw_pass.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kLongestTag = 16;

class RawCommand {
 public:
  void add_to(CLI::App& command);
  ExitCode run();

 private:
  void check_usage() const;
  SparedFiles needed_files() const;
  Delivery delivery_to(const std::string& output) const;
  void take_tag(RawJob& job, const InputFile& input);
  unsigned threads_on_a_piece(const RawJob& job) const;
  warpaes::Context context_for(const RawJob& job, const InputFile& input) const;
  void work(RawJob& job, const SecretKey& key);
  FileReport process(RawJob& job, const warpaes::Context& context, const SecretKey& key, InputFile& input);

  std::string file_ = "-";
  bool direct_ = false;
  OutputOptions output_options_{.output = "-"};
  RawOptions raw_options_;
  KeyOptions key_options_;
  EngineOptions engine_options_;
  ReportOptions report_options_;
  std::optional<OutputFile> tag_output_;
};

void RawCommand::add_to(CLI::App& command) {
  command.add_option("FILE", file_, "A file, or - for standard input: the default")->option_text(" ");
  output_options_.add_to(command);
  command.add_flag("--direct", direct_, kDirectDescription);
  raw_options_.add_to(command);
  key_options_.add_all_to(command);
  engine_options_.add_to(command);
  report_options_.add_to(command);
}

/// Besides the input.
SparedFiles RawCommand::needed_files() const {
  SparedFiles files = key_options_.files();
  files.add(raw_options_.files());
  return files;
}

void RawCommand::check_usage() const {
  if (report_options_.json || is_standard_stream(output_options_.output)) {
    require_no_standard_output(file_);
    require_no_standard_output(needed_files());
  }
  if (is_standard_stream(output_options_.output) && report_options_.json) {
    throw Refusal(ExitCode::usage, "standard output cannot take both the data and --json", "-o FILE");
  }
  if (direct_ && is_standard_stream(file_) && is_standard_stream(output_options_.output)) {
    throw refuse_direct_streams();
  }
}

Delivery RawCommand::delivery_to(const std::string& output) const {
  return {.output = output, .force = output_options_.force, .bytes = std::nullopt, .spared = needed_files()};
}

/// Reads the file of the tag, or makes one: it gets its name right before the ciphertext does.
void RawCommand::take_tag(RawJob& job, const InputFile& input) {
  const std::string& path = raw_options_.tag_file();
  if (path.empty()) return;
  if (job.encrypts()) {
    if (is_standard_stream(path)) {
      throw Refusal(ExitCode::usage, "a tag is written to a file only", "--tag-file FILE");
    }
    const std::string& output = output_options_.output;
    if (is_standard_stream(output) ? is_standard_output(path) : are_one_place(path, output)) {
      throw Refusal(ExitCode::usage, shown(path) + " cannot hold both the tag and the ciphertext",
                    "--tag-file names another file; without it, the tag is appended to the ciphertext");
    }
    Delivery delivery = delivery_to(path);
    delivery.elsewhere = "--tag-file names another file";
    check_output(delivery, input);
    const OutputHints hints{.exists = "--force replaces it; " + delivery.elsewhere,
                            .elsewhere = delivery.elsewhere,
                            .has_stream = false};
    // Refused before the work, while which there is no file, as a signal may end the process.
    const OutputFile trial(path, output_options_.force, hints);
    job.write_tag = [this, path, hints](std::span<const uint8_t> tag) {
      tag_output_.emplace(path, output_options_.force, hints);
      tag_output_->write(tag);
      tag_output_->set_mode(default_file_mode());
    };
    return;
  }
  claim_path(path, "the tag");
  InputFile file(path);
  job.tag.resize(kLongestTag + 1);
  job.tag.resize(file.read(job.tag));
  if (job.tag.size() != job.tag_length) {
    throw Refusal(ExitCode::error,
                  fmt::format("{} is no tag of {} bytes: it holds {}{}", shown(path), job.tag_length,
                              job.tag.size(), job.tag.size() > kLongestTag ? " or more" : ""),
                  "--tag-bytes says how long the tag is");
  }
}

/// How many threads of the CPU share a piece of the message. The pieces are worked on one after the other,
/// and the other threads read and write meanwhile, so more than two are not needed to outrun a file. With two
/// processors each is busy with a piece of its own, most of the time reading and writing, and waking the
/// other one takes longer than it helps.
unsigned RawCommand::threads_on_a_piece(const RawJob& job) const {
  constexpr unsigned kEnough = 2;
  const unsigned threads = engine_options_.usable_threads();
  const bool has_pieces = job.mode.has_parts || job.mode.streams();
  if (!has_pieces) return threads;
  return threads > kEnough ? kEnough : 1;
}

/// A forced engine of the CPU that is as fast as the one of automatic choice shares pieces as that does, and
/// so does automatic choice where a file is long and there is no GPU for it.
warpaes::Context RawCommand::context_for(const RawJob& job, const InputFile& input) const {
  const unsigned threads = threads_on_a_piece(job);
  CpuFirst cpu(engine_options_, threads);
  if (const warpaes::Context* const of_cpu = cpu.context_for(input.size())) return *of_cpu;
  warpaes::ContextOptions options = engine_options_.context_options();
  warpaes::Context context(options);
  const bool is_cpus = engine_options_.forced() || warpaes::devices().empty();
  if (!is_cpus || context.engine(kRawPiece) != CpuFirst::kEngine) return context;
  options.engine = CpuFirst::kEngine;
  options.threads = threads;
  return warpaes::Context(options);
}

ExitCode RawCommand::run() {
  install_interrupt_handlers();
  check_usage();
  claim_path(file_, "the data");
  RawJob job = raw_options_.job();
  const SecretKey key = key_options_.read(job.mode.key_lengths);
  if (job.mode.caution != nullptr && !report_options_.quiet) {
    print_warning(fmt::format("{} {}", job.mode.name, job.mode.caution));
  }
  work_on_file(file_, [&] { work(job, key); });
  return ExitCode::done;
}

void RawCommand::work(RawJob& job, const SecretKey& key) {
  InputFile input(file_, direct_);
  take_tag(job, input);
  const Stopwatch stopwatch;
  const warpaes::Context context = context_for(job, input);
  RunReport total;
  total.setup_seconds = stopwatch.seconds();
  const FileReport report = process(job, context, key, input);
  print_file_report(report, job.encrypts() ? "encrypted" : "decrypted", report_options_);
  total.add(report);
  print_summary(total, "raw", report_options_);
}

FileReport RawCommand::process(RawJob& job, const warpaes::Context& context, const SecretKey& key,
                               InputFile& input) {
  // Of a file that seems to be empty, as those of /proc do, the length is known when it has been read.
  if (input.size().value_or(0) != 0) require_length(job, shown(input.name()), *input.size());
  const warpaes::Cipher cipher(context, job.working_mode(), key.bytes());
  job.threads = engine_options_.usable_threads();
  // Modes with a tag are the CPU's in parts.
  job.on_device =
      job.mode.streams() && std::string_view(cipher.engine(job.direction, kRawPiece)).starts_with("cuda/");
  const Stopwatch stopwatch;
  FileReport report;
  report.input = file_;
  report.output = output_options_.output;
  const bool bar_wanted = !report_options_.quiet && !report_options_.no_progress && terminal_has_bars();
  Delivery delivery = delivery_to(report.output);
  delivery.to_terminal = !job.encrypts();
  delivery.direct = direct_;
  delivery.beside = &tag_output_;
  delivery.bytes = input.size();
  report.sync_seconds = deliver(delivery, input, [&](ByteSink& to) {
    ProgressBar bar(bar_wanted, shown(input.name()), input.size());
    report.plaintext_bytes =
        run_raw(job, context, cipher, key.bytes(), input, to, [&](uint64_t done) { bar.update(done); });
  });
  report.engine = cipher.engine(job.direction, std::min<uint64_t>(report.plaintext_bytes, kRawPiece));
  report.seconds = stopwatch.seconds();
  return report;
}

}  // namespace

void register_raw(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added = app.add_subcommand(
      "raw", "Encrypt or decrypt with a mode of AES as it is, without a file format: for other programs");
  const auto command = std::make_shared<RawCommand>();
  command->add_to(*added);
  added->callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace warpaes::cli
