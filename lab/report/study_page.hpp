// Makes the page of a run of studies from the lines that the run has written; docs/lab.md describes these.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "lab/report/page.hpp"

namespace warpaes::core::lab {

using JsonLine = nlohmann::ordered_json;

/// Throws std::out_of_range, with the line's number, for a line that lacks what it should have, and where
/// there is no study.
Page page_of(std::span<const JsonLine> lines);

}  // namespace warpaes::core::lab
