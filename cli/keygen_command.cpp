#include <fmt/format.h>
#include <openssl/crypto.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <memory>

#include "command.hpp"
#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "input_file.hpp"
#include "interrupt.hpp"
#include "json_lines.hpp"
#include "key_options.hpp"
#include "option_checks.hpp"
#include "output_file.hpp"
#include "report_options.hpp"
#include "shown_name.hpp"
#include "standard_streams.hpp"
#include "warpaes/kdf.hpp"

namespace warpaes::cli {
namespace {

struct KeygenCommand {
  std::string path;
  int bits = 256;
  bool raw = false;
  ReportOptions report_options;

  void run() const;
};

/// Key bytes and their digits; wiped when they go.
struct FreshKey {
  std::array<uint8_t, kLongestKey> bytes = {};
  std::array<uint8_t, 2 * kLongestKey + 1> line = {};  // digits and a line end
  ~FreshKey() {
    OPENSSL_cleanse(bytes.data(), bytes.size());
    OPENSSL_cleanse(line.data(), line.size());
  }
};

void KeygenCommand::run() const {
  if (is_standard_stream(path) || path == "/dev/stdout") {
    throw Refusal(ExitCode::usage, "a key is written to a file only", "-o FILE");
  }
  const size_t key_bytes = static_cast<size_t>(bits) / 8;
  FreshKey key;
  const std::span<uint8_t> bytes = std::span(key.bytes).first(key_bytes);
  warpaes::random(bytes);
  const std::span<uint8_t> line = std::span(key.line).first(2 * key_bytes + 1);
  encode_hexadecimal(bytes, line);
  line.back() = '\n';

  install_interrupt_handlers();
  OutputFile file(path, /*replace=*/false);
  file.write(raw ? bytes : line);
  file.publish_key();
  if (report_options.json) {
    print_json_line({{"type", "summary"}, {"command", "keygen"}, {"output", path}, {"key_bits", bits}});
  } else if (!report_options.quiet) {
    tell("{}: a {}-bit key. Without it, what it encrypts is lost: keep a copy\n", shown(path), bits);
  }
}

}  // namespace

void register_keygen(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added =
      app.add_subcommand("keygen", "Make a random key in a new file that only you can read");
  const auto command = std::make_shared<KeygenCommand>();
  added->add_option("-o,--output", command->path, "Name of the key file")
      ->required()
      ->check(not_empty())
      ->option_text("FILE");
  added
      ->add_option("--bits", command->bits,
                   "Length of the key; encrypt takes 256 and 128, raw XTS twice the length of its keys")
      ->check(CLI::IsMember({"128", "192", "256", "384", "512"}))
      ->option_text("128|192|256|384|512 (256)");
  added->add_flag("--raw", command->raw, "Write the key's bytes instead of hexadecimal digits");
  added->add_flag("-q,--quiet", command->report_options.quiet, "Say nothing but errors");
  command->report_options.add_json(*added);
  added->callback([command, &exit_code] {
    command->run();
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
