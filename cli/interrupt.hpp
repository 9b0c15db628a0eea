// SIGINT, SIGTERM and the other signals that end a program from outside: exit code 130, and a message. Where
// something is unfinished they become an exception at the next read or write, so that destructors wipe keys
// and remove it; another signal, a second later or more, ends the process at once then.
#pragma once

#include <chrono>
#include <string>

namespace warpaes::cli {

class Interrupted {};

/// From now on a signal ends the process at once, with a message. For all commands, before they do anything.
/// @param json_line what standard output gets then, or ""
void end_by_signals(std::string json_line);

/// From now on a signal becomes an exception. For commands that leave something unfinished, and for all that
/// ask for a passphrase, as the terminal shows nothing meanwhile. A closed pipe becomes an error of write(2).
/// A second call changes nothing.
void install_interrupt_handlers();

/// While it lives, a signal ends the process at once again: for long computations, of which nothing would
/// remain.
class EndsAtOnce {
 public:
  EndsAtOnce();
  ~EndsAtOnce();
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;
};

/// Throws Interrupted once a signal has come.
void throw_if_interrupted();

/// Waits until `fd` is ready for `events` of poll(2); throws Interrupted if a signal comes first.
void wait_until_ready(int fd, short events);

/// Throws Interrupted if a signal comes meanwhile.
void pause_for(std::chrono::milliseconds time);

/// While it lives, wait_until_ready() throws Interrupted on this thread also when `event` becomes readable.
class WaitUnless {
 public:
  explicit WaitUnless(int event);
  ~WaitUnless();
  WaitUnless(const WaitUnless&) = delete;
  WaitUnless& operator=(const WaitUnless&) = delete;

 private:
  int before_;
};

}  // namespace warpaes::cli
