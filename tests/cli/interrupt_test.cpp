// A signal that comes twice at once, as timeout(1) sends it, is one; a second one later ends the program.
#include "interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace warpaes::cli {
namespace {

constexpr int kInterrupted = 42;

void interrupt_twice(std::chrono::milliseconds between) {
  std::signal(SIGTERM, SIG_DFL);  // the tests may run where it is ignored
  install_interrupt_handlers();
  raise(SIGTERM);
  std::this_thread::sleep_for(between);
  raise(SIGTERM);
  try {
    throw_if_interrupted();
  } catch (const Interrupted&) {
    _exit(kInterrupted);
  }
  _exit(0);
}

TEST(Interrupt, OfTwoSignalsAtOnceTheSecondChangesNothing) {
  for (const int milliseconds : {0, 1, 100}) {
    EXPECT_EXIT(interrupt_twice(std::chrono::milliseconds(milliseconds)),
                testing::ExitedWithCode(kInterrupted), "");
  }
}

TEST(Interrupt, ASecondSignalLaterEndsTheProgram) {
  EXPECT_EXIT(interrupt_twice(std::chrono::milliseconds(1100)), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace warpaes::cli
