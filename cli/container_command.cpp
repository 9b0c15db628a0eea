#include "container_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <utility>

#include "claimed_descriptors.hpp"
#include "container_options.hpp"
#include "container_rejection.hpp"
#include "delivery.hpp"
#include "failure_report.hpp"
#include "file_clashes.hpp"
#include "file_report.hpp"
#include "foreign_format.hpp"
#include "input_removal.hpp"
#include "interrupt.hpp"
#include "output_group.hpp"
#include "rejection_behind_header.hpp"
#include "run_failures.hpp"
#include "run_progress.hpp"
#include "salvage_report.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

/// The length of both headers, that of a passphrase and the container's.
constexpr size_t kBothHeaders = WARPAES_PASSPHRASE_HEADER_LENGTH + sizeof(ContainerHeader);
static_assert(kBothHeaders >= kForeignBeginning);

/// From this number on, a line for each file would hide what matters.
constexpr size_t kManyFiles = 20;

class ContainerCommand {
 public:
  explicit ContainerCommand(const ContainerVerb& verb) : verb_(verb) {}

  void add_to(CLI::App& command) { options_.add_to(command, verb_, keys_, new_keys_); }
  ExitCode run();

 private:
  struct File {
    size_t index;
    InputFile input;
    FileReport report;
    FileSecret secret;
    FileSecret new_secret;  // of rekey
    std::vector<uint8_t> beginning;
    PassResult found;  // by --salvage
    double setup_seconds;
  };

  void prepare_keys();
  void refuse_before_question();
  void tell_that_none_is_there() const;
  void work_on_files();
  void work_on(size_t index);
  std::unique_ptr<OutputFile> process(File& file);
  std::string output_name_of(const ListedFile& file) const;
  std::vector<PlannedFile> planned() const;
  SparedFiles secrets() const;
  void work(File& file, ByteSink* to);
  bool is_beside() const { return options_.output.output.empty() && options_.output_folder.empty(); }
  bool replaces_inputs() const { return verb_.rekeys && is_beside(); }
  FilePlace output_place(const File& file) const;
  Delivery delivery_of(const File& file) const;
  FileResult work_with_options(const FileWork& work) const;
  [[noreturn]] void refuse(const File& file, const Rejected& rejected) const;
  void finish(const std::shared_ptr<File>& file, size_t index, const std::exception_ptr& failure);
  void succeeded(const File& file);
  ExitCode conclude(double seconds);

  const ContainerVerb& verb_;
  ContainerOptions options_;
  ContainerKeys keys_, new_keys_;
  std::optional<ContainerEngines> engines_;
  std::optional<OutputGroup> group_;
  std::optional<RunProgress> progress_;
  std::optional<RunFailures> failures_;
  std::vector<ListedFile> files_;
  unsigned threads_per_file_ = 1;

  std::atomic<size_t> next_ = 0;
  // Of finish(), which one thread calls at a time.
  RunReport total_;
};

ExitCode ContainerCommand::run() {
  if (options_.writes_to_standard_output(verb_)) {
    require_no_standard_output(secrets());
    for (const std::string& file : options_.files) require_no_standard_output(file);
  }
  options_.check(verb_);
  install_interrupt_handlers();
  (void)default_file_mode();  // asked for once, before there are other threads
  for (const std::string& file : options_.files) claim_path(file, "the data");
  files_ = options_.listed(verb_);
  if (keys_.asks() || new_keys_.asks()) refuse_before_question();
  prepare_keys();
  // In a folder: a file of that name was refused above.
  if (options_.report.json) leave_out_standard_output(files_);
  if (verb_.rekeys || (verb_.writes && options_.output.force)) require_different_files(planned());
  if (options_.remove) require_no_secret_among(files_, secrets());
  if (files_.empty()) tell_that_none_is_there();
  if (files_.size() == 1 || !verb_.writes) keys_.end_at_once();
  engines_.emplace(options_.engine);
  group_.emplace(!options_.no_sync, engines_->threads());
  const ReportOptions& report = options_.report;
  const bool bar_wanted = !report.quiet && !report.no_progress && terminal_has_bars();
  const auto bytes = bar_wanted ? sum_of_sizes(files_, verb_.plaintext_bytes) : std::nullopt;
  failures_.emplace(files_.size(), report.json);
  progress_.emplace(bar_wanted, files_.size(), bytes);
  const Stopwatch stopwatch;
  work_on_files();
  group_->flush();
  progress_->clear();
  return conclude(stopwatch.seconds());
}

/// To have encrypted all of no files is no mistake; to have verified none may be taken for a success.
void ContainerCommand::tell_that_none_is_there() const {
  const std::string message = fmt::format("there are no files to be {}", verb_.past);
  if (verb_.encrypts) return print_warning(message);
  throw Refusal(ExitCode::not_found, message, fmt::format("-r takes files whose names end in {}", kSuffix));
}

void ContainerCommand::prepare_keys() {
  if (verb_.encrypts) {
    keys_.prepare_to_encrypt();
    return;
  }
  if (verb_.rekeys) {
    new_keys_.require_room_for_context(keys_);
    keys_.ask_by("Old passphrase: ");
    new_keys_.ask_by("New passphrase: ");
  }
  keys_.prepare_to_decrypt();
  if (!verb_.rekeys) return;
  // The environment has the old key: the new one is never meant by it.
  if (!new_keys_.named_by_option()) {
    if (new_keys_.context_given()) return;  // the key or the passphrase stays
    throw Refusal(ExitCode::usage, "no new key",
                  "--new-key-file FILE, or --new-passphrase; or --new-context TEXT under the old one");
  }
  new_keys_.be_as_insecure_as(keys_);
  // Only a file may say that it has a passphrase, which is then asked for before the new one is.
  if (keys_.known() || !new_keys_.asks()) new_keys_.prepare_to_encrypt();
}

/// Nobody should think of a passphrase, or type one, for a file that cannot be worked on. Of several, each
/// fails by itself. A pipe is not opened twice.
void ContainerCommand::refuse_before_question() {
  struct stat status = {};
  if (files_.size() != 1 || is_standard_stream(files_[0].path)) return;
  const FilePlace place = place_of(files_[0]);
  options_.refuse_folder(verb_, files_[0].path);
  if (place.status(status) && !S_ISREG(status.st_mode)) return;
  File file{0, InputFile(place, options_.direct), {}, {}, {}, {}, {}, 0};
  options_.refuse_container(verb_, files_[0].path);
  if (!verb_.writes || !options_.output_folder.empty()) return;
  file.report.output = output_name_of(files_[0]);
  try_output(delivery_of(file), file.input);
}

/// Several files at a time; what is left of the threads shares each file.
void ContainerCommand::work_on_files() {
  const bool ordered = std::ranges::any_of(
      files_, [&](const ListedFile& file) { return verb_.writes && options_.to_standard_output(file.path); });
  const unsigned threads = engines_->threads();
  const auto at_a_time = std::clamp<size_t>(ordered ? 1 : files_.size(), 1, group_->threads());
  threads_per_file_ = static_cast<unsigned>(threads / at_a_time);
  const auto take_files = [this] {
    while (!failures_->over()) {
      const size_t index = next_.fetch_add(1);
      if (index >= files_.size()) return;
      work_on(index);
    }
  };
  std::vector<std::jthread> others;
  try {
    for (size_t i = 1; i < at_a_time; i++) others.emplace_back(take_files);
  } catch (const std::system_error&) {
    // No more threads are to be had: those that there are do all of it.
  }
  take_files();
}

void ContainerCommand::work_on(size_t index) {
  std::shared_ptr<File> file;
  FinishedFile finished{index, nullptr};
  try {
    const FilePlace place = place_of(files_[index]);
    if (options_.remove) require_removable(place);
    options_.refuse_folder(verb_, files_[index].path);
    file = std::make_shared<File>(File{index, InputFile(place, options_.direct), {}, {}, {}, {}, {}, 0});
    options_.refuse_container(verb_, files_[index].path);
    const char* const going = options_.remove ? "removed" : replaces_inputs() ? "replaced" : nullptr;
    if (going != nullptr) require_no_writers(file->input, going);
    finished.file = process(*file);
    finished.bytes = file->report.plaintext_bytes;
    file->input.close();  // the output waits for others
  } catch (...) {
    finished.failure = std::current_exception();
    failures_->end_if_last(complaint_of_current_exception(shown_input(files_[index].path)));
  }
  finished.tell = [this, file, index](const std::exception_ptr& failure) { finish(file, index, failure); };
  group_->add(std::move(finished));
}

/// @return the output, if it is a file
std::unique_ptr<OutputFile> ContainerCommand::process(File& file) {
  file.report.input = files_[file.index].path;
  if (verb_.writes) {
    file.report.output = output_name_of(files_[file.index]);
    const std::string& folder = options_.output_folder;
    if (!folder.empty()) make_folders_for(files_[file.index], folder, !options_.no_sync);
  }
  if (verb_.encrypts) {
    file.secret = keys_.for_new_file();
  } else {
    const auto beginning = file.input.peek(kBothHeaders);
    file.beginning.assign(beginning.begin(), beginning.end());
    const bool will_ask = !keys_.known() && files_.size() == 1 && has_passphrase_header(file.input);
    if (will_ask && verb_.writes) try_output(delivery_of(file), file.input);
    file.secret = keys_.for_file(file.input);
    if (verb_.rekeys) file.new_secret = new_keys_.for_renewed(file.secret);
  }
  const Stopwatch stopwatch;  // of the work: the key is there
  const std::function<void(ByteSink&)> write = [&](ByteSink& to) { work(file, &to); };
  std::unique_ptr<OutputFile> output;
  if (!verb_.writes) {
    work(file, nullptr);
  } else if (is_standard_stream(file.report.output)) {
    to_standard_output(delivery_of(file), file.input, write);
  } else {
    output = make_file(delivery_of(file), file.input, write);
  }
  file.report.seconds = stopwatch.seconds() - file.setup_seconds;
  return output;
}

std::string ContainerCommand::output_name_of(const ListedFile& file) const {
  if (!options_.output.output.empty()) return options_.output.output;
  if (replaces_inputs()) return file.folder == nullptr ? name_in_place(file.path) : file.path;
  if (!is_standard_stream(file.path)) require_name_of_file(file.path);
  std::string beside = verb_.output_name(file.path);  // refuses a name by which the user knows it
  if (options_.output_folder.empty() || is_standard_stream(file.path)) return beside;
  return verb_.output_name((std::filesystem::path(options_.output_folder) / file.below).string());
}

/// A file that has no output is left out: it fails by itself, and the others do not.
std::vector<PlannedFile> ContainerCommand::planned() const {
  std::vector<PlannedFile> files;
  for (const ListedFile& file : files_) {
    try {
      const std::string output = output_name_of(file);
      if (!is_standard_stream(output)) files.push_back({file.path, output});
    } catch (const std::exception&) {
      continue;
    }
  }
  return files;
}

SparedFiles ContainerCommand::secrets() const {
  SparedFiles files = keys_.files();
  files.add(new_keys_.files());
  return files;
}

/// An output beside its input is in the same folder, whatever leads there by now.
FilePlace ContainerCommand::output_place(const File& file) const {
  const FilePlace& input = file.input.place();
  return is_beside() && input.is_held() ? input.beside(file.report.output) : FilePlace(file.report.output);
}

Delivery ContainerCommand::delivery_of(const File& file) const {
  Delivery delivery{.output = output_place(file),
                    .force = options_.output.force,
                    .replaces_input = replaces_inputs(),
                    .sync = !options_.no_sync,
                    .direct = options_.direct,
                    .to_terminal = verb_.to_terminal,
                    .has_stream = !verb_.rekeys,
                    .bytes = std::nullopt,
                    .spared = secrets()};
  const bool to_folder = options_.takes_several() || !options_.output_folder.empty();
  if (to_folder) delivery.elsewhere = "--output-folder names another place";
  if (file.input.size() && options_.range_text.empty()) {
    delivery.bytes =
        verb_.output_bytes(*file.input.size()) + (verb_.encrypts ? file.secret.header.size() : 0);
  }
  return delivery;
}

FileResult ContainerCommand::work_with_options(const FileWork& work) const {
  if (work.range) return decrypt_range(work);
  if (options_.salvage) return salvage_file(work);
  return verb_.work(work);
}

/// @param to null: nowhere
void ContainerCommand::work(File& file, ByteSink* to) {
  const InputFile& input = file.input;
  progress_->begin(shown(input.name()), options_.plaintext_bytes(verb_, input));
  uint64_t before = 0;
  FileResult result;
  try {
    result = work_with_options({.engines = *engines_,
                                .secret = file.secret,
                                .from = file.input,
                                .to = to,
                                .threads = threads_per_file_,
                                .progress =
                                    [&](uint64_t done) {
                                      throw_if_interrupted();
                                      progress_->advance(done - std::exchange(before, done));
                                    },
                                .check = options_.output_check,
                                .range = options_.range(),
                                .new_secret = verb_.rekeys ? &file.new_secret : nullptr});
  } catch (const Rejected& rejected) {
    refuse(file, rejected);
  }
  progress_->end_file();
  file.report.plaintext_bytes = result.plaintext_bytes;
  file.report.engine = result.engine;
  file.setup_seconds = result.setup_seconds;
  file.found = std::move(result);
}

/// What no key opens may be another program's file.
void ContainerCommand::refuse(const File& file, const Rejected& rejected) const {
  const bool wrong_key = rejected.status() == WARPAES_ERROR_CONTAINER_KEY;
  // The key is tried as soon as the container's header is there, whatever else is missing.
  const bool opened =
      !wrong_key && file.beginning.size() >= file.secret.header.size() + sizeof(ContainerHeader);
  if (!opened) require_own_format(file.beginning, file.input.name());
  if (file.secret.header.empty()) throw;
  throw Refusal(complaint_behind_header(rejected, shown(file.input.name()), file.secret.header.size()));
}

/// The file has its name now, or will not get it.
void ContainerCommand::finish(const std::shared_ptr<File>& file, size_t index,
                              const std::exception_ptr& failure) {
  const std::string& path = files_[index].path;
  progress_->clear();
  try {
    if (failure) std::rethrow_exception(failure);
    require_sound(file->found, file->input.name(), file->report.output);
    succeeded(*file);
  } catch (...) {
    failures_->add(complaint_of_current_exception(shown_input(path)), path);
  }
}

void ContainerCommand::succeeded(const File& file) {
  if (options_.remove) remove_input(file.input);
  if (files_.size() <= kManyFiles || options_.report.json) {
    print_file_report(file.report, verb_.past, options_.report);
  }
  total_.add(file.report);
}

ExitCode ContainerCommand::conclude(double seconds) {
  if (const std::optional<ExitCode> ended = failures_->tell_last()) return *ended;
  if (const size_t failed = failures_->told(); failed != 0) {
    throw Refusal(ExitCode::some_failed, fmt::format("{} of {} files failed", failed, files_.size()));
  }
  total_.setup_seconds = engines_->setup_seconds();
  total_.sync_seconds = group_->sync_seconds();
  total_.seconds = std::max(seconds - total_.setup_seconds, total_.sync_seconds);
  print_summary(total_, verb_.name, options_.report);
  if (files_.size() > kManyFiles && !options_.report.json && !options_.report.quiet) {
    FileReport all;
    static_cast<Figures&>(all) = total_;
    all.input = fmt::format("{} files", total_.files);
    print_file_report(all, verb_.past, options_.report);
  }
  return ExitCode::done;
}

}  // namespace

void register_container_verb(CLI::App& app, ExitCode& exit_code, const ContainerVerb& verb) {
  CLI::App* const added = app.add_subcommand(verb.name, verb.description);
  const auto command = std::make_shared<ContainerCommand>(verb);
  command->add_to(*added);
  added->callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace warpaes::cli
