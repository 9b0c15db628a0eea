#include "passphrase_prompt.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <termios.h>

#include <cerrno>
#include <string_view>

#include "failure_report.hpp"
#include "interrupt.hpp"

namespace warpaes::core::cli {
namespace {

/// What is typed is not shown as long as this lives.
class NoEcho {
 public:
  explicit NoEcho(int terminal) : terminal_(terminal) {
    if (tcgetattr(terminal_, &before_) != 0) throw_errno("the terminal");
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    silent.c_lflag |= ECHONL;
    if (tcsetattr(terminal_, TCSAFLUSH, &silent) != 0) throw_errno("the terminal");
  }
  ~NoEcho() { tcsetattr(terminal_, TCSAFLUSH, &before_); }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

 private:
  int terminal_;
  termios before_ = {};
};

constexpr size_t kMostBytes = 4095;  // of a line that a terminal hands over: termios(3), canonical mode

void say(int terminal, std::string_view text) {
  write_fully(terminal, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "the terminal");
}

SecretBytes ask_once(int terminal, std::string_view prompt) {
  SecretBytes answer(kMostBytes + 1);
  const NoEcho no_echo(
      terminal);  // first: it discards what was typed before, and answers come after a prompt
  say(terminal, prompt);
  for (;;) {
    wait_until_ready(terminal, POLLIN);
    const ssize_t got = read(terminal, answer.data(), answer.size());
    if (got >= 0) {
      answer.shrink(without_line_end(answer.bytes().first(static_cast<size_t>(got))).size());
      return answer;
    }
    if (errno != EINTR && errno != EAGAIN) throw_errno("reading the terminal");
  }
}

}  // namespace

SecretBytes ask_for_passphrase(Passphrase kind, const std::string& prompt) {
  const FileDescriptor terminal(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal) {
    throw Refusal(ExitCode::usage, "no passphrase, and no terminal to ask for it at",
                  "--passphrase-file FILE, or --passphrase-fd NUMBER");
  }
  SecretBytes first = ask_once(terminal.get(), prompt);
  if (kind == Passphrase::known) return first;
  const SecretBytes second = ask_once(terminal.get(), "The same again: ");
  if (first.size() != second.size() ||
      CRYPTO_memcmp(first.data(), second.bytes().data(), first.size()) != 0) {
    throw Refusal(ExitCode::error, "the two passphrases differ", "nothing was done; try again");
  }
  return first;
}

}  // namespace warpaes::core::cli
