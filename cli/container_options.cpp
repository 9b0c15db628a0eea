#include "container_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "as_typed.hpp"
#include "direct_option.hpp"
#include "failure_report.hpp"
#include "option_checks.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

const std::map<std::string, ContainerCheck> kOutputChecks = {
    {"none", ContainerCheck::none},
    {"sample", ContainerCheck::sample},
    {"full", ContainerCheck::full},
};

std::optional<ByteRange> range_in(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto offset = number_in<uint64_t>(std::string_view(text).substr(0, colon));
  const auto bytes = number_in<uint64_t>(std::string_view(text).substr(colon + 1));
  if (!offset || !bytes) return std::nullopt;
  return ByteRange{*offset, *bytes};
}

}  // namespace

void ContainerOptions::add_output_options_to(CLI::App& command, const ContainerVerb& verb) {
  output.add_to(command, /*has_stream=*/!verb.rekeys);
  command.add_option("--output-folder", output_folder, "Where outputs go; it is made if it is missing")
      ->check(not_empty())
      ->excludes(command.get_option("--output"))
      ->option_text("FOLDER");
  auto* const no_sync_flag = command.add_flag(
      "--no-sync", no_sync, "Do not wait until outputs are on disk: a power cut may leave them empty");
  if (verb.rekeys) return;
  command.add_flag("--rm", remove, "Remove each input once its output is on disk")->excludes(no_sync_flag);
}

void ContainerOptions::add_to(CLI::App& command, const ContainerVerb& verb, ContainerKeys& keys,
                              ContainerKeys& new_keys) {
  add_list(command, "FILE", files, "Files, or - for standard input")->required()->option_text("...");
  if (verb.writes) add_output_options_to(command, verb);
  command.add_flag("-r,--recursive", recursive,
                   verb.encrypts ? "Take folders: all files below them that do not end in .wa"
                                 : "Take folders: all files below them that end in .wa");
  if (verb.encrypts) {
    command
        .add_option("--verify-output", output_check,
                    "Encrypt again on the CPU and compare: sample is one in 64 of the chunks that a GPU made")
        ->transform(named(kOutputChecks))
        ->option_text("none|sample|full (sample)");
  } else if (verb.writes && !verb.rekeys) {
    auto* const range_option =
        command
            .add_option("--range", range_text,
                        "Only these bytes of the plaintext: the first one's number, and how many")
            ->check([](const std::string& text) {
              if (range_in(text)) return std::string();
              return "it takes OFFSET:LENGTH, two numbers in decimal digits that are below 2^64, not '" +
                     shown(text) + "'";
            })
            ->option_text("OFFSET:LENGTH");
    command
        .add_flag(
            "--salvage", salvage,
            "Decrypt what is sound of a damaged file, with zeros for the rest; the exit code is 13 then")
        ->excludes(range_option);
  }
  command.add_flag("--direct", direct, kDirectDescription);
  keys.add_to(command);
  if (verb.rekeys) new_keys.add_new_to(command);
  engine.add_to(command);
  report.add_to(command);
}

bool ContainerOptions::to_standard_output(const std::string& input) const {
  if (!output.output.empty()) return is_standard_stream(output.output);
  return is_standard_stream(input);
}

bool ContainerOptions::writes_to_standard_output(const ContainerVerb& verb) const {
  const auto goes_there = [&](const std::string& file) { return to_standard_output(file); };
  return report.json || (verb.writes && std::ranges::any_of(files, goes_there));
}

void ContainerOptions::check(const ContainerVerb& verb) const {
  if (!output.output.empty() && takes_several()) {
    throw Refusal(ExitCode::usage, "-o names one output, and there are several files",
                  "--output-folder FOLDER; without it, each output gets its name from its input");
  }
  const auto has_no_file = [&](const std::string& file) {
    return is_standard_stream(file) && (!verb.writes || to_standard_output(file));
  };
  if (direct && std::ranges::any_of(files, has_no_file)) throw refuse_direct_streams();
  if (!verb.writes) return;
  if (!output_folder.empty() && std::ranges::any_of(files, is_standard_stream)) {
    throw Refusal(ExitCode::usage, "standard input has no name that its output could have in --output-folder",
                  "-o FILE");
  }
  if (remove && std::ranges::any_of(files, is_standard_stream)) {
    throw Refusal(ExitCode::usage, "--rm removes files, and standard input is none");
  }
  const bool to_stdout =
      std::ranges::any_of(files, [&](const auto& file) { return to_standard_output(file); });
  if (to_stdout && report.json) {
    throw Refusal(ExitCode::usage, "standard output cannot take both the data and --json", "-o FILE");
  }
  if (to_stdout && (remove || verb.rekeys)) {
    throw Refusal(ExitCode::usage,
                  verb.rekeys
                      ? "rekey replaces a file, and standard input or output is none"
                      : "--rm needs an output that can be brought to disk, and standard output is none",
                  "-o FILE");
  }
  if (verb.rekeys && no_sync && output.output.empty() && output_folder.empty()) {
    throw Refusal(ExitCode::usage, "--no-sync could lose the old file and the new one in a power cut",
                  "leave it out, or name another place with -o or --output-folder");
  }
  if (!range_text.empty() && takes_several()) throw Refusal(ExitCode::usage, "--range is of one file");
  if (!range_text.empty() && remove)
    throw Refusal(ExitCode::usage, "--rm would lose what is not of the --range");
}

std::vector<ListedFile> ContainerOptions::listed(const ContainerVerb& verb) const {
  if (!recursive) return named_files(files);
  return listed_files(files, verb.encrypts ? ListedNames::all_but_containers : ListedNames::containers);
}

void ContainerOptions::refuse_container(const ContainerVerb& verb, const std::string& path) const {
  if (!verb.encrypts || output.force || !is_container_name(path)) return;
  throw Refusal(ExitCode::error,
                fmt::format("{} ends in {}, so it is encrypted already", shown(path), kSuffix),
                "rekey gives it another key or passphrase; --force encrypts it once more");
}

void ContainerOptions::refuse_folder(const ContainerVerb& verb, const std::string& path) const {
  std::error_code unknown;  // opening it says what is wrong
  if (recursive || !std::filesystem::is_directory(path, unknown)) return;
  const std::string name = shown(path);
  throw Refusal(ExitCode::error, name + " is a folder",
                verb.encrypts ? fmt::format("-r takes the files in it; or make one file of it: tar -c {} | "
                                            "warpaes encrypt - -o FILE.tar.wa",
                                            name)
                              : "-r takes the files in it that end in .wa");
}

std::optional<ByteRange> ContainerOptions::range() const { return range_in(range_text); }

std::optional<uint64_t> ContainerOptions::plaintext_bytes(const ContainerVerb& verb,
                                                          const InputFile& input) const {
  if (!input.size()) return std::nullopt;
  const uint64_t all = verb.plaintext_bytes(*input.size());
  const ByteRange wanted = range().value_or(ByteRange{0, all});
  return std::min(wanted.bytes, all - std::min(wanted.offset, all));
}

}  // namespace warpaes::cli
