// The program warpaes-lab, which `warpaes lab` starts. It is apart so that the program that encrypts people's
// files is not linked with kernels whose time tells of the key.
#include "failure.hpp"
#include "lab_commands.hpp"
#include "program.hpp"
#include "warpaes/memory.hpp"

namespace {

using namespace warpaes::cli;

constexpr ProgramCommand kCommands[] = {
    {"list", register_lab_list},
    {"show", register_lab_show},
    {"run", register_lab_run},
    {"penguin", register_lab_penguin},
    {"study", register_lab_study},
    {"report", register_lab_report},
    {"key-byte", register_lab_key_byte},
    {"completion", register_completion, /*reads_all=*/true},
    {"manual", register_manual, /*reads_all=*/true},
};

/// The lab is made of the library's internals, whose exceptions the tool does not know.
[[noreturn]] void rethrow() {
  try {
    throw;
  } catch (const warpaes::core::Failure& failure) {
    throw warpaes::Error(failure.status(), failure.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  run_program({"warpaes lab", "Teaching kernels: read, run and measure them", kCommands, rethrow}, argc,
              argv);
}
