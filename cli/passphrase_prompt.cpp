#include "passphrase_prompt.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>

#include "failure_report.hpp"
#include "interrupt.hpp"

namespace warpaes::cli {
namespace {

/// Has a signal handled as long as it lives, unless it is ignored.
class Handled {
 public:
  Handled(int signal, void (*handler)(int)) : signal_(signal) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, nullptr, &before_);
    if (before_.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  ~Handled() { sigaction(signal_, &before_, nullptr); }
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;

 private:
  int signal_;
  struct sigaction before_ = {};
};

/// The question that is being asked, for handlers of signals, which may call what stands here (POSIX 2.4.3).
struct Asking {
  int terminal = -1;
  termios before = {}, silent = {};
  std::string_view prompt;
};
Asking asking;

/// The shell has changed the terminal meanwhile, and the question has left the screen.
void on_continue(int) {
  const int saved_errno = errno;
  tcsetattr(asking.terminal, TCSAFLUSH, &asking.silent);
  [[maybe_unused]] const ssize_t told = write(asking.terminal, asking.prompt.data(), asking.prompt.size());
  errno = saved_errno;
}

/// Does what the signal would do if nobody handled it: the system drops it where nobody could continue the
/// program.
void stop_by_default() {
  const Handled stops(SIGTSTP, SIG_DFL), continues(SIGCONT, SIG_DFL);
  sigset_t stop, before;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &before);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// A shell that gets the terminal back shows what is typed there, and not every shell sees to that itself.
/// Ctrl-Z has discarded what was typed before it, so the question is asked again even if nothing was stopped.
void on_stop(int signal) {
  const int saved_errno = errno;
  tcsetattr(asking.terminal, TCSANOW, &asking.before);
  stop_by_default();
  on_continue(signal);
  errno = saved_errno;
}

/// What is typed is not shown as long as this lives.
class NoEcho {
 public:
  NoEcho(int terminal, std::string_view prompt) {
    asking = {.terminal = terminal, .prompt = prompt};
    if (tcgetattr(terminal, &asking.before) != 0) throw_errno("the terminal");
    asking.silent = asking.before;
    asking.silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    // Lines, also where a program has left the terminal to single keys (stty raw).
    asking.silent.c_lflag |= ECHONL | ICANON;
    asking.silent.c_iflag &= ~static_cast<tcflag_t>(IGNCR | INLCR);
    asking.silent.c_iflag |= ICRNL;
    stops_.emplace(SIGTSTP, on_stop);
    continues_.emplace(SIGCONT, on_continue);
    if (tcsetattr(terminal, TCSAFLUSH, &asking.silent) != 0) throw_errno("the terminal");
  }
  ~NoEcho() {
    continues_.reset();
    tcsetattr(asking.terminal, TCSAFLUSH, &asking.before);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

 private:
  std::optional<Handled> stops_, continues_;
};

/// The longest line that a terminal hands over: termios(3), canonical mode. What is typed behind that is
/// lost.
constexpr size_t kMostBytes = 4095;

void say(int terminal, std::string_view text) {
  write_fully(terminal, {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "the terminal");
}

/// Ends the line of a question that nobody has answered, so that what is told next has a line of its own.
class PromptLine {
 public:
  PromptLine(int terminal, std::string_view prompt) : terminal_(terminal) { say(terminal, prompt); }
  ~PromptLine() {
    pollfd wanted = {terminal_, POLLOUT, 0};  // Ctrl-S may have stopped the terminal
    if (answered_ || poll(&wanted, 1, 0) != 1 || (wanted.revents & POLLOUT) == 0) return;
    [[maybe_unused]] const ssize_t told = write(terminal_, "\n", 1);
  }
  PromptLine(const PromptLine&) = delete;
  PromptLine& operator=(const PromptLine&) = delete;
  void was_answered() { answered_ = true; }

 private:
  int terminal_;
  bool answered_ = false;
};

SecretBytes ask_once(int terminal, std::string_view prompt) {
  SecretBytes answer(kMostBytes + 1);
  // First: it discards what was typed before, and answers come after a prompt.
  const NoEcho no_echo(terminal, prompt);
  PromptLine line(terminal, prompt);
  for (;;) {
    wait_until_ready(terminal, POLLIN);
    const ssize_t got = read(terminal, answer.data(), answer.size());
    if (got == 0) {
      throw Refusal(ExitCode::error, "no passphrase was given", "nothing was done; try again");
    }
    if (got > 0) {
      line.was_answered();
      answer.shrink(without_line_end(answer.bytes().first(static_cast<size_t>(got))).size());
      if (answer.size() < kMostBytes) return answer;
      throw Refusal(ExitCode::error,
                    fmt::format("the passphrase fills the {} bytes of a terminal's line, and may have been "
                                "longer than that",
                                kMostBytes),
                    "nothing was done; --passphrase-file takes longer ones");
    }
    if (errno != EINTR && errno != EAGAIN) throw_errno("reading the terminal");
  }
}

}  // namespace

SecretBytes ask_for_passphrase(Passphrase kind, const std::string& prompt, const std::string& name) {
  install_interrupt_handlers();  // a signal would else end the program while the terminal shows nothing
  const FileDescriptor terminal(open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY));
  if (!terminal) {
    throw Refusal(ExitCode::usage,
                  fmt::format("no {}, and no terminal to ask for it at",
                              name == "new-passphrase" ? "new passphrase" : name),
                  fmt::format("--{0}-file FILE, or --{0}-fd NUMBER", name));
  }
  SecretBytes first = ask_once(terminal.get(), prompt);
  if (kind == Passphrase::known || first.size() == 0) return first;  // an empty one is refused anyway
  const SecretBytes second = ask_once(terminal.get(), "The same again: ");
  if (first.size() != second.size() ||
      CRYPTO_memcmp(first.data(), second.bytes().data(), first.size()) != 0) {
    throw Refusal(ExitCode::error, "the two passphrases differ", "nothing was done; try again");
  }
  return first;
}

}  // namespace warpaes::cli
