#pragma once

#include "secret_file.hpp"

namespace warpaes::core::cli {

/// Asks at the terminal, even if standard input is something else, without showing what is typed; twice, as
/// nobody sees a mistake. Throws if there is no terminal, or the answers differ.
SecretBytes ask_for_passphrase();

}  // namespace warpaes::core::cli
