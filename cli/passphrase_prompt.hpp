#pragma once

#include "secret_file.hpp"

namespace warpaes::cli {

/// Asks at the terminal, even if standard input is something else, without showing what is typed. A new
/// passphrase is asked for twice, as nobody sees a mistake. Throws if there is no terminal, or the answers
/// differ.
enum class Passphrase { known, fresh };
SecretBytes ask_for_passphrase(Passphrase kind, const std::string& prompt = "Passphrase: ");

}  // namespace warpaes::cli
