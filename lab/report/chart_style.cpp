#include <fmt/format.h>

#include "lab/report/chart.hpp"

namespace warpaes::core::lab {
namespace {

/// The names of lines are written in these colours, so each has a contrast of at least 4.5 : 1 with the paper
/// behind it (WCAG 2.2, 1.4.3); tests/lab computes it.
constexpr const char* kLight =
    "--ink:#1b1f24;--paper:#fff;--quiet:#57606a;--grid:#dfe4ea;--c0:#0550ae;--c1:#a8400c;--c2:#116329;"
    "--c3:#8127a8;--c4:#a40e3c;--c5:#00626b;--c6:#695500;--c7:#4d555e";
constexpr const char* kDark =
    "--ink:#e6e9ed;--paper:#14171c;--quiet:#a5aeb9;--grid:#2c333c;--c0:#7ab8ff;--c1:#ffa366;--c2:#6fdd8b;"
    "--c3:#dba6ff;--c4:#ff8fa8;--c5:#56d9e0;--c6:#e0cc55;--c7:#bcc4cd";

constexpr const char* kRules = R"(
.chart{display:block;width:100%;min-width:44rem;height:auto;background:var(--paper);font:13px system-ui,sans-serif}
.chart text{fill:var(--ink)}.chart .tick{fill:var(--quiet);font-size:12px}
.chart .right{text-anchor:end}.chart .middle{text-anchor:middle}
.chart .grid{stroke:var(--grid);fill:none}
.chart .series{stroke:var(--c);fill:var(--c)}.chart .series text{fill:var(--c);stroke:none}
.chart .line{fill:none;stroke-width:2}.chart .point{stroke-width:2;pointer-events:all}
.chart .point:hover{stroke-width:6}
.chart .published .line{stroke-dasharray:6 4}.chart .published .point{fill:var(--paper)}
@media print{.chart{min-width:0}}
)";

}  // namespace

std::string chart_style() {
  std::string style = fmt::format(
      "\n.chart{{{}}}\n@media (prefers-color-scheme:dark){{.chart{{{}}}}}\n@media print{{.chart{{{}}}}}",
      kLight, kDark, kLight);
  style += kRules;
  for (int i = 0; i < 8; i++) style += fmt::format(".chart .c{}{{--c:var(--c{})}}", i, i);
  return style + "\n";
}

}  // namespace warpaes::core::lab
