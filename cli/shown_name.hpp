#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpaes::cli {

/// A file's name as messages show it: itself, unless it holds what a terminal would obey or hide (control
/// characters, changes of the writing direction, bytes that are no UTF-8). Then it is quoted as shells read
/// it back: $'two\nlines'.
std::string shown(std::string_view name);

/// A message as a terminal may get it: whatever of the above is in it, but line ends, is written as an
/// escape.
std::string without_controls(std::string_view message);

/// Of an input, which "-" may name, or an output.
std::string shown_input(const std::string& path);
std::string shown_output(const std::string& path);

/// "1 byte", "3 bytes"
std::string told_bytes(uint64_t bytes);

}  // namespace warpaes::cli
