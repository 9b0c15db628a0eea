#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "claimed_descriptors.hpp"
#include "command.hpp"
#include "container_keys.hpp"
#include "container_rejection.hpp"
#include "failure_report.hpp"
#include "foreign_format.hpp"
#include "input_file.hpp"
#include "json_lines.hpp"
#include "rejection_behind_header.hpp"
#include "report_options.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kSaltBytes = WARPAES_CONTAINER_SALT_LENGTH;

/// What a container tells without its key.
struct Findings {
  ContainerHeader header;
  uint64_t bytes;
  ContainerLayout layout;
  size_t bytes_before;  // of the header of a passphrase, which the key is made of
  bool authenticated;   // is the header known to be as it was made? Only with the key or passphrase

  bool of_passphrase() const { return bytes_before != 0; }
};

/// Reads to the end of what has no known length.
uint64_t remaining_bytes(InputFile& input) {
  std::vector<uint8_t> scratch(1 << 20);
  uint64_t bytes = 0;
  size_t got;
  do {
    got = input.read(scratch);
    bytes += got;
  } while (got == scratch.size());
  return bytes;
}

Findings look_at(InputFile& input, size_t bytes_before) {
  Findings findings = {};
  findings.bytes_before = bytes_before;
  const std::optional<uint64_t> size = input.size();
  const size_t got = input.read(findings.header);
  if (got < findings.header.size()) require_container_length(got);
  findings.bytes = size ? *size : got + remaining_bytes(input);
  findings.layout = layout_of(findings.bytes);
  return findings;
}

/// "Cobblestone-256" if the key is right.
std::string check_key(const FileSecret& secret, const Findings& findings) {
  const warpaes::Context context({.engine = "openssl"});
  if (!Container::open(context, secret.key, findings.header, {.context = secret.context})) {
    throw Rejected(WARPAES_ERROR_CONTAINER_KEY, 0, 0);
  }
  return fmt::format("Cobblestone-{}{}", 8 * secret.key.size(),
                     findings.of_passphrase() ? ", its key made of a passphrase" : "");
}

/// Without the key.
std::string format_of(const Findings& findings) {
  if (findings.of_passphrase()) return "Cobblestone-256, its key made of a passphrase";
  return "Cobblestone-256 or -128, if it is one (a key would tell)";
}

std::string told_of_header(const Findings& findings) {
  if (findings.authenticated) return "authenticated";
  return fmt::format("not authenticated: only the {} tells whether it is damaged",
                     findings.of_passphrase() ? "passphrase" : "key");
}

std::string hexadecimal(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

void print_table(const std::string& name, const Findings& findings, const std::string& format) {
  const std::span header(findings.header);
  fmt::print("file         {}\n", shown(name));
  fmt::print("length       {}\n", told_bytes(findings.bytes_before + findings.bytes));
  fmt::print("format       {}\n", format);
  fmt::print("header       {}\n", told_of_header(findings));
  fmt::print("container    {}\n", told_bytes(findings.bytes));
  fmt::print("plaintext    {}{}\n", told_bytes(findings.layout.plaintext_bytes),
             findings.layout.complete ? "" : " (in the chunks that are whole)");
  fmt::print("chunks       {}\n", findings.layout.chunks);
  fmt::print("salt         {}\n", hexadecimal(header.first<kSaltBytes>()));
  fmt::print("commitment   {}\n", hexadecimal(header.subspan<kSaltBytes>()));
}

void print_json(const std::string& name, const Findings& findings, const std::string& format) {
  const std::span header(findings.header);
  print_json_line({{"type", "summary"},
                   {"command", "inspect"},
                   {"file", name},
                   {"file_bytes", findings.bytes_before + findings.bytes},
                   {"format", format},
                   {"header_authenticated", findings.authenticated},
                   {"container_bytes", findings.bytes},
                   {"plaintext_bytes", findings.layout.plaintext_bytes},
                   {"chunks", findings.layout.chunks},
                   {"salt", hexadecimal(header.first<kSaltBytes>())},
                   {"commitment", hexadecimal(header.subspan<kSaltBytes>())}});
}

struct InspectCommand {
  std::string file;
  size_t bytes_before = 0;  // the container
  ContainerKeys keys;
  ReportOptions report_options;

  void run() {
    require_no_standard_output(file);
    require_no_standard_output(keys.files());
    claim_path(file, "the data");
    std::optional<InputFile> input;
    work_on_file(file, [&] {
      input.emplace(file);
      if (has_passphrase_header(*input)) bytes_before = WARPAES_PASSPHRASE_HEADER_LENGTH;
    });
    // A key of the environment is of files that have one.
    const bool checks_key = bytes_before == 0 ? keys.named() : keys.named_by_option();
    if (!checks_key && keys.context_given()) {
      throw Refusal(ExitCode::usage, "--context is checked with the key, and there is none",
                    "--key-file FILE, or a passphrase");
    }
    if (checks_key) keys.prepare_to_decrypt();
    work_on_file(file, [&] { work(*input, checks_key); });
  }

  void work(InputFile& input, bool checks_key) {
    const auto peeked = input.peek(kForeignBeginning);
    const std::vector<uint8_t> beginning(peeked.begin(), peeked.end());
    try {
      FileSecret secret;
      if (checks_key) {
        secret = keys.for_file(input);
      } else {
        require_own_format(beginning, input.name());
        input.skip(bytes_before);
      }
      Findings findings = look_at(input, bytes_before);
      const std::string format = checks_key ? check_key(secret, findings) : format_of(findings);
      findings.authenticated = checks_key;
      if (!report_options.json) print_table(input.name(), findings, format);
      require_container_length(findings.bytes);
      if (report_options.json) print_json(file, findings, format);
    } catch (const Rejected& rejected) {
      // A salt may look like another format, and only its key tells.
      if (rejected.status() == WARPAES_ERROR_CONTAINER_KEY) require_own_format(beginning, input.name());
      throw Refusal(complaint_behind_header(rejected, shown(input.name()), bytes_before));
    } catch (...) {
      throw Refusal(complaint_of_current_exception(shown(input.name())));
    }
  }
};

}  // namespace

void register_inspect(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added =
      app.add_subcommand("inspect", "Say what a file is from its header and length; with a key, check it");
  const auto command = std::make_shared<InspectCommand>();
  added->add_option("FILE", command->file, "A file, or - for standard input")->required()->option_text(" ");
  command->keys.add_to(*added);
  command->report_options.add_json(*added);
  added->callback([command, &exit_code] {
    command->run();
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
