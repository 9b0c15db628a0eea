#pragma once

#include <string>

#include "byte_sink.hpp"
#include "file_descriptor.hpp"
#include "spared_file.hpp"

namespace warpaes::cli {

/// Standard output as a place for data; counts what it wrote.
class StandardOutput : public ByteSink {
 public:
  StandardOutput() {
    require_open_to(STDOUT_FILENO, Way::out, "standard output");
    widen_pipe(STDOUT_FILENO);
  }
  void write(std::span<const uint8_t> bytes) override {
    write_fully(STDOUT_FILENO, bytes, "standard output", &written_);
  }
  uint64_t written() const { return written_; }

 private:
  uint64_t written_ = 0;
};

/// Is standard output the file of this name, as behind a shell's `> NAME`? "-" is standard input.
bool is_standard_output(const std::string& path);

/// For runs that write data or reports to standard output: throws a usage Refusal if that is a file which is
/// to be read, as behind a shell's `>> FILE`. Nothing can be written there any more then, the error's line of
/// --json neither.
/// @param input "-" is standard input
void require_no_standard_output(const std::string& input);
/// The same for what is needed besides the input: the key, say.
void require_no_standard_output(const SparedFiles& needed);

}  // namespace warpaes::cli
