#include "lab/studies/study_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/size_text.hpp"

namespace warpaes::core::lab {
namespace {

std::string text(std::string_view view) { return std::string(view); }

const char* worker_name(Worker worker) {
  constexpr const char* kNames[] = {"lesson", "engine", "program"};
  return kNames[static_cast<int>(worker)];
}

Line x_axis(const Panel& panel) {
  if (panel.across == Across::bytes) return {{"label", "Data"}, {"unit", ""}, {"scale", "bytes"}};
  if (panel.across == Across::steps) {
    return {{"label", "Step"}, {"unit", ""}, {"scale", "category"}, {"names", steps_of(panel)}};
  }
  Line axis = {
      {"label", text(panel.axis->meaning)}, {"unit", ""}, {"scale", "category"}, {"names", Line::array()}};
  for (const uint32_t value : panel.axis->values) axis["names"].push_back(value_name(*panel.axis, value));
  return axis;
}

double step_number(const Panel& panel, std::string_view step) {
  const std::vector<std::string> steps = steps_of(panel);
  return static_cast<double>(std::find(steps.begin(), steps.end(), step) - steps.begin());
}

void add_latency(Line& line, const Measured& measured) {
  line["microseconds_min"] = measured.seconds.min * 1e6;
  line["microseconds_p50"] = measured.seconds.median * 1e6;
  line["microseconds_p99"] = *measured.seconds_p99 * 1e6;
  line["microseconds_max"] = measured.seconds.max * 1e6;
}

void add_energy(Line& line, const EnergyUse& energy) {
  line["joules_per_gb"] = energy.joules_per_gb;
  line["joules_per_gb_with_idle"] = energy.joules_per_gb_with_idle;
  line["accuracy_percent"] = 100 * energy.accuracy;
  line["watts"] = energy.watts;
  line["idle_watts"] = energy.idle_watts;
  line["energy_seconds"] = energy.seconds;
  line["energy_longest_step_seconds"] = energy.longest_step;
}

/// The sizes at which a subject is faster, as a sentence ends.
std::string sizes_text(const std::vector<uint64_t>& before, uint64_t from_bytes) {
  std::vector<std::string> sizes;
  for (const uint64_t bytes : before) sizes.push_back(bench::size_text(bytes));
  const std::string from =
      from_bytes == 0 ? std::string() : fmt::format("from {} on", bench::size_text(from_bytes));
  if (sizes.empty()) return from.empty() ? "at no measured size" : from;
  const std::string at = fmt::format("at {}", fmt::join(sizes, ", "));
  return from.empty() ? "only " + at : fmt::format("{}, and {}", at, from);
}

}  // namespace

std::string_view mode_text(const Subject& subject) {
  return subject.production_mode.empty() ? mode_name(subject.mode) : subject.production_mode;
}

std::vector<std::string> steps_of(const Panel& panel) {
  std::vector<std::string> steps;
  const auto add = [&](std::string_view step) {
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.emplace_back(step);
  };
  // Published figures come first if their steps and the measured ones have nothing in common.
  const bool apart =
      std::none_of(panel.published.begin(), panel.published.end(), [&](const Published& theirs) {
        return std::ranges::find(panel.subjects, theirs.step, &Subject::step) != panel.subjects.end();
      });
  for (const Published& theirs : panel.published) {
    if (apart) add(theirs.step);
  }
  for (const Subject& subject : panel.subjects) add(subject.step);
  return steps;
}

Line study_line(const Study& study) {
  return {{"type", "study"},
          {"study", text(study.name)},
          {"title", text(study.title)},
          {"question", text(study.question)},
          {"source", text(study.source)}};
}

Line chart_line(const Study& study, const Panel& panel, const Quantity& quantity) {
  return {{"type", "chart"},
          {"study", text(study.name)},
          {"panel", text(panel.id)},
          {"chart", fmt::format("{}-{}", panel.id, quantity.field)},
          {"title", fmt::format("{}: {}", panel.title, quantity.label)},
          {"x", x_axis(panel)},
          {"y",
           {{"label", text(quantity.label)},
            {"unit", text(quantity.unit)},
            {"scale", text(quantity.scale)},
            {"field", text(quantity.field)}}}};
}

std::vector<Line> outline_of(const Study& study) {
  std::vector<Line> lines = {study_line(study)};
  for (const Panel& panel : study.panels) {
    for (const Quantity& quantity : panel.quantities) lines.push_back(chart_line(study, panel, quantity));
  }
  return lines;
}

Line published_line(const Study& study, const Panel& panel, const Published& published) {
  const bool steps = panel.across == Across::steps;
  Line line = {{"type", "published"},
               {"study", text(study.name)},
               {"panel", text(panel.id)},
               {"series", text(published.series)},
               {"x", steps ? step_number(panel, published.step) : static_cast<double>(published.x)}};
  if (steps) line["step"] = text(published.step);
  if (published.milliseconds > 0) line["milliseconds"] = published.milliseconds;
  if (published.gb_per_s > 0) line["gb_per_s"] = published.gb_per_s;
  return line;
}

Line result_line(const Study& study, const Panel& panel, const Subject& subject, const Where& where,
                 const Measured& measured) {
  const double gigabytes = static_cast<double>(where.bytes) * 1e-9;
  Line line = {{"type", "result"},
               {"study", text(study.name)},
               {"panel", text(panel.id)},
               {"series", text(subject.series)},
               {"x", panel.across == Across::steps ? step_number(panel, subject.step) : where.x},
               {"worker", worker_name(subject.worker)},
               {"name", text(subject.name)},
               {"mode", text(mode_text(subject))},
               {"direction", subject.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt"},
               {"key_bits", subject.key_bits},
               {"with_copies", subject.with_copies},
               {"equal_blocks", subject.input == Input::equal_blocks},
               {"bytes", where.bytes},
               {"milliseconds", measured.seconds.median * 1e3},
               {"milliseconds_min", measured.seconds.min * 1e3},
               {"milliseconds_max", measured.seconds.max * 1e3},
               {"gb_per_s", gigabytes / measured.seconds.median},
               {"samples", measured.samples},
               {"repeats", measured.repeats},
               {"verified", measured.mismatch.empty()}};
  if (!subject.step.empty()) line["step"] = text(subject.step);
  if (!measured.mismatch.empty()) line["mismatch"] = measured.mismatch;
  if (measured.resources) {
    line["registers"] = measured.resources->registers;
    line["local_bytes"] = measured.resources->local_bytes;
    line["shared_bytes"] = measured.resources->shared_bytes;
    line["threads"] = measured.resources->threads;
    line["occupancy"] = measured.resources->occupancy;
  }
  if (measured.seconds_p99) add_latency(line, measured);
  if (measured.energy) add_energy(line, *measured.energy);
  return line;
}

Line crossover_line(const Study& study, const Panel& panel, const Subject& subject,
                    const std::map<uint64_t, bool>& faster) {
  std::vector<uint64_t> before, last;  // last: behind the largest size at which it is not faster
  for (const auto& [bytes, is_faster] : faster) {
    if (is_faster) {
      last.push_back(bytes);
      continue;
    }
    before.insert(before.end(), last.begin(), last.end());
    last.clear();
  }
  const uint64_t from_bytes = last.empty() ? 0 : last.front();
  return {{"type", "finding"},
          {"study", text(study.name)},
          {"panel", text(panel.id)},
          {"series", text(subject.series)},
          {"faster_from_bytes", from_bytes},
          {"faster_before_at_bytes", before},
          {"text", fmt::format("{}: {} is faster than OpenSSL on one core {}.", panel.title, subject.series,
                               sizes_text(before, from_bytes))}};
}

Line idle_line(const Study& study, const Panel& panel, const EnergyReading& idle) {
  return {
      {"type", "finding"},
      {"study", text(study.name)},
      {"panel", text(panel.id)},
      {"idle_watts", idle.watts()},
      {"longest_step_seconds", idle.longest_step},
      {"text", fmt::format("{}: {:.1f} W with nothing at work, measured for {:.1f} s before; the counter of "
                           "energy changed every {:.0f} ms at the latest.",
                           panel.title, idle.watts(), idle.seconds, idle.longest_step * 1e3)}};
}

Line left_out_line(const Study& study, const Panel& panel, const Subject& subject, const std::string& where,
                   const std::string& reason) {
  std::string what = fmt::format("{}: {}", panel.title, subject.series);
  if (!subject.step.empty()) what += fmt::format(" ({})", subject.step);
  if (!where.empty()) what += ", " + where;
  return {{"type", "left_out"},
          {"study", text(study.name)},
          {"panel", text(panel.id)},
          {"series", text(subject.series)},
          {"what", what},
          {"reason", reason}};
}

}  // namespace warpaes::core::lab
