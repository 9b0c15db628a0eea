#include "container_keys.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "container_rejection.hpp"
#include "failure_report.hpp"
#include "foreign_format.hpp"
#include "interrupt.hpp"
#include "shown_name.hpp"
#include "warpaes/memory.hpp"

namespace warpaes::cli {
namespace {

/// The library's limit, of which a passphrase's header takes some.
constexpr size_t kMostContextBytes = 952;
constexpr size_t kMostBesidePassphrase = kMostContextBytes - WARPAES_PASSPHRASE_HEADER_LENGTH;

/// @param option that gave it
void require_room_beside_passphrase(size_t bytes, const std::string& option) {
  if (bytes <= kMostBesidePassphrase) return;
  throw Refusal(ExitCode::usage,
                fmt::format("{}: longer than {} bytes, which is the most beside a passphrase", option,
                            kMostBesidePassphrase));
}

/// What one option takes, the other has to take as well: a file would else never open again.
CLI::Validator context_length() {
  return CLI::Validator(
      [](const std::string& text) {
        return text.size() <= kMostContextBytes ? "" : fmt::format("longer than {} bytes", kMostContextBytes);
      },
      "", "");
}

}  // namespace

bool has_passphrase_header(InputFile& input) {
  try {
    return passphrase_function(input.peek(WARPAES_PASSPHRASE_HEADER_LENGTH)).has_value();
  } catch (const Error& failure) {
    throw Refusal(ExitCode::error, shown(input.name()) + ": " + failure.what());
  }
}

void ContainerKeys::add_to(CLI::App& command) {
  key_options_.add_to(command);
  auto* const ask =
      command.add_flag("-p,--passphrase", ask_, "Ask for a passphrase at the terminal, instead of a key");
  passphrase_options_.add_to(command, "passphrase", SecretOptions::Kind::passphrase,
                             "A passphrase instead of a key: the file's one line");
  context_ =
      command
          .add_option("--context", context_text_,
                      "What the files are for: they open with the same text only, which is not in them")
          ->check(context_length())
          ->option_text("TEXT");
  for (const char* key : {"--key-file", "--key-fd"}) {
    ask->excludes(command.get_option(key));
    for (const char* passphrase : {"--passphrase-file", "--passphrase-fd"}) {
      command.get_option(passphrase)->excludes(command.get_option(key))->excludes(ask);
    }
  }
}

void ContainerKeys::add_new_to(CLI::App& command) {
  key_options_.add_new_to(command);
  auto* const key = command.get_option("--new-key-file");
  auto* const ask =
      command.add_flag("--new-passphrase", ask_, "Ask for a passphrase that takes its place")->excludes(key);
  passphrase_options_.add_to(command, "new-passphrase", SecretOptions::Kind::passphrase,
                             "A passphrase that takes its place: the file's one line");
  for (const char* passphrase : {"--new-passphrase-file", "--new-passphrase-fd"}) {
    command.get_option(passphrase)->excludes(key)->excludes(ask);
  }
  context_ =
      command
          .add_option("--new-context", context_text_,
                      "The --context that takes the place of the old one, which stays without this option")
          ->check(context_length())
          ->option_text("TEXT");
}

void ContainerKeys::prepare_to_encrypt() {
  if (!passphrase_named()) {
    key_.emplace(key_options_.read());
    return;
  }
  require_room_beside_passphrase(context_text_.size(), context_->get_name());
  passphrase_.emplace(passphrase_options_.read(key_options_.insecure(), Passphrase::fresh));
  new_header_ = passphrase_header();
}

void ContainerKeys::prepare_to_decrypt() {
  if (passphrase_named()) {
    require_room_beside_passphrase(context_text_.size(), context_->get_name());
    passphrase_.emplace(passphrase_options_.read(key_options_.insecure(), Passphrase::known));
  } else if (key_options_.given()) {
    key_.emplace(key_options_.read());
  }
}

/// What cannot be read is not asked for again: it fails every file of the run.
template <class Read>
void ContainerKeys::read_once(const Read& read) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    read();
  } catch (...) {
    Complaint complaint = complaint_of_current_exception({});
    complaint.ends_run = true;
    failure_ = std::make_exception_ptr(Refusal(complaint));
    std::rethrow_exception(failure_);
  }
}

FileSecret ContainerKeys::for_new_file() {
  const std::scoped_lock lock(mutex_);
  if (!known()) read_once([this] { prepare_to_encrypt(); });
  if (!new_header_) return with_context({}, key_->bytes());
  // The run has one new passphrase: what fails for one file fails for all.
  std::span<const uint8_t> key;
  read_once([&] { key = derived_key(*new_header_); });
  return with_context(*new_header_, key);
}

FileSecret ContainerKeys::for_renewed(const FileSecret& old) {
  FileSecret renewed = named_by_option() ? for_new_file() : with_context(old.header, old.key);
  if (context_given()) return renewed;
  const auto text = old.context.begin() + static_cast<ptrdiff_t>(old.header.size());
  if (!renewed.header.empty()) {
    require_room_beside_passphrase(static_cast<size_t>(old.context.end() - text), "--context");
  }
  renewed.context.insert(renewed.context.end(), text, old.context.end());
  return renewed;
}

void ContainerKeys::require_room_for_context(const ContainerKeys& old) const {
  const bool by_passphrase = named_by_option() ? passphrase_named() : old.passphrase_named();
  const ContainerKeys& given = context_given() ? *this : old;
  if (by_passphrase) {
    require_room_beside_passphrase(given.context_text_.size(), given.context_->get_name());
  }
}

bool ContainerKeys::context_given() const { return context_ != nullptr && context_->count() != 0; }

FileSecret ContainerKeys::for_file(InputFile& input) {
  const std::scoped_lock lock(mutex_);
  if (!has_passphrase_header(input)) {
    if (passphrase_named()) {
      require_own_format(input.peek(kForeignBeginning), input.name());
      // Too short for either kind of file, and so for saying that it is the other one.
      const size_t bytes = input.peek(WARPAES_PASSPHRASE_HEADER_LENGTH).size();
      if (bytes < WARPAES_PASSPHRASE_HEADER_LENGTH) require_container_length(bytes);
      throw Refusal(
          ExitCode::wrong_key,
          shown(input.name()) + " was encrypted with a key and not with a passphrase, if it is a .wa file",
          "--key-file FILE");
    }
    if (!key_) read_once([] { throw Refusal(ExitCode::usage, "no key", "--key-file FILE"); });
    return with_context({}, key_->bytes());
  }
  if (key_options_.named()) {
    throw Refusal(ExitCode::wrong_key,
                  shown(input.name()) + " was encrypted with a passphrase and not with a key",
                  "-p asks for the passphrase");
  }
  if (!passphrase_) {
    read_once([this] {
      passphrase_.emplace(passphrase_options_.read(key_options_.insecure(), Passphrase::known));
    });
  }
  PassphraseHeader header;
  std::ranges::copy(input.peek(header.size()), header.begin());
  input.skip(header.size());
  require_room_beside_passphrase(context_text_.size(), context_->get_name());
  try {
    return with_context(header, derived_key(header));
  } catch (const Error& error) {  // too little memory for the costs that this file's key has
    throw Refusal(ExitCode::error, shown(input.name()) + ": " + error.what());
  }
}

std::span<const uint8_t> ContainerKeys::derived_key(const PassphraseHeader& header) {
  const auto found = derived_.find(header);
  if (found != derived_.end()) return found->second.bytes();
  SecretBytes key(32);
  const auto at_once = ends_at_once_ ? std::make_unique<EndsAtOnce>() : nullptr;
  passphrase_key(header, std::as_const(*passphrase_).bytes(), key.bytes());
  return derived_.emplace(header, SecretKey(key.bytes())).first->second.bytes();
}

SparedFiles ContainerKeys::files() const {
  SparedFiles files = key_options_.files();
  files.add(passphrase_options_.files("the passphrase"));
  return files;
}

FileSecret ContainerKeys::with_context(std::span<const uint8_t> header, std::span<const uint8_t> key) const {
  FileSecret secret{{header.begin(), header.end()}, {header.begin(), header.end()}, key};
  secret.context.insert(secret.context.end(), context_text_.begin(), context_text_.end());
  return secret;
}

}  // namespace warpaes::cli
