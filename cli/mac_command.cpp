#include <fmt/format.h>
#include <openssl/crypto.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "bytes_option.hpp"
#include "claimed_descriptors.hpp"
#include "command.hpp"
#include "engine_options.hpp"
#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "interrupt.hpp"
#include "json_lines.hpp"
#include "key_options.hpp"
#include "option_checks.hpp"
#include "report_options.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"
#include "standard_streams.hpp"
#include "warpaes/warpaes.hpp"
#include "whole_input.hpp"

namespace warpaes::cli {
namespace {

using Tag = std::array<uint8_t, 16>;

/// Long enough that threads share GMAC's pieces.
constexpr size_t kPiece = 4 << 20;

/// The tag of all that can be read, piece by piece. For a short file, to get more memory than it needs would
/// take longer than its tag; one byte more shows its end.
Tag tag_in_parts(const warpaes::Context& context, warpaes::Operation mac, InputFile& input) {
  Tag tag;
  warpaes::HostBuffer buffer(context, std::min<uint64_t>(input.size().value_or(kPiece), kPiece - 1) + 1);
  for (size_t got = buffer.size(); got == buffer.size();) {
    got = input.read(buffer);
    mac.update({buffer.data(), got}, {});
  }
  (void)mac.finish(tag).length();
  return tag;
}

/// On one CPU thread: each block waits for the one before.
Tag cmac_of(const warpaes::Context& context, const warpaes::Cipher& cipher, Input, InputFile& input) {
  return tag_in_parts(context, warpaes::Operation(cipher, {}), input);
}

/// None in a context for one engine of a GPU, which has no messages in parts.
std::optional<warpaes::Operation> gmac_in_parts(const warpaes::Cipher& cipher, Input nonce) {
  try {
    return warpaes::Operation(cipher, {.nonce = nonce});
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_UNSUPPORTED) throw;
    return std::nullopt;
  }
}

Tag gmac_of(const warpaes::Context& context, const warpaes::Cipher& cipher, Input nonce, InputFile& input) {
  if (auto gmac = gmac_in_parts(cipher, nonce)) return tag_in_parts(context, std::move(*gmac), input);
  WholeInput data(context, input);
  Tag tag;
  cipher.encrypt({.input = data.bytes(), .nonce = nonce, .tag = tag});
  return tag;
}

struct MacRow {
  const char* name;
  Mode mode;
  bool has_nonce;
  size_t shortest_tag;
  Tag (*of)(const warpaes::Context& context, const warpaes::Cipher& cipher, Input nonce, InputFile& input);
};

constexpr MacRow kMacs[] = {
    {"cmac", Mode::cmac, false, 8, cmac_of},  // SP 800-38B appendix A.2
    {"gmac", Mode::gmac, true, 12, gmac_of},  // SP 800-38D section 5.2.1.2
};

const MacRow& row_of(const std::string& name) {
  for (const MacRow& row : kMacs) {
    if (row.name == name) return row;
  }
  throw Refusal(ExitCode::usage, name + " is no MAC", "--mode cmac, or --mode gmac");
}

class MacCommand {
 public:
  void add_to(CLI::App& command);
  void run() const;

 private:
  void work(const MacRow& row, Input nonce, const SecretKey& secret, std::span<const uint8_t> expected) const;
  std::vector<uint8_t> nonce_for(const MacRow& row) const;
  SparedFiles needed_files() const;
  std::vector<uint8_t> expected_tag(const MacRow& row) const;
  void compare(std::span<const uint8_t> tag, std::span<const uint8_t> expected,
               const std::string& name) const;
  void print(std::span<const uint8_t> tag) const;

  std::string file_, mode_;
  size_t tag_bytes_ = 16;
  BytesOption nonce_, expected_;
  KeyOptions key_options_;
  EngineOptions engine_options_;
  ReportOptions report_options_;
};

void MacCommand::add_to(CLI::App& command) {
  command.add_option("FILE", file_, "A file, or - for standard input")->required()->option_text(" ");
  command.add_option("-m,--mode", mode_, "Which MAC")->required()->option_text("cmac|gmac");
  nonce_.add_to(command, "nonce,iv",
                "GMAC: a nonce, never used before under this key, of 12 bytes or any other length but 0");
  command.add_option("--tag-bytes", tag_bytes_, "Length of the MAC: the first bytes of 16")
      ->transform(number<size_t>())
      ->option_text("NUMBER (16)");
  expected_.add_to(command, "verify", "Compare instead of print: what the MAC should be");
  key_options_.add_all_to(command);
  engine_options_.add_to(command);
  command.add_flag("-q,--quiet", report_options_.quiet, "Say nothing but errors");
  report_options_.add_json(command);
}

std::vector<uint8_t> MacCommand::nonce_for(const MacRow& row) const {
  if (!row.has_nonce && nonce_.given()) {
    throw Refusal(ExitCode::usage, std::string(row.name) + " has no nonce", "leave out --nonce");
  }
  std::vector<uint8_t> nonce = nonce_.read(kMostNonceBytes);
  if (row.has_nonce && nonce.empty()) {
    throw Refusal(ExitCode::usage, "no nonce", "--nonce with 24 digits that were never used under this key");
  }
  return nonce;
}

/// Besides the input.
SparedFiles MacCommand::needed_files() const {
  SparedFiles files = key_options_.files();
  files.add_input(nonce_.file(), "the nonce");
  files.add_input(expected_.file(), "the MAC");
  return files;
}

void MacCommand::run() const {
  install_interrupt_handlers();
  const MacRow& row = row_of(mode_);
  if (tag_bytes_ < row.shortest_tag || tag_bytes_ > sizeof(Tag)) {
    throw Refusal(ExitCode::usage, fmt::format("{} has no MAC of {}", row.name, told_bytes(tag_bytes_)),
                  fmt::format("--tag-bytes takes {} to 16", row.shortest_tag));
  }
  if (report_options_.json || !expected_.given()) {
    require_no_standard_output(file_);
    require_no_standard_output(needed_files());
  }
  claim_path(file_, "the data");
  const std::vector<uint8_t> nonce = nonce_for(row), expected = expected_tag(row);
  const SecretKey secret = key_options_.read(kAesKeys);
  work_on_file(file_, [&] { work(row, nonce, secret, expected); });
}

void MacCommand::work(const MacRow& row, Input nonce, const SecretKey& secret,
                      std::span<const uint8_t> expected) const {
  InputFile input(file_);
  const warpaes::Context context(engine_options_.context_options());
  const warpaes::Cipher cipher(context, row.mode, secret.bytes());
  const Tag whole = row.of(context, cipher, nonce, input);
  const std::span<const uint8_t> tag = std::span(whole).first(tag_bytes_);
  if (expected_.given()) {
    compare(tag, expected, shown(input.name()));
  } else {
    print(tag);
  }
}

/// Read before the data is, which may be long.
std::vector<uint8_t> MacCommand::expected_tag(const MacRow& row) const {
  if (!expected_.given()) return {};
  std::vector<uint8_t> expected = expected_.read(sizeof(Tag));
  if (expected.size() != tag_bytes_) {
    const bool may_be_one = expected.size() >= row.shortest_tag && expected.size() <= sizeof(Tag);
    throw Refusal(
        ExitCode::usage,
        fmt::format("{} has {}, and the MAC {}", expected_.name(), told_bytes(expected.size()), tag_bytes_),
        may_be_one ? fmt::format("--tag-bytes {}, if the MAC was shortened to that", expected.size())
                   : fmt::format("one of {} has {} to {} bytes", row.name, row.shortest_tag, sizeof(Tag)));
  }
  return expected;
}

void MacCommand::compare(std::span<const uint8_t> tag, std::span<const uint8_t> expected,
                         const std::string& name) const {
  if (CRYPTO_memcmp(tag.data(), expected.data(), tag.size()) != 0) {
    throw Refusal(ExitCode::damaged, name + ": wrong MAC",
                  "the key is another, or the nonce, or the data was changed");
  }
  if (report_options_.json) {
    print_json_line(
        {{"type", "summary"}, {"command", "mac"}, {"mode", mode_}, {"input", file_}, {"verified", true}});
  } else if (!report_options_.quiet) {
    tell("{}: the MAC is right\n", name);
  }
}

void MacCommand::print(std::span<const uint8_t> tag) const {
  if (report_options_.json) {
    print_json_line({{"type", "summary"},
                     {"command", "mac"},
                     {"mode", mode_},
                     {"input", file_},
                     {"mac", public_digits_of(tag)}});
  } else {
    fmt::print("{}\n", public_digits_of(tag));
  }
}

}  // namespace

void register_mac(CLI::App& app, ExitCode& exit_code) {
  CLI::App* const added =
      app.add_subcommand("mac", "Make or check a message authentication code: CMAC, GMAC");
  const auto command = std::make_shared<MacCommand>();
  command->add_to(*added);
  added->callback([command, &exit_code] {
    command->run();
    exit_code = ExitCode::done;
  });
}

}  // namespace warpaes::cli
