// What files are encrypted under: a key, or a passphrase, from which each run makes one.
#pragma once

#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "input_file.hpp"
#include "key_options.hpp"
#include "option_parser.hpp"
#include "secret_options.hpp"
#include "warpaes/container.hpp"

namespace warpaes::cli {

/// What one file is encrypted under, and what stands before its container.
struct FileSecret {
  std::vector<uint8_t> header;   // what stands before the container; empty if the key is none of a passphrase
  std::vector<uint8_t> context;  // the container's: the header, then --context
  std::span<const uint8_t> key;  // lives as long as the ContainerKeys
};

/// Does the file begin with a passphrase's header, whatever it says?
bool has_passphrase_header(InputFile& input);

class ContainerKeys {
 public:
  void add_to(CLI::App& command);
  /// --new-key-file, --new-passphrase and so on.
  void add_new_to(CLI::App& command);

  /// --insecure-key-file is given once, and holds for the new secret's files as well.
  void be_as_insecure_as(const ContainerKeys& other) {
    key_options_.set_insecure(other.key_options_.insecure());
  }

  /// What stands before the place where the passphrase is typed.
  void ask_by(const std::string& prompt) { passphrase_options_.ask_by(prompt); }

  /// Reads the key or asks for the passphrase of files that are to be encrypted. Throws if neither is named.
  void prepare_to_encrypt();
  /// The same for files to be decrypted: what a file does not need may be missing, and is asked for when one
  /// does.
  void prepare_to_decrypt();

  /// Asked of the secrets of rekey that take the place of `old`: throws if the options give a longer context
  /// than there is room for, as far as they say whether files get a passphrase's header.
  void require_room_for_context(const ContainerKeys& old) const;

  FileSecret for_new_file();
  /// The new secret of a file that had another: with its key, if only the context is new, and with its
  /// context, if that is not.
  FileSecret for_renewed(const FileSecret& old);
  /// Looks at the file's beginning, and reads its header, if it has one. May be called by several threads.
  FileSecret for_file(InputFile& input);

  /// Was a key or a passphrase named by an option, or a key by the environment?
  bool named() const { return passphrase_named() || key_options_.given(); }
  bool named_by_option() const { return passphrase_named() || key_options_.named(); }
  /// Is a passphrase asked for at the terminal?
  bool asks() const { return ask_; }
  /// Has a key or a passphrase been read?
  bool known() const { return key_ || passphrase_; }
  bool context_given() const;
  /// A signal ends the process while a passphrase becomes a key, as there are no outputs yet that would stay.
  void end_at_once() { ends_at_once_ = true; }
  /// Files that hold a key or a passphrase: no output may replace them.
  SparedFiles files() const;

 private:
  bool passphrase_named() const { return ask_ || passphrase_options_.given(); }
  template <class Read>
  void read_once(const Read& read);
  std::span<const uint8_t> derived_key(const PassphraseHeader& header);
  FileSecret with_context(std::span<const uint8_t> header, std::span<const uint8_t> key) const;

  KeyOptions key_options_;
  SecretOptions passphrase_options_;
  bool ask_ = false, ends_at_once_ = false;
  std::string context_text_;
  const CLI::Option* context_ = nullptr;

  std::mutex mutex_;
  std::exception_ptr failure_;  // of read_once()
  std::optional<SecretKey> key_;
  std::optional<SecretBytes> passphrase_;
  std::optional<PassphraseHeader> new_header_;  // one for all files of a run
  std::map<PassphraseHeader, SecretKey> derived_;
};

}  // namespace warpaes::cli
