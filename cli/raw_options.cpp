#include "raw_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "failure_report.hpp"
#include "option_checks.hpp"
#include "shown_name.hpp"
#include "warpaes/simple.h"

namespace warpaes::cli {
namespace {

constexpr size_t kMostAadBytes = 1 << 30;

}  // namespace

void RawOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "-m,--mode", mode_,
          "The mode. Those without a tag, gcm, eax and ocb3 work in pieces; ccm, gcm-siv and siv need "
          "all of a message twice, so of a pipe more than 32 MiB wait in a temporary file, encrypted "
          "under a key that is only in memory. kw and kwp are in memory as a whole")
      ->required()
      ->option_text(raw_mode_names());
  auto* const encrypt = command.add_flag("--encrypt", encrypt_, "Encrypt: the default");
  command.add_flag("-d,--decrypt", decrypt_, "Decrypt")->excludes(encrypt);
  iv_.add_to(command, "iv,nonce",
             "Initialisation vector, first counter block, tweak or nonce, never the same twice under a key; "
             "in CBC and CFB 16 fresh random bytes. AEAD: without it, one is made and stands before the "
             "ciphertext. SIV: any length, or none");
  command.add_flag("--no-padding", no_padding_, "ECB, CBC: no PKCS#7 padding, whole blocks only");
  data_unit_bytes_option_ =
      command.add_option("--data-unit-bytes", data_unit_, "XTS: length of the data units (sectors)")
          ->transform(number<uint64_t>(kShortestDataUnit, kLongestDataUnit))
          ->option_text("NUMBER");
  first_data_unit_option_ =
      command
          .add_option("--first-data-unit", first_data_unit_, "XTS: number of the first one, instead of --iv")
          ->transform(number<uint64_t>())
          ->excludes("--iv")
          ->excludes("--iv-file")
          ->option_text("NUMBER");
  aad_.add_to(command, "aad", "AEAD, SIV: additional data that is authenticated and not written");
  tag_bytes_option_ = command.add_option("--tag-bytes", tag_length_, "AEAD: length of the tag")
                          ->transform(number<size_t>(1, 16))
                          ->option_text("NUMBER (16)");
  command.add_option("--tag-file", tag_file_, "AEAD: the tag has a file of its own, and is not appended")
      ->check(not_empty())
      ->option_text("FILE");
}

void RawOptions::refuse_misplaced(const RawMode& mode) const {
  const bool aead = mode.is_aead();
  const struct {
    std::string_view option;
    bool given, fits;
  } options[] = {
      {iv_.name(), iv_.given(), mode.info.longest_nonce != 0},
      {"--no-padding", no_padding_, mode.padded.has_value()},
      {"--data-unit-bytes", data_unit_bytes_option_->count() != 0, mode.is_xts()},
      {"--first-data-unit", first_data_unit_option_->count() != 0, mode.is_xts()},
      {"--aad", aad_.given(), aead || mode.is_siv()},
      {"--tag-bytes", tag_bytes_option_->count() != 0, aead},
      {"--tag-file", !tag_file_.empty(), aead},
  };
  for (const auto& option : options) {
    if (option.given && !option.fits) {
      throw Refusal(ExitCode::usage, fmt::format("{} has no use for {}", mode.name, option.option),
                    std::string("leave it out, or take another --mode"));
    }
  }
  if (mode.is_xts() && data_unit_bytes_option_->count() == 0) {
    throw Refusal(ExitCode::usage, "xts needs to know how long data units are",
                  "--data-unit-bytes 512, or 4096: the sectors of the disk");
  }
}

std::vector<uint8_t> RawOptions::iv_for(const RawMode& mode) const {
  if (first_data_unit_option_->count() != 0) {
    std::vector<uint8_t> tweak(mode.info.recommended_nonce);
    warpaes_xts_tweak(first_data_unit_, tweak.data());
    return tweak;
  }
  std::vector<uint8_t> iv = iv_.read(kMostNonceBytes);
  if (mode.info.authenticates) {
    if (iv_.given() && iv.empty()) throw Refusal(ExitCode::usage, "--nonce is empty");
    return iv;
  }
  const size_t length = mode.info.recommended_nonce;  // the only one that these modes have
  if (iv.size() == length) return iv;
  const std::string what =
      iv_.given()
          ? fmt::format("{} has {}, and {} takes {}", iv_.name(), told_bytes(iv.size()), mode.name, length)
          : fmt::format("no --iv, and {} takes one of {} bytes", mode.name, length);
  throw Refusal(ExitCode::usage, what,
                decrypt_
                    ? "--iv with the 32 hexadecimal digits of the encryption"
                    : "--iv with 32 hexadecimal digits, new ones for each message: `openssl rand -hex 16`");
}

RawJob RawOptions::job() const {
  RawJob job(raw_mode(mode_), decrypt_ ? Direction::decrypt : Direction::encrypt);
  refuse_misplaced(job.mode);
  job.padded = job.mode.padded.has_value() && !no_padding_;
  job.iv = iv_for(job.mode);
  job.data_unit = data_unit_;
  job.aad = aad_.read(kMostAadBytes);
  job.has_aad = aad_.given();
  job.tag_length = tag_length_;
  require_possible(job);
  return job;
}

SparedFiles RawOptions::files() const {
  SparedFiles files;
  files.add_input(iv_.file(), "the IV or nonce");
  files.add_input(aad_.file(), "the additional data");
  if (decrypt_) files.add_input(tag_file_, "the tag");
  return files;
}

}  // namespace warpaes::cli
