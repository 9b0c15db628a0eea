// lab key-byte: does the time of a T-table's look-ups give a byte of the key away?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "failure_report.hpp"
#include "lab/catalogue.hpp"
#include "lab/key_byte_trial.hpp"
#include "lab_commands.hpp"
#include "option_checks.hpp"

namespace warpaes::cli {
namespace {

struct KeyByteOptions {
  lab::KeyByteOrder order;
  uint64_t warps = 0;
  bool emulates = false, json = false;
};

constexpr uint64_t kWarpsOnGpu = 100'000, kWarpsModelled = 20'000;

ExitCode run(const KeyByteOptions& options) {
  lab::KeyByteOrder order = options.order;
  std::string why = "--emulate asks for it";
  order.place =
      options.emulates ? lab::Place::emulated : lab::place_of(*lab::find_lesson("t_tables_timed"), &why);
  const bool measured = order.place == lab::Place::gpu;
  order.warps = options.warps != 0 ? options.warps : measured ? kWarpsOnGpu : kWarpsModelled;
  if (!measured) print_warning("times are a model's passes of look-ups, and nothing was measured: " + why);
  const lab::KeyByteTrial trial = lab::try_key_byte(order);
  if (options.json) {
    print_json_line({{"type", "lab_key_byte"},
                     {"place", lab::place_name(order.place)},
                     {"copies", order.copies},
                     {"warps", order.warps},
                     {"samples", trial.guess.samples},
                     {"mean_time", trial.mean_time},
                     {"guess", trial.guess.byte},
                     {"right", trial.right},
                     {"z", trial.guess.z},
                     {"next_z", trial.guess.next_z},
                     {"z_of_right", trial.guess.z_of[trial.right]},
                     {"recovered", trial.found()}});
    print_json_line({{"type", "summary"}, {"command", "lab key-byte"}});
    return ExitCode::done;
  }
  fmt::print("{} warps, {:.5g} {} each on average, {} {} of the table\n", order.warps, trial.mean_time,
             measured ? "clock cycles" : "passes", order.copies, order.copies == 1 ? "copy" : "copies");
  fmt::print(
      "best guess {:02x} at {:.1f} standard deviations, the next at {:.1f}; right is {:02x}, at {:.1f}\n",
      trial.guess.byte, trial.guess.z, trial.guess.next_z, trial.right, trial.guess.z_of[trial.right]);
  fmt::print("{} ({} are needed)\n", trial.outcome(), lab::kKeyByteThreshold);
  return ExitCode::done;
}

}  // namespace

void register_lab_key_byte(CLI::App& app, ExitCode& exit_code) {
  const auto options = std::make_shared<KeyByteOptions>();
  CLI::App* const command =
      app.add_subcommand("key-byte", "Look for a byte of the last round key in the times of t_tables_timed");
  const std::vector<std::string> copies = {"1", "2", "4", "8", "16", "32"};
  command->add_option("--copies", options->order.copies, "Copies of the table: with 32 no lanes meet")
      ->check(CLI::IsMember(copies))
      ->option_text(fmt::format("{} ({})", fmt::join(copies, "|"), options->order.copies));
  command->add_option("--warps", options->warps, "How many are timed (100000; modelled, 20000)")
      ->transform(number(2, 4'000'000))
      ->option_text("NUMBER");
  command->add_option("--byte", options->order.place_in_block, "Which byte of the round key")
      ->transform(number(0, 15))
      ->option_text(fmt::format("NUMBER ({})", options->order.place_in_block));
  command->add_option("--device", options->order.device, "CUDA device")
      ->transform(number<int>())
      ->option_text(fmt::format("NUMBER ({})", options->order.device));
  command->add_flag("--emulate", options->emulates, "Model the times even if there is a GPU");
  command->add_flag("--json", options->json, "One JSON object a line");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace warpaes::cli
