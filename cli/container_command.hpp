// What encrypt, decrypt and verify have in common: options, the loop over files, where the output goes,
// what is reported. Each of them is a row of what is different.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "container/cobblestone.hpp"
#include "engine_options.hpp"
#include "input_file.hpp"
#include "key_options.hpp"
#include "report_options.hpp"

namespace warpaes::core::cli {

constexpr const char* kSuffix = ".wa";

struct ContainerVerb {
  const char* name;
  const char* description;
  const char* past;  // "encrypted"
  bool writes;       // has an output
  bool to_terminal;  // may that be a terminal?
  bool encrypts;     // and so has --verify-output

  /// Name of the output that belongs to an input, or "" if there is none.
  std::string (*output_name)(const std::string& input);
  /// Plaintext and output bytes that an input of this length gives.
  uint64_t (*plaintext_bytes)(uint64_t input_bytes);
  uint64_t (*output_bytes)(uint64_t input_bytes);
  /// @return plaintext bytes
  uint64_t (*work)(Context& context, const cobblestone::InputKey& key, ByteSource& from, ByteSink& to,
                   const cobblestone::Progress& progress, cobblestone::OutputCheck check);
};

/// Adds the sub-command of that row.
void register_container_verb(CLI::App& app, ExitCode& exit_code, const ContainerVerb& verb);

}  // namespace warpaes::core::cli
