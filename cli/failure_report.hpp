// How a failure reaches the user: everything that can go wrong is told as a Complaint (exit code,
// sentence, what to do about it), and this is the only place that makes one from an exception.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "byte_range.hpp"
#include "exit_code.hpp"

namespace warpaes::cli {

struct Complaint {
  ExitCode code = ExitCode::error;
  std::string message;
  std::string hint;                  // empty: nothing to advise
  std::optional<uint64_t> chunk;     // container: where it is damaged or ends
  std::optional<uint64_t> offset;    // in the container, in bytes
  std::string file = {};             // that it is about; empty if the caller knows, or there is none
  std::string output = {};           // --salvage: the file that is there all the same
  std::vector<ByteRange> lost = {};  // of its bytes
  bool ends_run = false;             // every other file would fail for the same reason
};

/// A complaint on its way up to main.
class Refusal : public std::exception {
 public:
  explicit Refusal(Complaint complaint) : complaint_(std::move(complaint)) {}
  Refusal(ExitCode code, std::string message, std::string hint = {});
  const Complaint& complaint() const noexcept { return complaint_; }
  const char* what() const noexcept override { return complaint_.message.c_str(); }

 private:
  Complaint complaint_;
};

/// Makes a complaint of the exception being handled; `subject` (a file's name, or "") goes before its
/// message.
Complaint complaint_of_current_exception(const std::string& subject);

/// The complaint of a run that a signal ended.
Complaint interrupted_complaint();

/// Has `work` work on a file, which its complaints name, for --json as well.
void work_on_file(const std::string& file, const std::function<void()>& work);

/// The hint for a container with something appended. @param bytes that the file should have
std::string hint_at_cut(uint64_t bytes);

/// What complaints about options give as a hint from then on: the --help of the command that was typed,
/// "warpaes kdf scrypt".
void hint_at_help_of(const std::string& command);

/// "warpaes: error: …" and "warpaes: hint: …" on stderr.
void print_complaint(const Complaint& complaint);

/// "warpaes: warning: …" on stderr.
void print_warning(const std::string& message);

/// A complaint as a line of --json. `type` is "error" for the last line of a run, "file_error" for one of
/// several files; `file` may be "".
std::string json_line_of(const Complaint& complaint, const char* type, const std::string& file);
void print_complaint_json(const Complaint& complaint, const char* type, const std::string& file);

}  // namespace warpaes::cli
