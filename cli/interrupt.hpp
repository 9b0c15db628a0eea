// SIGINT, SIGTERM and the other signals that end a program from outside become an exception at the next read
// or write, so that destructors wipe keys and remove what is unfinished. Another signal, a second later or
// more, ends the process at once.
#pragma once

namespace warpaes::cli {

class Interrupted {};

/// For commands that leave something unfinished, and for all that ask for a passphrase, as the terminal shows
/// nothing meanwhile; the others end as programs do. A closed pipe becomes an error of write(2). A second
/// call changes nothing.
void install_interrupt_handlers();

/// While it lives, a signal ends the process at once: for long computations, of which nothing would remain.
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
