#include "secret_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "claimed_descriptors.hpp"
#include "failure_report.hpp"
#include "option_checks.hpp"
#include "passphrase_prompt.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kMostSecretBytes = 1 << 16;

}  // namespace

void SecretOptions::add_to(CLI::App& command, const std::string& name, Kind kind,
                           const std::string& description) {
  name_ = name;
  kind_ = kind;
  auto* const file =
      command.add_option("--" + name + "-file", file_, description)->check(not_empty())->option_text("FILE");
  command.add_option("--" + name + "-fd", descriptor_, "The same, from this open file descriptor")
      ->transform(descriptor())
      ->excludes(file)
      ->option_text("NUMBER");
}

SparedFiles SecretOptions::files(const char* holds) const {
  SparedFiles files;
  if (!file_.empty()) files.add_path(file_, holds);
  if (descriptor_ >= 0) files.add_descriptor(descriptor_, holds);
  return files;
}

SecretBytes SecretOptions::read(bool insecure, Passphrase kind) const {
  if (!file_.empty()) {
    const std::string what = name_ + " file";
    const FileDescriptor file = open_secret_file(file_, what, insecure);
    const std::string source = what + " " + shown(file_);
    return checked(read_secret(file.get(), source, kMostSecretBytes), source);
  }
  if (descriptor_ >= 0) {
    claim_descriptor(descriptor_, name_ == "new-passphrase" ? "the new passphrase" : "the " + name_);
    const std::string source = fmt::format("file descriptor {}", descriptor_);
    return checked(read_secret(descriptor_, source, kMostSecretBytes), source);
  }
  if (kind_ == Kind::passphrase) return checked(ask_for_passphrase(kind, prompt_, name_), "the passphrase");
  throw Refusal(ExitCode::usage, "no " + name_, fmt::format("--{0}-file FILE, or --{0}-fd NUMBER", name_));
}

SecretBytes SecretOptions::checked(SecretBytes secret, const std::string& source) const {
  if (kind_ == Kind::passphrase) {
    secret.shrink(without_line_end(std::as_const(secret).bytes()).size());
    // Others would take the first line, or all: whoever means one of the two should not get the other.
    if (std::ranges::find(secret.bytes(), '\n') != secret.bytes().end()) {
      throw Refusal(ExitCode::error, source + " holds more than one line", "a passphrase is one line");
    }
  }
  if (secret.size() == 0) throw Refusal(ExitCode::error, source + " is empty");
  return secret;
}

}  // namespace warpaes::cli
