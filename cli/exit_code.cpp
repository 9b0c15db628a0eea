#include "exit_code.hpp"

namespace warpaes::cli {
namespace {

constexpr ExitCodeRow kTable[] = {
    {ExitCode::done, "done", "done"},
    {ExitCode::error, "error", "error: bad input, no permission, no space, a CUDA failure"},
    {ExitCode::usage, "usage", "the command line makes no sense"},
    {ExitCode::some_failed, "some_failed", "some or all of several files failed, the others are done"},
    {ExitCode::no_engine, "no_engine", "no such engine or device, or it cannot run here"},
    {ExitCode::not_found, "not_found", "a file, or a lesson, does not exist"},
    {ExitCode::wrong_key, "wrong_key", "wrong key, passphrase or context, or no .wa file"},
    {ExitCode::damaged, "damaged", "damaged: authentication failed"},
    {ExitCode::truncated, "truncated", "truncated: the end of the file is missing"},
    {ExitCode::interrupted, "interrupted", "interrupted"},
};

}  // namespace

std::span<const ExitCodeRow> exit_code_table() { return kTable; }

const char* exit_code_name(ExitCode code) {
  for (const ExitCodeRow& row : kTable) {
    if (row.code == code) return row.name;
  }
  return "unknown";
}

}  // namespace warpaes::cli
