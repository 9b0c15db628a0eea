// The results of studies as files: a page and its charts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/report/study_page.hpp"

namespace warpaes::cli {

namespace lab = core::lab;

/// The file's lines. Throws Refusal, with the line's number, for what is not JSON; a last line without an
/// end, as an interrupted run leaves it, is passed over.
std::vector<lab::JsonLine> json_lines_in(const std::string& path);

/// Writes report.html and an SVG for each chart into the folder, which is made if it is missing, and replaces
/// what is there of those names. @return the page's path
std::string write_report(std::span<const lab::JsonLine> lines, const std::string& folder);

}  // namespace warpaes::cli
