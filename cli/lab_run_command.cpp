// lab run: one lesson on random data, checked against OpenSSL or the library, timed if it runs for real.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "benchmarks/size_text.hpp"
#include "failure_report.hpp"
#include "json_lines.hpp"
#include "lab/catalogue.hpp"
#include "lab/lesson_run.hpp"
#include "lab/reference.hpp"
#include "lab_commands.hpp"
#include "option_checks.hpp"

namespace warpaes::cli {
namespace {

struct LabRunOptions {
  std::string name, mode, bytes;
  std::vector<std::string> axis_values = std::vector<std::string>(lab::all_axes().size());
  int key_bits = 128, device = 0;
  unsigned samples = 5;
  bool decrypts = false, emulates = false, json = false;

  void add_to(CLI::App& command);
  lab::RunOrder order(const lab::Lesson& lesson) const;
};

/// "ecb|ctr|…", as completions take them.
std::string modes_of_all() {
  std::vector<std::string_view> names;
  for (const lab::Lesson* const lesson : lab::catalogue()) {
    for (const lab::Mode mode : lesson->modes) {
      const std::string_view name = lab::mode_name(mode);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(names, "|"));
}

void LabRunOptions::add_to(CLI::App& command) {
  add_lesson(command, name);
  const auto usual = [](lab::Place place) { return bench::size_text(lab::usual_bytes(place)); };
  command
      .add_option("--bytes", bytes,
                  fmt::format("How much, as 4096, 16KiB or 1GiB ({} on a GPU, {} on the CPU, {} emulated)",
                              usual(lab::Place::gpu), usual(lab::Place::cpu), usual(lab::Place::emulated)))
      ->option_text("SIZE");
  command.add_option("--mode", mode, "One of the lesson's modes (its first)")->option_text(modes_of_all());
  command.add_option("--key-bits", key_bits, "The key's length")
      ->transform(number<int>())
      ->option_text(fmt::format("{} ({})", fmt::join(lab::kAllKeySizes, "|"), key_bits));
  command.add_flag("--decrypt", decrypts, "Decrypt");
  for (size_t i = 0; i < axis_values.size(); i++) {
    const lab::Axis& axis = lab::all_axes()[i];
    std::vector<std::string> values;
    for (const uint32_t value : axis.values) values.push_back(lab::value_name(axis, value));
    command.add_option("--" + std::string(axis.name), axis_values[i], std::string(axis.meaning))
        ->option_text(fmt::format("{}", fmt::join(values, "|")));
  }
  command.add_option("--samples", samples, "Measurements that the median is taken of")
      ->transform(number(1, 1000))
      ->option_text(fmt::format("NUMBER ({})", samples));
  command.add_option("--device", device, "CUDA device; not looked at where the lesson is emulated")
      ->transform(number<int>())
      ->option_text(fmt::format("NUMBER ({})", device));
  command.add_flag("--emulate", emulates, "Emulate a GPU's lesson on the CPU even if there is a GPU");
  command.add_flag("--json", json, "One JSON object a line");
}

lab::Mode mode_of(const lab::Lesson& lesson, const std::string& name) {
  if (name.empty()) return lesson.modes.front();
  for (const lab::Mode mode : lesson.modes) {
    if (lab::mode_name(mode) == name) return mode;
  }
  throw Refusal(ExitCode::usage,
                fmt::format("{} has no mode '{}'; it has {}", lesson.name, name, lab::mode_names(lesson)));
}

uint32_t value_of(const lab::Axis& axis, const std::string& text) {
  for (const uint32_t value : axis.values) {
    if (lab::value_name(axis, value) == text) return value;
  }
  throw Refusal(ExitCode::usage,
                fmt::format("--{} cannot be '{}'; it is one of {}", axis.name, text, lab::value_names(axis)));
}

lab::RunOrder LabRunOptions::order(const lab::Lesson& lesson) const {
  lab::RunOrder order{
      .variant = {.mode = mode_of(lesson, mode),
                  .direction = decrypts ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT,
                  .key_bits = key_bits,
                  .shape = lesson.shape},
      .device = device,
      .samples = samples};
  for (size_t i = 0; i < axis_values.size(); i++) {
    const lab::Axis& axis = lab::all_axes()[i];
    if (!axis_values[i].empty()) order.variant.shape.*axis.member = value_of(axis, axis_values[i]);
  }
  return order;
}

/// What stands in for a GPU must say so.
lab::Place choose_place(const lab::Lesson& lesson, bool emulates, std::string& why) {
  const lab::Place place = lab::place_of(lesson, &why);
  if (!emulates || place != lab::Place::gpu) return place;
  why = "--emulate asks for it";
  return lab::Place::emulated;
}

/// @param unit of which what nobody asked for is a multiple
uint64_t bytes_of(const std::string& text, lab::Place place, uint64_t unit) {
  if (text.empty()) return lab::usual_bytes(place) / unit * unit;
  if (text == "0") return 0;
  const auto bytes = bench::parse_size(text);
  if (!bytes)
    throw Refusal(ExitCode::usage, fmt::format("--bytes '{}' is no size; write 4096, 16KiB or 1GiB", text));
  return *bytes;
}

/// A fiber a thread: a megabyte takes some seconds at most.
constexpr uint64_t kMostEmulated = uint64_t{1} << 20;

void require_whole_units(const lab::Lesson& lesson, const lab::RunOrder& order) {
  const uint64_t unit = lab::unit_bytes(order.variant);
  const bool expands_keys = order.variant.mode == lab::Mode::key_expansion;
  if (order.bytes % unit == 0 && (order.bytes != 0 || !expands_keys)) return;
  if (expands_keys) {
    throw Refusal(ExitCode::usage, fmt::format("it takes whole keys of {} bytes, and one at least", unit),
                  fmt::format("--bytes with a multiple of {}", unit));
  }
  const bool has_ctr =
      std::find(lesson.modes.begin(), lesson.modes.end(), lab::Mode::ctr) != lesson.modes.end();
  throw Refusal(ExitCode::usage, "ECB takes whole blocks of 16 bytes",
                has_ctr ? "--bytes with a multiple of 16, or --mode ctr" : "--bytes with a multiple of 16");
}

void print_result(const lab::Lesson& lesson, const lab::RunOrder& order, const lab::RunResult& result) {
  fmt::print("{}: {} {} {} bits, {}: {}\n", lesson.name, lab::mode_name(order.variant.mode),
             order.variant.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt",
             order.variant.key_bits, bench::size_text(order.bytes),
             result.first_wrong_byte
                 ? std::string("WRONG")
                 : fmt::format("the same bytes as {} has", lab::reference_name(order.variant.mode)));
  if (result.seconds && order.bytes != 0) {
    const double bytes = static_cast<double>(order.bytes);
    fmt::print("  {:.4g} ms, {:.4g} GB/s (median of {}; {:.4g} to {:.4g} ms), data in place, no copies\n",
               1e3 * result.seconds->median, 1e-9 * bytes / result.seconds->median, order.samples,
               1e3 * result.seconds->min, 1e3 * result.seconds->max);
  }
  if (result.resources) {
    const lab::Resources& its = *result.resources;
    fmt::print(
        "  {} registers and {} bytes of local memory a thread; {} bytes of shared memory a block of {} "
        "threads;\n"
        "  {} blocks a multiprocessor, occupancy {:.0f} %\n",
        its.registers, its.local_bytes, its.shared_bytes, its.threads, its.blocks_resident,
        100 * its.occupancy);
  }
}

JsonObject json_of(const lab::Lesson& lesson, const lab::RunOrder& order, const lab::RunResult& result) {
  JsonObject line = {
      {"type", "lab_run"},
      {"lesson", lesson.name},
      {"place", lab::place_name(order.place)},
      {"mode", lab::mode_name(order.variant.mode)},
      {"direction", order.variant.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt"},
      {"key_bits", order.variant.key_bits},
      {"bytes", order.bytes}};
  for (const lab::Axis* const axis : lesson.axes) {
    line[std::string(axis->name)] = axis_value(*axis, order.variant.shape.*axis->member);
  }
  line["right"] = !result.first_wrong_byte;
  if (result.seconds) {
    line["seconds"] = {
        {"min", result.seconds->min}, {"median", result.seconds->median}, {"max", result.seconds->max}};
  }
  if (result.resources) {
    const lab::Resources& its = *result.resources;
    line["resources"] = {{"registers", its.registers},
                         {"local_bytes", its.local_bytes},
                         {"shared_bytes", its.shared_bytes},
                         {"blocks_resident", its.blocks_resident},
                         {"occupancy", its.occupancy}};
  }
  return line;
}

ExitCode run(const LabRunOptions& options) {
  const lab::Lesson& lesson = lesson_named(options.name);
  lab::RunOrder order = options.order(lesson);
  std::string why;
  order.place = choose_place(lesson, options.emulates, why);
  lab::require_variant(lesson, order.variant);
  order.bytes = bytes_of(options.bytes, order.place, lab::unit_bytes(order.variant));
  require_whole_units(lesson, order);
  if (order.place == lab::Place::emulated) {
    print_warning(fmt::format("{} is emulated on the CPU, and not timed: {}", lesson.name, why));
    if (order.bytes > kMostEmulated) {
      throw Refusal(ExitCode::usage, fmt::format("{} are too many to emulate", bench::size_text(order.bytes)),
                    "--bytes 1MiB at most, or a machine with a GPU");
    }
  }
  const lab::RunResult result = lab::run_lesson(lesson, order);
  options.json ? print_json_line(json_of(lesson, order, result)) : print_result(lesson, order, result);
  if (result.first_wrong_byte) {
    throw Refusal(ExitCode::error,
                  fmt::format("{} is wrong from byte {} on", lesson.name, *result.first_wrong_byte));
  }
  if (options.json) print_json_line({{"type", "summary"}, {"command", "lab run"}, {"runs", 1}});
  return ExitCode::done;
}

}  // namespace

void register_lab_run(CLI::App& app, ExitCode& exit_code) {
  const auto options = std::make_shared<LabRunOptions>();
  CLI::App* const command =
      app.add_subcommand("run", "Run a lesson on random data, check what it computes, and time it");
  options->add_to(*command);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace warpaes::cli
