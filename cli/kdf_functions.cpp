#include "kdf_functions.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "bytes_option.hpp"
#include "failure_report.hpp"
#include "interrupt.hpp"
#include "option_checks.hpp"
#include "secret_options.hpp"
#include "warpaes/kdf.hpp"

namespace warpaes::cli {
namespace {

constexpr size_t kMostSaltBytes = 1 << 20;  // HKDF's info has as many at most

std::map<std::string, warpaes::Hash> hashes(bool with_sha1) {
  std::map<std::string, warpaes::Hash> names = {{"sha256", warpaes::Hash::sha256},
                                                {"sha384", warpaes::Hash::sha384},
                                                {"sha512", warpaes::Hash::sha512}};
  if (with_sha1) names["sha1"] = warpaes::Hash::sha1;
  return names;
}

size_t hash_bytes(warpaes::Hash hash) {
  switch (hash) {
    case warpaes::Hash::sha1:
      return 20;
    case warpaes::Hash::sha384:
      return 48;
    case warpaes::Hash::sha512:
      return 64;
    default:
      return 32;
  }
}

void add_hash(CLI::App& command, warpaes::Hash& hash, bool with_sha1) {
  command.add_option("--hash", hash, with_sha1 ? "sha1 is for what was made with it" : "The hash function")
      ->transform(named(hashes(with_sha1)))
      ->option_text(with_sha1 ? "sha256|sha384|sha512|sha1 (sha256)" : "sha256|sha384|sha512 (sha256)");
}

/// The library would take 0 for its own choice, and nobody who types 0 means that.
template <class Number>
void add_cost(CLI::App& command, const std::string& name, Number& cost, const std::string& description,
              Number least = 1) {
  command.add_option(name, cost, description)
      ->transform(number<Number>(least))
      ->option_text(fmt::format("NUMBER ({})", cost));
}

class Hkdf : public KdfFunction {
 public:
  void add_to(CLI::App& command) override {
    secret_.add_to(command, "secret", SecretOptions::Kind::bytes,
                   "The secret to derive from, as bytes: one that nobody can guess, no passphrase");
    add_hash(command, hash_, /*with_sha1=*/false);
    salt_.add_to(command, "salt", "Random bytes that need not be secret");
    command.add_option("--info", info_text_, "What the result is for: another text gives an independent key")
        ->option_text("TEXT");
    info_.add_to(command, "info-hex", "The same as bytes");
    command.get_option("--info")
        ->excludes(command.get_option("--info-hex"))
        ->excludes(command.get_option("--info-hex-file"));
  }
  SparedFiles files() const override {
    SparedFiles files = secret_.files("the secret");
    files.add_input(salt_.file(), "the salt");
    files.add_input(info_.file(), "the info");
    return files;
  }
  ByteCounts byte_counts() const override { return {1, 255 * hash_bytes(hash_)}; }
  void derive(std::span<uint8_t> out, bool insecure) const override {
    const SecretBytes secret = secret_.read(insecure);
    const std::vector<uint8_t> salt = salt_.read(kMostSaltBytes);
    if (salt_.given() && salt.empty()) {
      throw Refusal(ExitCode::usage, "the salt is empty", "HKDF may have none: leave the option out");
    }
    const std::vector<uint8_t> info = info_.given()
                                          ? info_.read(kMostSaltBytes)
                                          : std::vector<uint8_t>(info_text_.begin(), info_text_.end());
    hkdf(secret.bytes(), {.salt = salt, .info = info, .hash = hash_}, out);
  }

 private:
  SecretOptions secret_;
  warpaes::Hash hash_ = warpaes::Hash::sha256;
  BytesOption salt_, info_;
  std::string info_text_;
};

/// The functions that make guessing slow.
class OfPassphrase : public KdfFunction {
 public:
  void add_to(CLI::App& command) override {
    passphrase_.add_to(command, "passphrase", SecretOptions::Kind::passphrase,
                       "The passphrase; without this, it is asked for");
    salt_.add_to(command, "salt", "Random bytes, 16 or more, to be kept: the same give the same key again");
    add_costs_to(command);
  }
  SparedFiles files() const override {
    SparedFiles files = passphrase_.files("the passphrase");
    files.add_input(salt_.file(), "the salt");
    return files;
  }
  void derive(std::span<uint8_t> out, bool insecure) const override {
    if (!salt_.given()) {
      throw Refusal(ExitCode::usage, "no salt",
                    "openssl rand -out FILE 16 makes one: then --salt-file FILE, each time");
    }
    const std::vector<uint8_t> salt = salt_.read(kMostSaltBytes);
    if (salt.empty()) {
      throw Refusal(ExitCode::usage, "the salt is empty",
                    "without one, all who take the same passphrase get the same key");
    }
    const SecretBytes passphrase = passphrase_.read(insecure);
    const EndsAtOnce ends_at_once;
    derive_with(passphrase.bytes(), salt, out);
  }

 protected:
  virtual void add_costs_to(CLI::App& command) = 0;
  virtual void derive_with(Input passphrase, Input salt, Output out) const = 0;

 private:
  SecretOptions passphrase_;
  BytesOption salt_;
};

class Pbkdf2 : public OfPassphrase {
  void add_costs_to(CLI::App& command) override {
    add_hash(command, options_.hash, /*with_sha1=*/true);
    add_cost(command, "--iterations", options_.iterations, "How often the hash function is used");
  }
  void derive_with(Input passphrase, Input salt, Output out) const override {
    pbkdf2(passphrase, salt, options_, out);
  }

  Pbkdf2Options options_;
};

class Scrypt : public OfPassphrase {
  void add_costs_to(CLI::App& command) override {
    add_cost(command, "--cost", options_.cost,
             "RFC 7914's N, a power of 2; memory is 128 * r * (N + p) bytes");
    add_cost(command, "--block-size", options_.block_size, "RFC 7914's r");
    add_cost(command, "--parallelism", options_.lanes, "RFC 7914's p");
  }
  void derive_with(Input passphrase, Input salt, Output out) const override {
    scrypt(passphrase, salt, options_, out);
  }

  ScryptOptions options_;
};

class Argon2id : public OfPassphrase {
  static constexpr uint32_t kLeastMemory = 8;  // KiB, for a lane: RFC 9106
  static constexpr size_t kLeastTag = 4;       // bytes, as well

  void add_costs_to(CLI::App& command) override {
    add_cost(command, "--iterations", options_.iterations, "Passes over the memory");
    add_cost(command, "--memory", options_.memory_kib, "Memory in KiB", kLeastMemory);
    add_cost(command, "--lanes", options_.lanes, "Lanes of the memory");
  }
  void derive_with(Input passphrase, Input salt, Output out) const override {
    argon2id(passphrase, salt, options_, out);
  }

  ByteCounts byte_counts() const override { return {kLeastTag, kMostDerivedBytes}; }

  Argon2idOptions options_;
};

template <class Function>
std::unique_ptr<KdfFunction> make() {
  return std::make_unique<Function>();
}

constexpr KdfRow kTable[] = {
    {"argon2id", "From a passphrase: RFC 9106, the choice for new designs", make<Argon2id>},
    {"scrypt", "From a passphrase: RFC 7914", make<Scrypt>},
    {"pbkdf2", "From a passphrase: RFC 8018, which GPUs are fast at guessing", make<Pbkdf2>},
    {"hkdf", "From another key: RFC 5869", make<Hkdf>},
};

}  // namespace

std::span<const KdfRow> kdf_table() { return kTable; }

}  // namespace warpaes::cli
