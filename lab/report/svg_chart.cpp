#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lab/report/axis_scale.hpp"
#include "lab/report/chart.hpp"
#include "lab/report/markup.hpp"

namespace warpaes::core::lab {
namespace {

// In units of the drawing, which becomes as wide as the page allows.
constexpr double kWidth = 800, kHeight = 440;
constexpr double kLeft = 70, kRight = 560, kTop = 20, kBottom = 370;  // of the plot; names stand right of it
constexpr double kNameHeight = 16;

/// Colours repeat after this number of series, and shapes of points after a smaller number, so that no two
/// lines look alike.
constexpr size_t kColours = 8, kShapes = 3;

std::string marker(size_t shape, double x, double y) {
  constexpr double r = 4;
  switch (shape) {
    case 0:
      return fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{}"/>)", x, y, r);
    case 1:
      return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="{}" height="{}"/>)", x - r, y - r, 2 * r,
                         2 * r);
    default:
      return fmt::format(R"(<path d="M{:.1f} {:.1f}l5 5l-5 5l-5 -5z"/>)", x, y - 5);
  }
}

struct Name {
  double y;
  size_t series;
};

/// Moves names apart that would overlap, and keeps them within the drawing.
void spread(std::vector<Name>& names) {
  std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.y < b.y; });
  double lowest = kTop;
  for (Name& name : names) {
    name.y = std::max(name.y, lowest);
    lowest = name.y + kNameHeight;
  }
  double highest = kHeight - 10;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    name->y = std::min(name->y, highest);
    highest = name->y - kNameHeight;
  }
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart)
      : chart_(chart),
        x_(chart.x, shown(chart.x, &Point::x), kLeft, kRight),
        y_(chart.y, shown(chart.y, &Point::y), kBottom, kTop) {}

  std::string svg() {
    draw_grid();
    for (size_t i = 0; i < chart_.series.size(); i++) draw(i);
    draw_names();
    return fmt::format(
        "<svg class=\"chart\" id=\"{}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "role=\"img\" "
        "aria-label=\"{}\">\n{}</svg>\n",
        escaped(chart_.id), kWidth, kHeight, escaped(description()), out_);
  }

 private:
  bool is_shown(const Point& point) const {
    return can_show(chart_.x, point.x) && can_show(chart_.y, point.y);
  }

  std::vector<double> shown(const ChartAxis&, double Point::* member) const {
    std::vector<double> values;
    for (const Series& series : chart_.series) {
      for (const Point& point : series.points) {
        if (is_shown(point)) values.push_back(point.*member);
      }
    }
    return values;
  }

  std::string description() const {
    std::string names;
    for (const Series& series : chart_.series) names += (names.empty() ? "" : ", ") + series.name;
    return fmt::format("Line chart: {}. {} over {}. Lines: {}. The values are in the table below.",
                       chart_.title, title_of(chart_.y), title_of(chart_.x), names.empty() ? "none" : names);
  }

  static std::string title_of(const ChartAxis& axis) {
    return axis.unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, axis.unit);
  }

  void text(const char* kind, double x, double y, const std::string& words, const std::string& more = "") {
    out_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", kind, x, y, more,
                        escaped(words));
  }

  void line(const char* kind, double x1, double y1, double x2, double y2) {
    out_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", kind, x1, y1, x2, y2);
  }

  void draw_grid() {
    for (const double tick : y_.ticks()) {
      line("grid", kLeft, y_.at(tick), kRight, y_.at(tick));
      text("tick right", kLeft - 8, y_.at(tick) + 4, value_text(chart_.y, tick));
    }
    const std::vector<double> ticks = x_.ticks();
    // Names of categories may be long, so every other one stands a line lower.
    const bool two_lines = chart_.x.scale == Scale::category && ticks.size() > 4;
    for (size_t i = 0; i < ticks.size(); i++) {
      const double x = x_.at(ticks[i]);
      line("grid", x, kTop, x, kBottom);
      text("tick middle", x, kBottom + (two_lines && i % 2 == 1 ? 33 : 18), value_text(chart_.x, ticks[i]));
    }
    text("axis middle", (kLeft + kRight) / 2, kHeight - 14, title_of(chart_.x));
    const double middle = (kTop + kBottom) / 2;
    text("axis middle", 16, middle, title_of(chart_.y),
         fmt::format(" transform=\"rotate(-90 16 {})\"", middle));
    if (shown(chart_.y, &Point::y).empty()) {
      text("axis middle", (kLeft + kRight) / 2, middle, "nothing was measured");
    }
  }

  void draw(size_t index) {
    const Series& series = chart_.series[index];
    std::string path, markers;
    for (const Point& point : series.points) {
      if (!is_shown(point)) continue;
      const double x = x_.at(point.x), y = y_.at(point.y);
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
      markers += fmt::format("<g class=\"point\"><title>{}: {}, {} {}</title>{}</g>\n", escaped(series.name),
                             escaped(value_text(chart_.x, point.x)), escaped(value_text(chart_.y, point.y)),
                             escaped(chart_.y.unit), marker(index % kShapes, x, y));
      last_[index] = y;
    }
    if (path.empty()) return;
    names_.push_back({last_[index] + 4, index});
    out_ += fmt::format("<g class=\"series c{}{}\">\n<path class=\"line\" d=\"{}\"/>\n{}</g>\n",
                        index % kColours, series.published ? " published" : "", path, markers);
  }

  /// Writes the name of each line where the line ends. A reader needs no legend then.
  void draw_names() {
    spread(names_);
    for (const Name& name : names_) {
      out_ += fmt::format("<g class=\"series c{}\">", name.series % kColours);
      out_ += marker(name.series % kShapes, kRight + 14, name.y - 4);
      text("name", kRight + 24, name.y, chart_.series[name.series].name);
      out_ += "</g>\n";
    }
  }

  const Chart& chart_;
  AxisScale x_, y_;
  std::vector<Name> names_;
  std::vector<double> last_ = std::vector<double>(chart_.series.size());
  std::string out_;
};

}  // namespace

std::string svg_of(const Chart& chart) { return Drawing(chart).svg(); }

std::string svg_file_of(const Chart& chart) {
  std::string svg = svg_of(chart);
  // Behind the opening tag.
  svg.insert(svg.find('\n') + 1,
             fmt::format("<title>{}</title>\n<style>{}</style>\n", escaped(chart.title), chart_style()));
  return svg;
}

std::string table_of(const Chart& chart) {
  std::vector<double> rows;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) rows.push_back(point.x);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());

  std::string head = fmt::format("<th scope=\"col\">{}</th>", escaped(chart.x.label)), body;
  for (const Series& series : chart.series)
    head += fmt::format("<th scope=\"col\">{}</th>", escaped(series.name));
  for (const double x : rows) {
    body += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(value_text(chart.x, x)));
    for (const Series& series : chart.series) {
      const auto point = std::ranges::find(series.points, x, &Point::x);
      body += fmt::format("<td>{}</td>",
                          point == series.points.end() ? "–" : escaped(value_text(chart.y, point->y)));
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<table>\n<caption>{}: {}{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
      escaped(chart.title), escaped(chart.y.label), chart.y.unit.empty() ? "" : ", " + escaped(chart.y.unit),
      head, body);
}

}  // namespace warpaes::core::lab
