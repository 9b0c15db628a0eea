#include "key_options.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "claimed_descriptors.hpp"
#include "failure_report.hpp"
#include "key_text.hpp"
#include "option_checks.hpp"
#include "secret_file.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kKeyVariable = "WARPAES_KEY";
constexpr const char* kKeyFileVariable = "WARPAES_KEY_FILE";

using Form = SecretKey (KeyText::*)(std::span<const uint8_t> text, const std::string& name) const;

SecretKey read_key(int fd, const std::string& name, KeyLengths lengths, Form form) {
  SecretBytes text(KeyText::kMostBytes);
  text.shrink(read_fully(fd, text.bytes(), name));
  return (KeyText(lengths).*form)(text.bytes(), name);
}

SecretKey read_key_file(const std::string& path, bool insecure, KeyLengths lengths,
                        Form form = &KeyText::in_any_form) {
  const FileDescriptor file = open_secret_file(path, "key file", insecure);
  return read_key(file.get(), "key file " + shown(path), lengths, form);
}

std::span<const uint8_t> bytes_of(const char* text) {
  return {reinterpret_cast<const uint8_t*>(text), std::strlen(text)};
}

/// Takes the key out of the environment, where /proc would show it as long as the process runs.
SecretKey take_key_variable(char* value, KeyLengths lengths) {
  SecretKey key = KeyText(lengths).in_digits(bytes_of(value), std::string("$") + kKeyVariable);
  OPENSSL_cleanse(value, std::strlen(value));
  unsetenv(kKeyVariable);
  return key;
}

}  // namespace

void KeyOptions::add_to(CLI::App& command) {
  auto* const file = command.add_option("-k,--key-file", file_, "The key: raw bytes, or hexadecimal digits")
                         ->check(not_empty())
                         ->option_text("FILE");
  command.add_option("--key-fd", descriptor_, "Read the key from this open file descriptor")
      ->transform(descriptor())
      ->excludes(file)
      ->option_text("NUMBER");
  command.add_flag("--insecure-key-file", insecure_,
                   "Use files of keys and passphrases that other users can read");
  command.footer(
      fmt::format("Without an option that names it, the key comes from the file that ${} names, or "
                  "from ${} as hexadecimal digits.\n\n{}",
                  kKeyFileVariable, kKeyVariable, command.get_footer()));
}

void KeyOptions::add_new_to(CLI::App& command) {
  command
      .add_option("--new-key-file", file_, "The key that takes its place: raw bytes, or hexadecimal digits")
      ->check(not_empty())
      ->option_text("FILE");
}

void KeyOptions::add_all_to(CLI::App& command) {
  add_to(command);
  auto* const hex_file =
      command.add_option("--key-hex-file", hex_file_, "The key: hexadecimal digits and nothing else")
          ->check(not_empty())
          ->option_text("FILE");
  auto* const hex = command
                        .add_option("--key-hex", hex_,
                                    "The key in hexadecimal digits, where every user of this machine can "
                                    "read it")
                        ->check(not_empty())
                        ->option_text("DIGITS");
  for (const char* other : {"--key-file", "--key-fd"}) {
    hex_file->excludes(command.get_option(other));
    hex->excludes(command.get_option(other));
  }
  hex->excludes(hex_file);
}

bool KeyOptions::given() const {
  return named() || std::getenv(kKeyFileVariable) || std::getenv(kKeyVariable);
}

SparedFiles KeyOptions::files() const {
  SparedFiles files;
  const char* const variable = std::getenv(kKeyFileVariable);
  for (const std::string& file : {file_, hex_file_, std::string(variable ? variable : "")}) {
    if (!file.empty()) files.add_path(file, "the key");
  }
  if (descriptor_ >= 0) files.add_descriptor(descriptor_, "the key");
  return files;
}

SecretKey KeyOptions::read(KeyLengths lengths) const {
  if (!file_.empty()) return read_key_file(file_, insecure_, lengths);
  if (!hex_file_.empty()) return read_key_file(hex_file_, insecure_, lengths, &KeyText::in_digits);
  if (descriptor_ >= 0) {
    claim_descriptor(descriptor_, "the key");
    return read_key(descriptor_, fmt::format("file descriptor {}", descriptor_), lengths,
                    &KeyText::in_any_form);
  }
  if (!hex_.empty()) {
    print_warning("--key-hex: every user of this machine can read the command line, and so this key");
    return KeyText(lengths).in_digits(bytes_of(hex_.c_str()), "--key-hex");
  }
  const char* const file = std::getenv(kKeyFileVariable);
  char* const key = std::getenv(kKeyVariable);
  if (file && key) {
    throw Refusal(ExitCode::usage, fmt::format("both ${} and ${} are set", kKeyFileVariable, kKeyVariable),
                  "unset one of them, or name a key with --key-file");
  }
  if (file && *file == '\0') {
    throw Refusal(ExitCode::usage, fmt::format("${} is empty", kKeyFileVariable),
                  "it names the key's file, as --key-file does; unset it, if there is none");
  }
  if (file) return read_key_file(file, insecure_, lengths);
  if (key) return take_key_variable(key, lengths);
  throw Refusal(ExitCode::usage, "no key", "--key-file FILE; " + KeyText(lengths).hint());
}

}  // namespace warpaes::cli
