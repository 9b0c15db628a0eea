// A line chart as SVG and as a table: what a study has measured, without JavaScript.
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
  std::string label, unit;  // unit may be ""
  Scale scale = Scale::linear;
  std::vector<std::string> names = {};
};

struct Point {
  double x, y;
};

struct Series {
  std::string name;
  bool published = false;  // of somebody else, on other hardware: dashed and hollow
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

/// The same as a file of its own.
std::string svg_file_of(const Chart& chart);

/// A `table` element: a row for each x, a column for each series.
std::string table_of(const Chart& chart);

/// Style sheet of charts: light, dark where that is preferred, light in print.
std::string chart_style();

/// "64 KiB", "12.3", "shared": as ticks, tables and hover texts tell it.
std::string value_text(const ChartAxis& axis, double value);

}  // namespace warpaes::core::lab
