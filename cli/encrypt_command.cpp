#include <CLI/CLI.hpp>

#include "container_command.hpp"

namespace warpaes::cli {

void register_encrypt(CLI::App& app, ExitCode& exit_code) {
  static constexpr ContainerVerb kVerb = {
      .name = "encrypt",
      .description = "Encrypt files: FILE becomes FILE.wa",
      .past = "encrypted",
      .writes = true,
      .to_terminal = false,
      .encrypts = true,
      .rekeys = false,
      .output_name =
          [](const std::string& input) { return is_standard_stream(input) ? input : input + kSuffix; },
      .plaintext_bytes = [](uint64_t input_bytes) { return input_bytes; },
      .output_bytes = container_size,
      .work = encrypt_file,
  };
  register_container_verb(app, exit_code, kVerb);
}

}  // namespace warpaes::cli
