#pragma once

#include <string>

#include "command_tree.hpp"

namespace warpaes::cli {

/// A command's manual page, as man(7) describes the format.
std::string manual_page(const CommandRow& command);

/// "warpaes-kdf-scrypt.1"
std::string manual_page_name(const CommandRow& command);

}  // namespace warpaes::cli
