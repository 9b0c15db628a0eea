#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "container_command.hpp"
#include "container_rejection.hpp"
#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

std::string without_suffix(const std::string& input) {
  if (is_standard_stream(input)) return input;
  constexpr std::string_view suffix = kSuffix;
  const size_t slash = input.rfind('/');
  const size_t name_at = slash == std::string::npos ? 0 : slash + 1;
  if (!is_container_name(input) || input.size() - name_at == suffix.size()) {
    const bool nothing_else = is_container_name(input);
    throw Refusal(ExitCode::usage,
                  fmt::format("{} {} {}, so the output has no name", shown(input),
                              nothing_else ? "has nothing before its" : "does not end in", suffix),
                  "-o FILE, or -o - for standard output");
  }
  const std::string output = input.substr(0, input.size() - suffix.size());
  return is_standard_stream(output) ? "./" + output : output;  // "-.wa" is the name of a file, and so is "-"
}

uint64_t plaintext_of(uint64_t container_bytes) { return layout_of(container_bytes).plaintext_bytes; }

}  // namespace

void register_decrypt(CLI::App& app, ExitCode& exit_code) {
  static constexpr ContainerVerb kVerb = {
      .name = "decrypt",
      .description = "Check and decrypt files: FILE.wa becomes FILE",
      .past = "decrypted",
      .writes = true,
      .to_terminal = true,
      .encrypts = false,
      .rekeys = false,
      .output_name = without_suffix,
      .plaintext_bytes = plaintext_of,
      .output_bytes = plaintext_of,
      .work = decrypt_file,
  };
  register_container_verb(app, exit_code, kVerb);
}

void register_verify(CLI::App& app, ExitCode& exit_code) {
  static constexpr ContainerVerb kVerb = {
      .name = "verify",
      .description = "Check that files are whole and right, without writing anything",
      .past = "verified",
      .writes = false,
      .to_terminal = true,
      .encrypts = false,
      .rekeys = false,
      .output_name = nullptr,
      .plaintext_bytes = plaintext_of,
      .output_bytes = nullptr,
      .work = decrypt_file,
  };
  register_container_verb(app, exit_code, kVerb);
}

void register_rekey(CLI::App& app, ExitCode& exit_code) {
  static constexpr ContainerVerb kVerb = {
      .name = "rekey",
      .description = "Encrypt .wa files under another key, in place: what was in them is written nowhere",
      .past = "rekeyed",
      .writes = true,
      .to_terminal = false,
      .encrypts = false,
      .rekeys = true,
      .output_name = [](const std::string& input) { return input; },
      .plaintext_bytes = plaintext_of,
      .output_bytes = [](uint64_t input_bytes) { return input_bytes; },
      .work = rekey_file,
  };
  register_container_verb(app, exit_code, kVerb);
}

}  // namespace warpaes::cli
