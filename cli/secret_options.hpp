#pragma once

#include <optional>
#include <string>

#include "option_parser.hpp"
#include "passphrase_prompt.hpp"
#include "secret_file.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

/// A secret that is no AES key: the input of a key derivation. From a file or a descriptor; a passphrase may
/// also be typed.
class SecretOptions {
 public:
  enum class Kind {
    bytes,      // of any value: taken as they are
    passphrase  // one line of text, without its end
  };

  /// Adds --NAME-file and --NAME-fd.
  void add_to(CLI::App& command, const std::string& name, Kind kind, const std::string& description);

  /// The file that the secret is in, if it is not typed.
  SparedFiles files(const char* holds) const;
  /// What stands before the place where a passphrase is typed.
  void ask_by(const std::string& prompt) { prompt_ = prompt; }
  bool given() const { return !file_.empty() || descriptor_ >= 0; }
  /// If none was named, a passphrase is asked for, and anything else is refused.
  SecretBytes read(bool insecure, Passphrase kind = Passphrase::fresh) const;

 private:
  SecretBytes checked(SecretBytes secret, const std::string& source) const;

  std::string name_, file_, prompt_ = "Passphrase: ";
  int descriptor_ = -1;
  Kind kind_ = Kind::bytes;
};

}  // namespace warpaes::cli
