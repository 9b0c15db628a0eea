#include "lab/report/page.hpp"

#include <fmt/format.h>

#include "lab/report/markup.hpp"

namespace warpaes::core::lab {
namespace {

constexpr const char* kPageStyle = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--quiet:#57606a;--rule:#d0d7de;--link:#0550ae}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#14171c;--quiet:#a5aeb9;--rule:#3a424d;--link:#7ab8ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:62rem;color:var(--ink);background:var(--paper);
 font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}h1,h2,h3{line-height:1.25}h2{margin-top:3rem;border-top:1px solid var(--rule);padding-top:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:var(--quiet)}dd{margin:0}
figure{margin:1.5rem 0}.wide{overflow-x:auto}.wide:focus-visible{outline:2px solid var(--link)}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
caption{text-align:left;white-space:nowrap;color:var(--quiet);padding:.3rem 0}
th,td{padding:.2rem .7rem .2rem 0;border-bottom:1px solid var(--rule);text-align:right;vertical-align:bottom}
th:first-child{text-align:left;white-space:nowrap}
table.steps th{min-width:4.5rem;max-width:8rem}
.absent{color:var(--quiet)}
@media print{:root{--ink:#000;--paper:#fff;--quiet:#444;--rule:#bbb;--link:#000}nav,button{display:none}
 figure{break-inside:avoid}.wide{overflow:visible}body{max-width:none}}
)";

/// The page is complete without this script, which offers each chart as a picture that the browser draws.
constexpr const char* kScript = R"(<script>
"use strict";
function png(chart) {
  const width = 1600, height = width * chart.viewBox.baseVal.height / chart.viewBox.baseVal.width;
  const copy = chart.cloneNode(true), style = document.createElementNS(chart.namespaceURI, "style");
  style.textContent = document.querySelector("style").textContent;
  copy.prepend(style);
  copy.style.cssText = `width:${width}px;height:${height}px;min-width:0`;
  const image = new Image(width, height);
  image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  return image.decode().then(() => {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    return canvas.toDataURL();
  });
}
for (const chart of document.querySelectorAll("svg.chart")) {
  const button = document.createElement("button");
  button.textContent = "Save as PNG";
  button.setAttribute("aria-label", "Save as PNG: " + chart.id);
  button.onclick = async () => {
    const link = document.createElement("a");
    link.download = chart.id + ".png";
    link.href = await png(chart);
    link.click();
  };
  chart.closest("figure").append(button);
}
</script>
)";

std::string paragraphs_of(const std::vector<std::string>& paragraphs) {
  std::string html;
  for (const std::string& text : paragraphs) html += fmt::format("<p>{}</p>\n", escaped(text));
  return html;
}

/// Content that is wider than a phone. It scrolls there by itself, also with the keyboard, which is why it
/// has a tabindex.
std::string wide(const std::string& label, const std::string& content) {
  return fmt::format("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">\n{}</div>\n",
                     escaped(label), content);
}

std::string figure_of(const Chart& chart) {
  return fmt::format("<figure>\n<figcaption><h3>{}</h3></figcaption>\n{}{}</figure>\n", escaped(chart.title),
                     wide("Chart: " + chart.title, svg_of(chart)),
                     wide("Table: " + chart.title, table_of(chart)));
}

std::string figure_of(const Table& table) {
  std::string head, body;
  for (const std::string& column : table.columns)
    head += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  for (const std::vector<std::string>& row : table.rows) {
    body += "<tr>";
    for (size_t i = 0; i < row.size(); i++)
      body += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escaped(row[i]))
                     : fmt::format("<td>{}</td>", escaped(row[i]));
    body += "</tr>\n";
  }
  return fmt::format(
      "<figure>\n<figcaption><h3>{}</h3></figcaption>\n{}</figure>\n", escaped(table.title),
      wide("Table: " + table.title,
           fmt::format("<table class=\"steps\">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                       head, body)));
}

std::string section_of(const Section& section) {
  std::string html =
      fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", escaped(section.id), escaped(section.title));
  html += paragraphs_of(section.paragraphs);
  for (const Table& table : section.tables) html += figure_of(table);
  for (const Chart& chart : section.charts) html += figure_of(chart);
  if (!section.left_out.empty()) {
    html += "<div class=\"absent\"><h3>Left out</h3>\n<ul>\n";
    for (const std::string& text : section.left_out) html += fmt::format("<li>{}</li>\n", escaped(text));
    html += "</ul></div>\n";
  }
  return html + "</section>\n";
}

}  // namespace

std::string html_of(const Page& page) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n",
      escaped(page.title), kPageStyle, chart_style());
  html += fmt::format("<h1>{}</h1>\n{}<dl>\n", escaped(page.title), paragraphs_of(page.paragraphs));
  for (const auto& [name, value] : page.facts) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
  }
  html += "</dl>\n<nav aria-label=\"Studies\"><ul>\n";
  for (const Section& section : page.sections) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(section.id), escaped(section.title));
  }
  html += "</ul></nav>\n";
  for (const Section& section : page.sections) html += section_of(section);
  return html + "</main>\n" + kScript + "</body>\n</html>\n";
}

}  // namespace warpaes::core::lab
