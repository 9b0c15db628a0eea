// The sub-commands of `warpaes lab`; each is added to that.
#pragma once

#include "command.hpp"

namespace warpaes::cli {

RegisterCommand register_lab_penguin;  // lab_penguin_command.cpp

}  // namespace warpaes::cli
