#pragma once

#include "secret_file.hpp"

namespace warpaes::cli {

enum class Passphrase { known, fresh };

/// Asks at the terminal, even if standard input is something else, without showing what is typed. A new
/// passphrase is asked for twice, as nobody sees a mistake. Throws if there is no terminal, or the answers
/// differ.
/// @param name of the options that would give it, as "new-passphrase"
SecretBytes ask_for_passphrase(Passphrase kind, const std::string& prompt, const std::string& name);

}  // namespace warpaes::cli
