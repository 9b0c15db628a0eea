// The program warpaes.
#include "program.hpp"

namespace {

using namespace warpaes::cli;

constexpr ProgramCommand kCommands[] = {
    {"encrypt", register_encrypt},
    {"decrypt", register_decrypt},
    {"verify", register_verify},
    {"rekey", register_rekey},
    {"inspect", register_inspect},
    {"keygen", register_keygen},
    {"raw", register_raw},
    {"kdf", register_kdf},
    {"mac", register_mac},
    {"engines", register_engines},
    {"devices", register_devices},
    {"selftest", register_selftest},
    {"calibrate", register_calibrate},
    {"bench", register_bench},
    {"lab", register_lab},
    {"completion", register_completion, /*reads_all=*/true},
    {"manual", register_manual, /*reads_all=*/true},
};

}  // namespace

int main(int argc, char** argv) {
  run_program({"warpaes", "Encrypts and decrypts files with AES-GCM, on the CPU and on GPUs.", kCommands},
              argc, argv);
}
