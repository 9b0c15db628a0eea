#pragma once

#include "bytes_option.hpp"
#include "option_parser.hpp"
#include "raw_job.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

/// The options that say what `warpaes raw` does, apart from keys, files and engines.
class RawOptions {
 public:
  void add_to(CLI::App& command);

  /// Throws matters of usage for what does not fit the mode, or is missing.
  RawJob job() const;
  bool decrypts() const { return decrypt_; }
  const std::string& tag_file() const { return tag_file_; }
  /// Files that are read besides the input: no output may replace them.
  SparedFiles files() const;

 private:
  void refuse_misplaced(const RawMode& mode) const;
  std::vector<uint8_t> iv_for(const RawMode& mode) const;

  std::string mode_, tag_file_;
  bool encrypt_ = false, decrypt_ = false, no_padding_ = false;
  BytesOption iv_, aad_;
  uint64_t first_data_unit_ = 0, data_unit_ = 0;
  size_t tag_length_ = 16;
  const CLI::Option* first_data_unit_option_ = nullptr;
  const CLI::Option* data_unit_bytes_option_ = nullptr;
  const CLI::Option* tag_bytes_option_ = nullptr;
};

}  // namespace warpaes::cli
