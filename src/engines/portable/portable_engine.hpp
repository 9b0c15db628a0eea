// The CPU engine that is this project's own reference: FIPS 197 as it is written, and its form with T-tables.
// It runs on any machine.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

extern const Engine portable_t_tables;
extern const Engine portable_fips197;

}  // namespace warpaes::core
