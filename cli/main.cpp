// The program warpaes.
#include "program.hpp"

namespace {

using namespace warpaes::core::cli;

constexpr RegisterCommand* kCommands[] = {
    register_encrypt, register_decrypt, register_verify,     register_rekey,
    register_inspect, register_keygen,  register_raw,        register_kdf,
    register_mac,     register_engines, register_devices,    register_selftest,
    register_bench,   register_lab,     register_completion, register_manual,
};

}  // namespace

int main(int argc, char** argv) {
  return run_program(
      {"warpaes", "Encrypts and decrypts files with AES-GCM, on the GPU if there is one.", kCommands}, argc,
      argv);
}
