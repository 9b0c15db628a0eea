// The results of studies as files: a page and its charts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/report/study_page.hpp"

namespace warpaes::cli {

namespace lab = core::lab;

/// The lines of a file, or of standard input for "-". Throws Refusal, with the line's number, for what is not
/// JSON; a last line without an end, as an interrupted run leaves it, is passed over.
std::vector<lab::JsonLine> json_lines_in(const std::string& path);

/// Throws if write_report() could not write the page and the charts that these lines begin: before work whose
/// results would not be drawn.
void require_place_for_report(std::span<const lab::JsonLine> lines, const std::string& folder, bool replace);

/// Writes report.html and an SVG for each chart into the folder, which is made if it is missing. Throws
/// before any of them has its name if one is there already and may not be replaced, and std::out_of_range for
/// a chart's name that would lead out of the folder. @return the page's path
std::string write_report(std::span<const lab::JsonLine> lines, const std::string& folder, bool replace);

}  // namespace warpaes::cli
