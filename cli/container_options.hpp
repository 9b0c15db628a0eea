#pragma once

#include <optional>
#include <string>
#include <vector>

#include "container_command.hpp"
#include "container_keys.hpp"
#include "engine_options.hpp"
#include "file_list.hpp"
#include "output_options.hpp"
#include "report_options.hpp"

namespace warpaes::cli {

/// The options of encrypt, decrypt, verify and rekey, but for those of keys.
struct ContainerOptions {
  std::vector<std::string> files;
  OutputOptions output;
  std::string output_folder;
  bool recursive = false, no_sync = false, remove = false, salvage = false, direct = false;
  std::string range_text;
  ContainerCheck output_check = ContainerCheck::sample;
  EngineOptions engine;
  ReportOptions report;

  void add_to(CLI::App& command, const ContainerVerb& verb, ContainerKeys& keys, ContainerKeys& new_keys);
  /// Throws a usage Refusal for options that do not fit together.
  void check(const ContainerVerb& verb) const;

  bool takes_several() const { return files.size() > 1 || recursive; }

  /// Throws for what is a container by its name, if it would be encrypted a second time: that is most often a
  /// mistake, and -r leaves it out.
  void refuse_container(const ContainerVerb& verb, const std::string& path) const;

  /// Throws for a folder, unless folders are taken.
  void refuse_folder(const ContainerVerb& verb, const std::string& path) const;

  /// The files that are to be worked on.
  std::vector<ListedFile> listed(const ContainerVerb& verb) const;
  bool to_standard_output(const std::string& input) const;
  /// Does the run write anything to standard output, data or reports?
  bool writes_to_standard_output(const ContainerVerb& verb) const;
  std::optional<ByteRange> range() const;
  /// How much plaintext the input has, or the range of it that was asked for, if that is known.
  std::optional<uint64_t> plaintext_bytes(const ContainerVerb& verb, const InputFile& input) const;

 private:
  void add_output_options_to(CLI::App& command, const ContainerVerb& verb);
};

}  // namespace warpaes::cli
