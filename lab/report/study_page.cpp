#include "lab/report/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "lab/report/step_table.hpp"

namespace warpaes::core::lab {
namespace {

std::string text_of(const JsonLine& line, const char* name) {
  const auto found = line.find(name);
  if (found == line.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

struct Fact {
  const char* name;
  const char* field;
};

constexpr Fact kFacts[] = {
    {"GPU", "gpu"},         {"Compute capability", "compute_capability"},
    {"Driver", "driver"},   {"CPU", "cpu"},
    {"CPU cores", "cores"}, {"OpenSSL", "openssl"},
    {"System", "system"},   {"Date", "date"},
    {"WarpAES", "warpaes"}, {"Commit", "commit"},
};

const std::map<std::string, Scale> kScales = {
    {"linear", Scale::linear}, {"log", Scale::log}, {"bytes", Scale::bytes}, {"category", Scale::category}};

Scale scale_of(const std::string& name) {
  const auto found = kScales.find(name);
  if (found != kScales.end()) return found->second;
  throw std::out_of_range(fmt::format("its axis has the scale '{}', which there is not", name));
}

ChartAxis axis_of(const JsonLine& json) {
  ChartAxis axis{json.at("label"), text_of(json, "unit"), scale_of(json.at("scale")), {}};
  if (json.contains("names")) axis.names = json.at("names").get<std::vector<std::string>>();
  return axis;
}

/// Without "[json.exception.out_of_range.403] ", which the library of JSON begins with.
std::string_view without_its_number(std::string_view what) {
  const size_t end = what.starts_with('[') ? what.find("] ") : std::string_view::npos;
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

class Builder {
 public:
  void add(const JsonLine& line) {
    const std::string type = line.at("type");
    if (type == "machine") add_machine(line);
    if (type == "study") add_study(line);
    if (type == "chart") add_chart(line);
    if (type == "result" || type == "published" || type == "counters") add_result(line, type == "published");
    if (type == "finding") section_of(line).paragraphs.push_back(line.at("text"));
    if (type == "left_out") add_left_out(line);
    if (type == "interrupted")
      page_.paragraphs.emplace_back("This run was interrupted: what follows is what was measured.");
  }

  Page page() {
    for (Section& section : page_.sections) {
      // Lines of this machine come first, although published figures were known before.
      for (Chart& chart : section.charts)
        std::ranges::stable_partition(chart.series, std::not_fn(&Series::published));
      add_tables(section);
      for (const auto& [reason, what] : left_out_[section.id]) {
        section.left_out.push_back(fmt::format("{}: {}", reason, fmt::join(what, "; ")));
      }
    }
    return std::move(page_);
  }

 private:
  /// Adds a table for comparisons of steps that have more than one quantity.
  void add_tables(Section& section) const {
    for (const auto& [panel, shown] : shown_) {
      if (panel.first != section.id || shown.size() < 2) continue;
      std::vector<Column> columns;
      for (const Shown& each : shown) {
        const auto chart = std::ranges::find(section.charts, each.chart, &Chart::id);
        columns.push_back({&*chart, each.field == "gb_per_s"});
      }
      if (auto table = step_table(columns)) section.tables.push_back(std::move(*table));
    }
  }

  void add_machine(const JsonLine& line) {
    const std::string gpu = text_of(line, "gpu");
    page_.title = "AES on " + (gpu.empty() ? text_of(line, "cpu") : gpu);
    if (gpu.empty())
      page_.paragraphs.emplace_back("There is no GPU in this machine, so nothing of a GPU was measured.");
    page_.paragraphs.emplace_back(
        "Unless something else is said, each value is the median of repeated samples after a warm-up. What "
        "was "
        "computed was compared with OpenSSL's result. Dashed lines are figures that others have published, "
        "on "
        "their own hardware, which is named.");
    for (const Fact& fact : kFacts) {
      if (const std::string value = text_of(line, fact.field); !value.empty())
        page_.facts.emplace_back(fact.name, value);
    }
  }

  void add_study(const JsonLine& line) {
    Section section{line.at("study"), line.at("title"), {line.at("question")}};
    if (std::ranges::find(page_.sections, section.id, &Section::id) != page_.sections.end())
      throw std::out_of_range(fmt::format("the study '{}' begins a second time", section.id));
    for (const char* field : {"source", "note"}) {
      if (const std::string text = text_of(line, field); !text.empty()) section.paragraphs.push_back(text);
    }
    page_.sections.push_back(section);
  }

  Section& section_of(const JsonLine& line) {
    const auto found = std::ranges::find(page_.sections, line.at("study").get<std::string>(), &Section::id);
    if (found == page_.sections.end()) throw std::out_of_range("a line of a study that has not begun");
    return *found;
  }

  void add_chart(const JsonLine& line) {
    const std::string study = line.at("study"), chart = line.at("chart");
    const std::string id = study + "-" + chart;
    section_of(line).charts.push_back(
        {id, line.at("title"), axis_of(line.at("x")), axis_of(line.at("y")), {}});
    shown_[{study, line.at("panel")}].push_back({id, line.at("y").at("field")});
  }

  /// Adds a point to each chart of the panel whose quantity the result has.
  void add_result(const JsonLine& line, bool published) {
    auto& charts = section_of(line).charts;
    for (const Shown& shown : shown_[{line.at("study"), line.at("panel")}]) {
      const auto value = line.find(shown.field);
      if (value == line.end() || value->is_null()) continue;
      const auto chart = std::ranges::find(charts, shown.chart, &Chart::id);
      const std::string name = line.at("series");
      auto series = std::ranges::find(chart->series, name, &Series::name);
      if (series == chart->series.end()) {
        chart->series.push_back({name, published, {}});
        series = chart->series.end() - 1;
      }
      series->points.push_back({line.at("x"), *value});
    }
    if (!published && !line.value("verified", true)) {
      section_of(line).paragraphs.push_back(fmt::format("WRONG: {} computed something else than OpenSSL: {}",
                                                        line.at("series").get<std::string>(),
                                                        text_of(line, "mismatch")));
    }
  }

  void add_left_out(const JsonLine& line) {
    left_out_[line.at("study")][line.at("reason")].push_back(line.at("what"));
  }

  struct Shown {
    std::string chart, field;
  };

  Page page_{"AES"};
  std::map<std::pair<std::string, std::string>, std::vector<Shown>> shown_;          // by study and panel
  std::map<std::string, std::map<std::string, std::vector<std::string>>> left_out_;  // by study and reason
};

}  // namespace

Page page_of(std::span<const JsonLine> lines) {
  Builder builder;
  for (size_t i = 0; i < lines.size(); i++) {
    try {
      builder.add(lines[i]);
    } catch (const JsonLine::exception& reason) {
      throw std::out_of_range(fmt::format("line {}: {}", i + 1, without_its_number(reason.what())));
    } catch (const std::out_of_range& reason) {
      throw std::out_of_range(fmt::format("line {}: {}", i + 1, reason.what()));
    }
  }
  Page page = builder.page();
  if (page.sections.empty()) throw std::out_of_range("there is no study in it");
  return page;
}

}  // namespace warpaes::core::lab
