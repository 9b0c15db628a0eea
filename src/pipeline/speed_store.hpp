// What warpaes_context_calibrate() measured, kept in the user's cache folder ($XDG_CACHE_HOME, or ~/.cache)
// for the programs that run later. It decides nothing but whether a GPU takes part in a call, so a wrong file
// costs speed and no more.
#pragma once

#include <filesystem>
#include <optional>

#include "pipeline/host_speed.hpp"

namespace warpaes::core {

/// The name of a kind of work in the file, and in what the tool prints.
const char* name_of(WorkKind kind);

/// The file for contexts like this one, on this machine: with this version of the library, these GPUs,
/// driver, CPU, engines and threads. Empty if the user has no such folder.
std::filesystem::path speed_file(const Context& context);

/// Nothing if there is no file, if it is another machine's, or if it is damaged.
std::optional<AllHostSpeeds> load_speeds(const Context& context);

/// Replaces the file as a whole. Throws FILE if that cannot be done.
void store_speeds(const Context& context, const AllHostSpeeds& speeds);

}  // namespace warpaes::core
