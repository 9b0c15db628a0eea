// How one input's output gets where it belongs: to a file that appears when all of it is right, or to
// standard output.
#pragma once

#include <functional>
#include <memory>

#include "input_file.hpp"
#include "output_file.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

struct Delivery {
  FilePlace output;               // or "-"
  bool force = false;             // replace a file that exists; write to a terminal
  bool replaces_input = false;    // does it take the input's place, with its owner, group and permissions?
  bool sync = true;               // wait for the disk before the file gets its name?
  bool direct = false;            // write the file past the page cache
  bool to_terminal = false;       // may a terminal have it without force?
  bool has_stream = true;         // could it go to standard output?
  std::optional<uint64_t> bytes;  // of output, if known: set aside once the input has proved to be right
  SparedFiles spared = {};
  std::string elsewhere = "-o names another file";  // what the command has for that
  /// A file without which the output is worth nothing, if the work has made one: it is published with it.
  std::optional<OutputFile>* beside = nullptr;
};

/// Throws if the output is the input, and may not replace it, or a file that has to stay.
void check_output(const Delivery& delivery, const InputFile& input);

/// Throws what make_file() or to_standard_output() would before any work, and leaves nothing behind.
void try_output(const Delivery& delivery, const InputFile& input);

/// Has `work` write a file, which has its permissions then, but is not on disk and has no name yet. Refuses
/// to overwrite the input.
std::unique_ptr<OutputFile> make_file(const Delivery& delivery, const InputFile& input,
                                      const std::function<void(ByteSink&)>& work);

/// Has `work` write to standard output, which is not the input, nor a file that has to stay
/// (require_no_standard_output()).
void to_standard_output(const Delivery& delivery, const InputFile& input,
                        const std::function<void(ByteSink&)>& work);

/// One or the other, and brings the file to disk. Has `work` write the output. Refuses to overwrite the
/// input.
/// @return seconds that the disk was waited for
double deliver(const Delivery& delivery, const InputFile& input, const std::function<void(ByteSink&)>& work);

}  // namespace warpaes::cli
