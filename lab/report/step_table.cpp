#include "lab/report/step_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpaes::core::lab {
namespace {

constexpr const char* kNone = "–";

/// The title of the panel, which stands in the chart's title before the name of the quantity.
std::string title_without_quantity(const Chart& chart) {
  const std::string end = ": " + chart.y.label;
  return chart.title.ends_with(end) ? chart.title.substr(0, chart.title.size() - end.size()) : chart.title;
}

std::optional<double> value_at(const Series& series, double x) {
  const auto point = std::ranges::find(series.points, x, &Point::x);
  if (point == series.points.end()) return std::nullopt;
  return point->y;
}

/// The line that was measured on this machine, or null. Lines of this machine come first.
const Series* own(const Chart& chart) {
  return chart.series.empty() || chart.series.front().published ? nullptr : &chart.series.front();
}

bool is_comparable(const Column& column, const ChartAxis& x) {
  const auto& series = column.chart->series;
  return column.chart->x.scale == Scale::category && column.chart->x.names == x.names &&
         std::ranges::count(series, false, &Series::published) <= 1;
}

std::string gain_text(const Series& series, size_t step) {
  const auto here = value_at(series, static_cast<double>(step));
  for (size_t before = step; here && before-- > 0;) {
    const auto there = value_at(series, static_cast<double>(before));
    if (there && *there > 0) return fmt::format("× {:.2f}", *here / *there);
  }
  return kNone;
}

}  // namespace

std::optional<Table> step_table(std::span<const Column> columns) {
  if (columns.empty()) return std::nullopt;
  const ChartAxis& x = columns.front().chart->x;
  if (!std::ranges::all_of(columns, [&](const Column& column) { return is_comparable(column, x); }))
    return std::nullopt;
  Table table{title_without_quantity(*columns.front().chart) + ": step by step", {x.label}, {}};
  for (const std::string& name : x.names) table.rows.push_back({name});
  for (const Column& column : columns) {
    const Chart& chart = *column.chart;
    const Series* const series = own(chart);
    if (series == nullptr) continue;
    table.columns.push_back(chart.y.unit.empty() ? chart.y.label
                                                 : fmt::format("{}, {}", chart.y.label, chart.y.unit));
    if (column.with_gain) table.columns.emplace_back("Gain");
    for (size_t step = 0; step < x.names.size(); step++) {
      const auto value = value_at(*series, static_cast<double>(step));
      table.rows[step].push_back(value ? value_text(chart.y, *value) : kNone);
      if (column.with_gain) table.rows[step].push_back(gain_text(*series, step));
    }
  }
  if (table.columns.size() == 1) return std::nullopt;
  return table;
}

}  // namespace warpaes::core::lab
