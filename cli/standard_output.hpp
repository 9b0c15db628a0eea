#pragma once

#include "byte_sink.hpp"
#include "file_descriptor.hpp"

namespace warpaes::cli {

/// Standard output as a place for data; counts what it wrote.
class StandardOutput : public ByteSink {
 public:
  StandardOutput() {
    require_open_to(STDOUT_FILENO, Way::out, "standard output");
    widen_pipe(STDOUT_FILENO);
  }
  void write(std::span<const uint8_t> bytes) override {
    write_fully(STDOUT_FILENO, bytes, "standard output");
    written_ += bytes.size();
  }
  uint64_t written() const { return written_; }

 private:
  uint64_t written_ = 0;
};

}  // namespace warpaes::cli
