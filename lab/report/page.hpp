// A page of HTML that needs nothing else: no network, and nothing of it depends on JavaScript.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lab/report/chart.hpp"

namespace warpaes::core::lab {

/// The first column names the row.
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
  std::vector<std::string> left_out = {};  // what is not there, and why
};

struct Page {
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::vector<std::pair<std::string, std::string>> facts = {};  // of the machine: name, value
  std::vector<Section> sections = {};
};

std::string html_of(const Page& page);

}  // namespace warpaes::core::lab
