#include "interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "exit_code.hpp"

namespace warpaes::cli {
namespace {

volatile sig_atomic_t interrupted = 0;
timespec first_signal = {};  // written before `interrupted` is
// Readable after a signal: closes the gap between looking at the flag and going to sleep.
int wake_pipe[2] = {-1, -1};
thread_local int event_of_thread = -1;  // poll(2) leaves out negative ones

/// A person who sends a second signal does not want to wait. A program that sends one may send it twice at
/// once: timeout(1) does, to the process and to its group.
bool is_second_wish() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec - first_signal.tv_sec > 1 ||
         (now.tv_sec - first_signal.tv_sec == 1 && now.tv_nsec >= first_signal.tv_nsec);
}

void on_signal(int signal) {
  const int saved_errno = errno;
  if (interrupted) {
    if (is_second_wish()) {
      std::signal(signal, SIG_DFL);
      raise(signal);  // it is delivered when this handler ends
    }
    errno = saved_errno;
    return;
  }
  clock_gettime(CLOCK_MONOTONIC, &first_signal);
  interrupted = 1;
  [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "!", 1);
  errno = saved_errno;
}

// What end_at_once() writes to standard output, or nothing.
std::string last_line;

/// Does not wait for a reader: nobody could end the program then.
void write_if_ready(int stream, std::string_view text) {
  pollfd wanted = {stream, POLLOUT, 0};
  if (text.empty() || poll(&wanted, 1, 0) != 1 || (wanted.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const ssize_t written = write(stream, text.data(), text.size());
}

/// Calls only what a handler of a signal may call. All other signals wait meanwhile, SIGPIPE too.
void end_at_once(int) {
  write_if_ready(STDERR_FILENO, "warpaes: error: interrupted\n");
  write_if_ready(STDOUT_FILENO, last_line);
  _exit(static_cast<int>(ExitCode::interrupted));
}

/// Those that end a program, and that people, timers and limits of time send.
constexpr int kEndings[] = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGALRM,
                            SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU};

void handle_signals(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = 0;  // no SA_RESTART: blocking calls return
  sigfillset(&action.sa_mask);
  for (const int signal : kEndings) {
    struct sigaction inherited = {};
    sigaction(signal, nullptr, &inherited);
    // nohup stays in force, and so does what a preloaded library has (a profiler).
    const bool is_free = inherited.sa_handler == SIG_DFL || inherited.sa_handler == on_signal ||
                         inherited.sa_handler == end_at_once;
    if (is_free) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void end_by_signals(std::string json_line) {
  last_line = std::move(json_line);
  handle_signals(end_at_once);
}

void install_interrupt_handlers() {
  if (wake_pipe[0] >= 0) return;
  if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "making a pipe");
  }
  handle_signals(on_signal);
  std::signal(SIGPIPE, SIG_IGN);
}

EndsAtOnce::EndsAtOnce() {
  handle_signals(end_at_once);
  if (!interrupted) return;  // by a signal that came before
  handle_signals(on_signal);
  throw Interrupted();
}
EndsAtOnce::~EndsAtOnce() { handle_signals(on_signal); }

void throw_if_interrupted() {
  if (interrupted) throw Interrupted();
}

void wait_until_ready(int fd, short events) {
  for (;;) {
    throw_if_interrupted();
    pollfd waiting[3] = {{fd, events, 0}, {wake_pipe[0], POLLIN, 0}, {event_of_thread, POLLIN, 0}};
    if (poll(waiting, 3, -1) <= 0) continue;
    if (waiting[2].revents != 0) throw Interrupted();
    if (waiting[0].revents != 0) return;
  }
}

void pause_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    throw_if_interrupted();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    pollfd waiting = {wake_pipe[0], POLLIN, 0};  // poll(2) leaves it out if it is negative
    poll(&waiting, 1, static_cast<int>(left.count()));
  }
}

WaitUnless::WaitUnless(int event) : before_(std::exchange(event_of_thread, event)) {}
WaitUnless::~WaitUnless() { event_of_thread = before_; }

}  // namespace warpaes::cli
