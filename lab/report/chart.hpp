// A line chart of what a study has measured, as SVG and as a table, without JavaScript.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpaes::core::lab {

enum class Scale {
  linear,
  log,       // ticks at powers of ten
  bytes,     // logarithmic, ticks at powers of two, labelled as sizes
  category,  // x is an index into Axis::names
};

struct ChartAxis {
  std::string label, unit;  // `unit` may be ""
  Scale scale = Scale::linear;
  std::vector<std::string> names = {};
};

struct Point {
  double x, y;
};

struct Series {
  std::string name;
  // Was this published by somebody else, on other hardware? Its line is dashed, and its points are hollow.
  bool published = false;
  std::vector<Point> points = {};
};

struct Chart {
  std::string id;  // letters, digits, hyphens
  std::string title;
  ChartAxis x, y;
  std::vector<Series> series = {};
};

/// An `svg` element that depends on chart_style() for its colours. Points that an axis cannot show (not
/// finite, or not above 0 on a logarithmic one) are left out.
std::string svg_of(const Chart& chart);

/// The same as a file by itself.
std::string svg_file_of(const Chart& chart);

/// A `table` element: a row for each x, a column for each series.
std::string table_of(const Chart& chart);

/// The style sheet of charts: light, or dark where the reader prefers that; light in print.
std::string chart_style();

/// A value as ticks, tables and hover texts show it, for example "64 KiB", "12.3" or "shared".
std::string value_text(const ChartAxis& axis, double value);

}  // namespace warpaes::core::lab
