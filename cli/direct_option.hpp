// --direct, which several commands have.
#pragma once

#include "failure_report.hpp"

namespace warpaes::cli {

inline constexpr const char* kDirectDescription =
    "Read and write files past the page cache (O_DIRECT), so that a file larger than memory leaves it to "
    "others";

inline Refusal refuse_direct_streams() {
  return Refusal(ExitCode::usage, "--direct is for files, and standard input and output are none",
                 "name a file, or leave out --direct");
}

}  // namespace warpaes::cli
