// warpaes bench: how fast, checked, and how near to what the hardware can do.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "benchmarks/bench.hpp"
#include "benchmarks/bench_mode.hpp"
#include "benchmarks/size_text.hpp"
#include "command.hpp"
#include "engine_options.hpp"
#include "option_checks.hpp"

namespace warpaes::cli {
namespace {

std::vector<uint64_t> sizes(const std::vector<std::string>& texts) {
  std::vector<uint64_t> sizes;
  for (const std::string& text : texts) {
    const auto size = bench::parse_size(text);
    if (!size) throw CLI::ValidationError("--bytes", "'" + text + "' is no size; write 4096, 16KiB or 1GiB");
    sizes.push_back(*size);
  }
  return sizes;
}

struct Options {
  bench::BenchOptions bench;
  std::string devices;
  bool json = false;
};

/// What a call does.
void add_work(CLI::App& command, bench::BenchOptions& bench) {
  command.add_option("--mode", bench.modes, "Modes: " + bench::bench_mode_names())
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--key-bits", bench.key_bits, "Key sizes")
      ->transform(number<int>())
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--direction", bench.directions, "encrypt, decrypt")
      ->delimiter(',')
      ->capture_default_str();
  command
      .add_option_function<std::vector<std::string>>(
          "--bytes", [&bench](const std::vector<std::string>& texts) { bench.bytes = sizes(texts); },
          "Sizes of a message, as 1MiB,64MiB,1GiB (1 GiB on a GPU, 64 MiB on a CPU)")
      ->delimiter(',');
  command.add_option_function<std::string>(
      "--data-unit", [&bench](const std::string& text) { bench.data_unit_bytes = sizes({text}).front(); },
      "Size of XTS' data units (4KiB)");
  command.add_option("--messages", bench.messages, "Messages in a call, for modes that have batches")
      ->transform(number<uint64_t>(1))
      ->capture_default_str();
  command.add_flag("--ragged", bench.ragged, "Messages of all lengths up to --bytes");
  command.add_flag("--framed", bench.framed,
                   "Messages with the nonce before the ciphertext and the tag behind it, for AEAD modes");
  command.add_flag("--tensors", bench.listed,
                   "Messages that arrays of addresses describe, as a list of tensors does; with --ragged of "
                   "all lengths");
  command
      .add_option("--misalign", bench.misaligned_by,
                  "How many bytes behind a multiple of 16 input and output begin: 0 to 15")
      ->transform(number<uint32_t>(0, 15))
      ->capture_default_str();
  command.add_flag("--key-each", bench.key_each, "A key for each message, for AEAD modes and batches");
}

/// What does it, and how it is measured.
void add_machine(CLI::App& command, Options& options) {
  bench::BenchOptions& bench = options.bench;
  command
      .add_option(
          "--where", bench.places,
          "Memory that the data is in: device, graph (device, replayed from a CUDA graph), pinned, pageable")
      ->delimiter(',');
  command
      .add_option(
          "--engine", bench.engines,
          "Engines, as `warpaes engines` lists them; shared: what the library chooses by itself for host "
          "memory, GPUs and the CPU's threads together if that is faster")
      ->delimiter(',')
      ->capture_default_str();
  add_timing_option(command, bench.timing);
  add_device_option(command, options.devices);
  command.add_option("--threads", bench.threads, "CPU threads; 0: all")
      ->transform(number(0u, 4096u))
      ->capture_default_str();
  command
      .add_option("--samples", bench.samples,
                  "Samples that the median is taken of; 0: 3 to 9, in some seconds")
      ->transform(number<unsigned>())
      ->capture_default_str();
  command
      .add_option(
          "--seconds", bench.seconds,
          "Also repeat each call without gaps for so long, and tell speed, power, energy and clock of that")
      ->check(seconds(3600))
      ->option_text("SECONDS (0)");
  CLI::Option* const measured = command.add_flag(
      "--limits", bench.limits, "Measure what the hardware can do, and results as shares of that");
  command
      .add_option("--limits-from", bench.limits_from,
                  "Results as shares of the limits in FILE, which --limits --json has printed on this GPU")
      ->excludes(measured)
      ->option_text("FILE");
  command.add_flag("--json", options.json, "One JSON object a line");
}

}  // namespace

void register_bench(CLI::App& app, ExitCode& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Measure modes and engines, and the hardware's limits");
  add_work(*command, options->bench);
  add_machine(*command, *options);
  command->callback([options, &exit_code] {
    const auto report = options->json ? bench::json_report(stdout) : bench::table_report(stdout);
    if (!options->devices.empty()) options->bench.devices = devices_in(options->devices);
    const unsigned wrong = bench::run_bench(options->bench, *report);
    exit_code = wrong == 0 ? ExitCode::done : ExitCode::error;
  });
}

}  // namespace warpaes::cli
