#include "secret_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/stat.h>

#include <cerrno>

#include "claimed_descriptors.hpp"
#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

void check_permissions(int fd, const std::string& path, const std::string& what) {
  struct stat status = {};
  if (fstat(fd, &status) != 0) throw_errno(path);
  if (S_ISDIR(status.st_mode)) {
    throw Refusal(ExitCode::error, fmt::format("{} is a folder, not a {}", shown(path), what));
  }
  if (S_ISREG(status.st_mode) && (status.st_mode & 077) != 0) {
    throw Refusal(ExitCode::error,
                  fmt::format("{} {} can be used by other users (mode {:04o})", what, shown(path),
                              static_cast<unsigned>(status.st_mode & 07777)),
                  fmt::format("chmod 600 {}; or --insecure-key-file to use it as it is", shown(path)));
  }
}

}  // namespace

SecretBytes::~SecretBytes() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

FileDescriptor open_secret_file(const std::string& path, const std::string& what, bool insecure) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file && errno == ENOENT && path == "-") {
    throw Refusal(ExitCode::not_found, "there is no " + what + " of the name -",
                  "here, standard input is /dev/stdin");
  }
  if (!file) throw_errno(what + " " + shown(path));
  claim_opened(file.get(), shown(path), "the " + what.substr(0, what.rfind(' ')));
  if (!insecure) check_permissions(file.get(), path, what);
  return file;
}

SecretBytes read_secret(int fd, const std::string& name, size_t most) {
  SecretBytes secret(most + 1);  // one more, so that what is too long is seen
  secret.shrink(read_fully(fd, secret.bytes(), name));
  if (secret.size() > most) {
    throw Refusal(ExitCode::error, fmt::format("{} holds more than {} bytes", name, most));
  }
  return secret;
}

std::span<const uint8_t> without_line_end(std::span<const uint8_t> text) {
  if (!text.empty() && text.back() == '\n') text = text.first(text.size() - 1);
  if (!text.empty() && text.back() == '\r') text = text.first(text.size() - 1);
  return text;
}

}  // namespace warpaes::cli
