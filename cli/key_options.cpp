#include "key_options.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "failure_report.hpp"
#include "file_descriptor.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kKeyVariable = "WARPAES_KEY";
constexpr const char* kKeyFileVariable = "WARPAES_KEY_FILE";
constexpr const char* kKeyHint =
    "a key is 32 or 16 random bytes, or 64 or 32 hexadecimal digits; `warpaes keygen -o FILE` makes one";

/// Longer than any key with its line end, so that what is too long is seen.
using KeyText = std::array<char, 128>;

struct WipedText {
  KeyText text = {};
  ~WipedText() { OPENSSL_cleanse(text.data(), text.size()); }
};

/// Value of a hexadecimal digit, or -1. Without tables or branches on the digit: it may be a key's.
int digit_value(char c) {
  const auto between = [](int v, int low, int high) { return ((low - 1 - v) & (v - high - 1)) >> 8; };
  const int digit = static_cast<unsigned char>(c), letter = digit | 0x20;
  // `between` is -1 (all ones) inside of the range and 0 outside.
  return (between(digit, '0', '9') & (digit - '0' + 1)) + (between(letter, 'a', 'f') & (letter - 'a' + 11)) -
         1;
}

bool is_hexadecimal(std::span<const char> text) {
  return std::ranges::all_of(text, [](char c) { return digit_value(c) >= 0; });
}

std::span<const char> without_line_end(std::span<const char> text) {
  if (!text.empty() && text.back() == '\n') text = text.first(text.size() - 1);
  if (!text.empty() && text.back() == '\r') text = text.first(text.size() - 1);
  return text;
}

void check_permissions(int fd, const std::string& path) {
  struct stat status = {};
  if (fstat(fd, &status) != 0) throw_errno(path);
  if (S_ISDIR(status.st_mode))
    throw Refusal(ExitCode::error, path + " is a folder, not a key file", kKeyHint);
  if (S_ISREG(status.st_mode) && (status.st_mode & 077) != 0) {
    throw Refusal(ExitCode::error,
                  fmt::format("key file {} can be used by other users (mode {:04o})", path,
                              static_cast<unsigned>(status.st_mode & 07777)),
                  fmt::format("chmod 600 {}; or --insecure-key-file to use it as it is", path));
  }
}

SecretKey read_key(int fd, const std::string& name) {
  WipedText secret;
  auto* const bytes = reinterpret_cast<uint8_t*>(secret.text.data());
  const size_t length = read_fully(fd, {bytes, secret.text.size()}, name);
  return parse_key(std::span(secret.text).first(length), name);
}

SecretKey read_key_file(const std::string& path, bool insecure) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file) throw_errno("key file " + path);
  if (!insecure) check_permissions(file.get(), path);
  return read_key(file.get(), "key file " + path);
}

/// Takes the key out of the environment, where /proc would show it as long as the process runs.
SecretKey take_key_variable(char* value) {
  const size_t length = std::strlen(value);
  const std::string name = std::string("$") + kKeyVariable;
  if (length != 64 && length != 32) {
    throw Refusal(ExitCode::error, fmt::format("{} holds {} characters, not 64 or 32 digits", name, length),
                  kKeyHint);
  }
  SecretKey key = parse_key({value, length}, name);
  OPENSSL_cleanse(value, length);
  unsetenv(kKeyVariable);
  return key;
}

}  // namespace

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

SecretKey::SecretKey(SecretKey&& other) noexcept : bytes_(other.bytes_), size_(other.size_) {
  OPENSSL_cleanse(other.bytes_.data(), other.bytes_.size());
  other.size_ = 0;
}

SecretKey parse_key(std::span<const char> text, const std::string& name) {
  SecretKey key;
  const std::span<const char> line = without_line_end(text);
  if ((line.size() == 64 || line.size() == 32) && is_hexadecimal(line)) {
    key.size_ = line.size() / 2;
    for (size_t i = 0; i < key.size_; i++) {
      key.bytes_[i] = static_cast<uint8_t>(digit_value(line[2 * i]) << 4 | digit_value(line[2 * i + 1]));
    }
  } else if (text.size() == 32 || text.size() == 16) {
    key.size_ = text.size();
    std::ranges::copy(text, key.bytes_.begin());
  } else {
    const bool too_long = text.size() == KeyText{}.size();
    throw Refusal(
        ExitCode::error,
        fmt::format("{} holds no key: it is {} bytes{} long", name, text.size(), too_long ? " or more" : ""),
        kKeyHint);
  }
  return key;
}

void KeyOptions::add_to(CLI::App& command) {
  auto* const file = command.add_option("-k,--key-file", file_,
                                        "The key: 32 or 16 raw bytes, or 64 or 32 hexadecimal digits");
  file->option_text("FILE");
  command.add_option("--key-fd", descriptor_, "Read the key from this open file descriptor")
      ->check(CLI::NonNegativeNumber)
      ->excludes(file)
      ->option_text("NUMBER");
  command.add_flag("--insecure-key-file", insecure_, "Use a key file that other users can read");
  command.footer(
      fmt::format("Without --key-file and --key-fd, the key comes from the file that ${} names, or "
                  "from ${} as hexadecimal digits.",
                  kKeyFileVariable, kKeyVariable));
}

bool KeyOptions::given() const {
  return !file_.empty() || descriptor_ >= 0 || std::getenv(kKeyFileVariable) || std::getenv(kKeyVariable);
}

SecretKey KeyOptions::read() const {
  if (!file_.empty()) return read_key_file(file_, insecure_);
  if (descriptor_ >= 0) return read_key(descriptor_, fmt::format("file descriptor {}", descriptor_));
  const char* const file = std::getenv(kKeyFileVariable);
  char* const key = std::getenv(kKeyVariable);
  if (file && key) {
    throw Refusal(ExitCode::usage, fmt::format("both ${} and ${} are set", kKeyFileVariable, kKeyVariable),
                  "unset one of them, or name a key with --key-file");
  }
  if (file) return read_key_file(file, insecure_);
  if (key) return take_key_variable(key);
  throw Refusal(ExitCode::usage, "no key", "--key-file FILE; `warpaes keygen -o FILE` makes one");
}

}  // namespace warpaes::cli
