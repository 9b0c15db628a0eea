#pragma once

#include "output_file.hpp"

namespace warpaes::cli {

/// For the commands of the lab whose -o is a folder.
inline const OutputHints kLabHints = {.exists = "--force replaces it; -o names another folder",
                                      .elsewhere = "-o names another folder",
                                      .has_stream = false};

}  // namespace warpaes::cli
