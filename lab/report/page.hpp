// A page of HTML that needs nothing else: no network, and JavaScript only for extras.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/report/chart.hpp"

namespace warpaes::core::lab {

/// A table whose first column names the rows.
struct Table {
  std::string title;
  std::vector<std::string> columns = {};
  std::vector<std::vector<std::string>> rows = {};
};

struct Section {
  std::string id, title;
  std::vector<std::string> paragraphs = {};
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
  std::vector<std::string> left_out = {};  // what is missing on the page, and why
};

struct Page {
  std::string title;
  std::vector<std::string> paragraphs = {};
  // What is known of the machine, each with a name and a value.
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::vector<Section> sections = {};
};

std::string html_of(const Page& page);

}  // namespace warpaes::core::lab
