// The CPU engine that is this project's own reference: the standard as it is written, and its T-table
// form. Any machine runs it.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

extern const Engine portable_t_tables;
extern const Engine portable_fips197;

}  // namespace warpaes::core
