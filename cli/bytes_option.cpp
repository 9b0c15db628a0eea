#include "bytes_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "claimed_descriptors.hpp"
#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "input_file.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

/// "iv,nonce", "-file" and "," give "--iv-file,--nonce-file".
std::string option_names(const std::string& names, const std::string& ending, const std::string& between) {
  std::string options = "--";
  for (const char c : names) options += c == ',' ? ending + between + "--" : std::string(1, c);
  return options + ending;
}

/// Its length is not always known before it is read: so in pieces.
std::vector<uint8_t> read_all(InputFile& file, size_t most) {
  constexpr size_t kPiece = 1 << 20;
  std::vector<uint8_t> bytes;
  for (size_t got = kPiece; got == kPiece && bytes.size() <= most;) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    got = file.read(std::span(bytes).subspan(before));
    bytes.resize(before + got);
  }
  if (bytes.size() > most) {
    throw Refusal(ExitCode::error, fmt::format("{} holds more than {} bytes", shown(file.name()), most));
  }
  return bytes;
}

}  // namespace

void BytesOption::add_to(CLI::App& command, const std::string& name, const std::string& description) {
  name_ = option_names(name, "", " or ");
  file_option_name_ = option_names(name, "-file", " or ");
  auto* const digits =
      command.add_option(option_names(name, "", ","), digits_, description + ". In hexadecimal digits")
          ->option_text("DIGITS");
  file_option_ = command.add_option(option_names(name, "-file", ","), file_, "The same, from a file's bytes")
                     ->excludes(digits)
                     ->option_text("FILE");
  digits_option_ = digits;
}

bool BytesOption::given() const { return digits_option_->count() != 0 || file_option_->count() != 0; }

std::vector<uint8_t> BytesOption::read(size_t most) const {
  if (file_option_->count() == 0) return public_bytes_of(digits_, name_);
  claim_path(file_, "the bytes of " + file_option_name_);
  InputFile file(file_);
  return read_all(file, most);
}

}  // namespace warpaes::cli
