// The hardware's limits out of an earlier run's report, so that one run of several commands measures them
// once.
#pragma once

#include <string>
#include <vector>

#include "limits.hpp"

namespace warpaes::bench {

/// @param path what `warpaes bench --limits --json` printed: a JSON object a line
/// @param gpu the name of the GPU that it has to be of
/// Throws an Error(OPTION) if the file cannot be read, or is of another GPU, or has none of the limits.
std::vector<MeasuredLimit> limits_in(const std::string& path, const std::string& gpu);

}  // namespace warpaes::bench
