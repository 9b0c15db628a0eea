// The shape of a sub-command: a function that adds it to the parser. What it does runs as the
// sub-command's callback, which stores the exit code, or throws (failure_report.hpp says what becomes of it).
#pragma once

#include "exit_code.hpp"
#include "option_parser.hpp"

namespace warpaes::cli {

using RegisterCommand = void(CLI::App& app, ExitCode& exit_code);

RegisterCommand register_encrypt;
RegisterCommand register_decrypt;
RegisterCommand register_verify;
RegisterCommand register_rekey;
RegisterCommand register_inspect;
RegisterCommand register_keygen;
RegisterCommand register_raw;
RegisterCommand register_kdf;
RegisterCommand register_mac;
RegisterCommand register_engines;
RegisterCommand register_devices;
RegisterCommand register_calibrate;
RegisterCommand register_selftest;
RegisterCommand register_bench;       // bench_command.cpp
RegisterCommand register_lab;         // lab_command.cpp
RegisterCommand register_completion;  // documentation_commands.cpp, for both programs
RegisterCommand register_manual;

}  // namespace warpaes::cli
