#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "option_parser.hpp"

namespace warpaes::cli {

/// More than any mode needs; a file named by mistake is not read whole.
constexpr size_t kMostNonceBytes = 1 << 16;

/// A nonce, a salt, additional data: bytes that are no secret, in digits or in a file.
class BytesOption {
 public:
  /// Adds --NAME DIGITS and --NAME-file FILE.
  /// @param name "iv", or several as "iv,nonce", all of which messages name
  void add_to(CLI::App& command, const std::string& name, const std::string& description);

  bool given() const;
  /// Empty if it was not given. Throws for a file of more than `most` bytes.
  std::vector<uint8_t> read(size_t most) const;
  /// Empty: no file was named.
  const std::string& file() const { return file_; }
  /// "--aad", or "--iv or --nonce"
  const std::string& name() const { return name_; }

 private:
  std::string name_, file_option_name_, digits_, file_;
  const CLI::Option* digits_option_ = nullptr;
  const CLI::Option* file_option_ = nullptr;
};

}  // namespace warpaes::cli
