// What encrypt, decrypt, verify and rekey have in common: options, the loop over files, where the output
// goes, what is reported. Each of them is a row of what is different.
#pragma once

#include <string>

#include "command.hpp"
#include "container_name.hpp"
#include "container_work.hpp"

namespace warpaes::cli {

struct ContainerVerb {
  const char* name;
  const char* description;
  const char* past;  // "encrypted"
  bool writes;       // has an output
  bool to_terminal;  // may that be a terminal?
  bool encrypts;     // plaintext comes in
  bool rekeys;       // has a second key, and replaces its input

  /// Name of the output that belongs to an input.
  std::string (*output_name)(const std::string& input);
  /// Plaintext and output bytes that an input of this length gives.
  uint64_t (*plaintext_bytes)(uint64_t input_bytes);
  uint64_t (*output_bytes)(uint64_t input_bytes);
  FileResult (*work)(const FileWork& work);
};

/// Adds the sub-command of that row.
void register_container_verb(CLI::App& app, ExitCode& exit_code, const ContainerVerb& verb);

}  // namespace warpaes::cli
