#include "failure_report.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>

#include "container_rejection.hpp"
#include "interrupt.hpp"
#include "json_lines.hpp"
#include "progress_bar.hpp"
#include "shown_name.hpp"
#include "standard_streams.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::cli {
namespace {

std::string help_of_command;  // "warpaes kdf scrypt --help"

struct StatusRow {
  Status status;
  ExitCode code;
  const char* hint;
  const char* message = nullptr;  // instead of the library's, which knows less
};

/// What statuses mean where a container is read.
constexpr StatusRow kRejections[] = {
    {WARPAES_ERROR_CONTAINER_KEY, ExitCode::wrong_key,
     "it takes the key and the --context that it was encrypted with; if these are the ones, the first 56 "
     "bytes "
     "of the file are damaged",
     "wrong key, wrong --context, or no .wa file"},
    {WARPAES_ERROR_TRUNCATED, ExitCode::truncated, "copy or download the file again: its end is missing"},
    {WARPAES_ERROR_TRAILING_DATA, ExitCode::damaged, ""},  // hint_at_cut()
    {WARPAES_ERROR_AUTHENTICATION, ExitCode::damaged,
     "get another copy of the file; it was changed after it was encrypted"},
    {WARPAES_ERROR_LENGTH, ExitCode::damaged, ""},
};

/// What statuses mean everywhere else.
constexpr StatusRow kStatuses[] = {
    {WARPAES_ERROR_OPTION, ExitCode::usage, nullptr},  // the command's help
    {WARPAES_ERROR_UNKNOWN_ENGINE, ExitCode::no_engine, "`warpaes engines` lists them"},
    {WARPAES_ERROR_ENGINE_UNAVAILABLE, ExitCode::no_engine,
     "`warpaes engines` says what can run here and how strict its timing is; without --engine the best one "
     "is chosen"},
    {WARPAES_ERROR_NO_DEVICE, ExitCode::no_engine, "`warpaes devices` lists them"},
    {WARPAES_ERROR_UNSUPPORTED, ExitCode::no_engine, "`warpaes engines` says what each can do"},
    {WARPAES_ERROR_SELF_TEST, ExitCode::no_engine,
     "this engine computes wrongly here and is not used; choose another with --engine"},
    {WARPAES_ERROR_AUTHENTICATION, ExitCode::damaged,
     "the key, the nonce and the additional data must be those of the encryption; else the data was changed"},
    {WARPAES_ERROR_PADDING, ExitCode::damaged,
     "it was encrypted with another key, or in another mode (try --no-padding), or the data was changed"},
    {WARPAES_ERROR_CUDA, ExitCode::error,
     "without --engine and --device, the CPU takes over when a GPU fails"},
    {WARPAES_ERROR_DEVICE_MEMORY, ExitCode::error,
     "free memory of the GPU, or leave out --engine to let the CPU take over"},
    {WARPAES_ERROR_FILE, ExitCode::error, "$XDG_CACHE_HOME can name a folder that may be written to"},
};

struct ErrnoRow {
  int error;
  ExitCode code;
  const char* hint;
};

constexpr ErrnoRow kErrnos[] = {
    {ENOENT, ExitCode::not_found, ""},
    {ENOSPC, ExitCode::error, "free some space"},
    {EDQUOT, ExitCode::error, "the quota is used up"},
    {EMFILE, ExitCode::error, "the limit of open files (ulimit -n) is too low"},
    {EFBIG, ExitCode::error, "the file size limit (ulimit -f) is too low"},
};

Complaint complaint_of(const Rejected& rejected) {
  for (const StatusRow& row : kRejections) {
    if (row.status != rejected.status()) continue;
    Complaint complaint{row.code, row.message ? row.message : rejected.what(), row.hint, {}, {}};
    if (row.code != ExitCode::wrong_key) {
      complaint.chunk = rejected.chunk();
      complaint.offset = rejected.offset();
    }
    if (row.status == WARPAES_ERROR_TRAILING_DATA) complaint.hint = hint_at_cut(rejected.offset());
    return complaint;
  }
  return {ExitCode::damaged, rejected.what(), {}, {}, {}};
}

Complaint complaint_of(Status status, const char* message) {
  for (const StatusRow& row : kStatuses) {
    if (row.status == status) return {row.code, message, row.hint ? row.hint : help_of_command, {}, {}};
  }
  return {ExitCode::error, message, {}, {}, {}};
}

Complaint complaint_of(const std::system_error& error) {
  for (const ErrnoRow& row : kErrnos) {
    if (row.error == error.code().value()) return {row.code, error.what(), row.hint, {}, {}};
  }
  return {ExitCode::error, error.what(), {}, {}, {}};
}

}  // namespace

std::string hint_at_cut(uint64_t bytes) {
  return fmt::format(
      "something was appended; what lies before is intact: `truncate -s {}` on a copy takes it off", bytes);
}

void hint_at_help_of(const std::string& command) { help_of_command = command + " --help"; }

Refusal::Refusal(ExitCode code, std::string message, std::string hint)
    : complaint_{code, std::move(message), std::move(hint), {}, {}} {}

Complaint interrupted_complaint() { return {ExitCode::interrupted, "interrupted", {}, {}, {}}; }

Complaint complaint_of_current_exception(const std::string& subject) {
  Complaint complaint;
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refusal.complaint();  // names its file itself
  } catch (const Interrupted&) {
    return interrupted_complaint();
  } catch (const Rejected& rejected) {
    complaint = complaint_of(rejected);
  } catch (const Error& error) {
    complaint = complaint_of(error.status(), error.what());
    // The others are of an engine or a device, not of a file.
    if (complaint.code != ExitCode::damaged) return complaint;
  } catch (const std::system_error& error) {
    return complaint_of(error);  // names its file itself
  } catch (const std::bad_alloc&) {
    complaint.message = "out of memory";
  } catch (const std::exception& exception) {
    complaint.message = exception.what();
  }
  if (!subject.empty()) complaint.message = subject + ": " + complaint.message;
  return complaint;
}

void work_on_file(const std::string& file, const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    Complaint complaint = complaint_of_current_exception(shown_input(file));
    complaint.file = file;
    throw Refusal(complaint);
  }
}

void print_complaint(const Complaint& complaint) {
  tell("warpaes: error: {}\n", without_controls(complaint.message));
  if (!complaint.hint.empty()) tell("warpaes: hint: {}\n", without_controls(complaint.hint));
}

void print_warning(const std::string& message) {
  tell("{}warpaes: warning: {}\n", taking_bar_away(), without_controls(message));
}

std::string json_line_of(const Complaint& complaint, const char* type, const std::string& file) {
  JsonObject line = {{"type", type},
                     {"code", static_cast<int>(complaint.code)},
                     {"error", exit_code_name(complaint.code)},
                     {"message", complaint.message}};
  if (!complaint.hint.empty()) line["hint"] = complaint.hint;
  if (const std::string& name = file.empty() ? complaint.file : file; !name.empty()) line["file"] = name;
  if (complaint.chunk) line["chunk"] = *complaint.chunk;
  if (complaint.offset) line["offset"] = *complaint.offset;
  if (!complaint.output.empty()) {
    line["output"] = complaint.output;
    line["lost"] = JsonObject::array();
    for (const ByteRange& range : complaint.lost) {
      line["lost"].push_back({{"offset", range.offset}, {"bytes", range.bytes}});
    }
  }
  return json_line(line);
}

void print_complaint_json(const Complaint& complaint, const char* type, const std::string& file) {
  const std::string line = json_line_of(complaint, type, file);
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

}  // namespace warpaes::cli
