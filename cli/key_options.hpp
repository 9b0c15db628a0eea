// Where the key comes from: a file, a file descriptor or the environment; for raw modes from the command line
// too, which every user of the machine can read, and which is warned about.
#pragma once

#include <string>

#include "option_parser.hpp"
#include "secret_key.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

class KeyOptions {
 public:
  void add_to(CLI::App& command);
  /// With --key-hex and --key-hex-file, which the container's commands do without.
  void add_all_to(CLI::App& command);

  /// --new-key-file alone: the key that takes the place of another.
  void add_new_to(CLI::App& command);

  /// May other users have rights to files with secrets?
  bool insecure() const { return insecure_; }
  void set_insecure(bool insecure) { insecure_ = insecure; }

  /// Was a source of a key named by an option?
  bool named() const { return !file_.empty() || descriptor_ >= 0 || !hex_file_.empty() || !hex_.empty(); }
  /// Was any source of a key named?
  bool given() const;
  /// Files that a key may come from: no output may replace them.
  SparedFiles files() const;
  /// Throws if there is none, or more than one, or it holds no key of one of these lengths.
  SecretKey read(KeyLengths lengths = kContainerKeys) const;

 private:
  std::string file_, hex_file_, hex_;
  int descriptor_ = -1;
  bool insecure_ = false;
};

}  // namespace warpaes::cli
