#include "bench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "known_limits.hpp"

namespace warpaes::bench {
namespace {

constexpr uint64_t kDefaultBytesOnGpu = uint64_t{1} << 30;
constexpr uint64_t kDefaultBytesOnCpu = uint64_t{64} << 20;
constexpr uint64_t kDefaultBytesThatChain = uint64_t{16} << 10;

warpaes_direction direction_named(const std::string& name) {
  if (name == "encrypt") return WARPAES_DIRECTION_ENCRYPT;
  if (name == "decrypt") return WARPAES_DIRECTION_DECRYPT;
  throw Error(WARPAES_ERROR_OPTION, "no direction '" + name + "'; there are encrypt, decrypt");
}

void require(bool condition, const std::string& otherwise) {
  if (!condition) throw Error(WARPAES_ERROR_OPTION, otherwise);
}

/// Finds all mistakes in the options that can be found without running anything.
void check_options(const BenchOptions& options) {
  require(options.messages > 0, "a call needs 1 message or more");
  for (const int bits : options.key_bits) {
    require(bits == 128 || bits == 192 || bits == 256, fmt::format("AES has no {}-bit keys", bits));
  }
  for (const std::string& name : options.directions) direction_named(name);
  for (const std::string& name : options.places) {
    require_place(name);
    require(!options.framed || name == "device" || name == "graph",
            "frames are measured in device memory only");
  }
  require(options.data_unit_bytes >= kShortestDataUnit && options.data_unit_bytes <= kLongestDataUnit,
          "an XTS data unit is 16 bytes to 16 MiB");
  require(options.misaligned_by < kMisalignments, "memory is misaligned by 0 to 15 bytes");
  for (const std::string& name : options.modes) {
    const BenchMode& mode = bench_mode_named(name);
    require(mode.has_batches || options.messages == 1,
            fmt::format("{} has no calls of {} messages", name, options.messages));
    require(std::ranges::any_of(options.directions,
                                [&](auto& way) { return mode.is_measured(direction_named(way)); }),
            fmt::format("{} is not measured in that direction", name));
    require(mode.has_ragged || !options.ragged,
            fmt::format("ragged messages: gcm and batches of modes that only encrypt blocks can, {} cannot",
                        name));
    require(mode.has_key_each || !options.key_each,
            fmt::format("a key each: AEAD modes and batches can, {} cannot", name));
    require(
        !options.framed || (mode.authenticates && mode.nonce_bytes == kNonceBytes && options.messages > 1),
        fmt::format("frames: batches of AEAD modes can, {} cannot", name));
    require(
        !options.listed || (mode.has_batches && options.messages > 1 && !options.framed),
        fmt::format("a list of addresses: batches of two messages or more can have one, if they lie in no "
                    "frames; {} cannot like this",
                    name));
    for (const uint64_t bytes : options.bytes) {
      require(bytes > 0 && bytes <= UINT64_MAX / options.messages, "no such length");
      require(!mode.whole_blocks || bytes % 16 == 0, name + " needs whole blocks of 16 bytes");
      const uint64_t last_unit = mode.has_data_units ? bytes % options.data_unit_bytes : 0;
      require(last_unit == 0 || last_unit >= kShortestDataUnit,
              name + " needs 16 bytes or more in each data unit");
    }
  }
}

/// Everything that is measured on one engine.
class EngineBench {
 public:
  EngineBench(const BenchOptions& options, const std::string& engine, std::span<const MeasuredLimit> limits,
              const Nvml& nvml, Report& report)
      : options_(options),
        engine_(context_options(options, engine), gpu_is_asked_for(options)),
        oracle_(engine_.info().name, options.devices.front()),
        chaining_oracle_(engine_.info().name, options.devices.front(), true),
        limits_(limits),
        nvml_(nvml),
        report_(report) {
    require(!options.framed || on_gpu(), "frames are measured in device memory only");
    for (const std::string& name : place_names()) places_.push_back(make_place(name, engine_));
  }

  void run() {
    for (const std::string& mode : options_.modes) {
      for (const int key_bits : options_.key_bits) {
        const BenchMode& row = bench_mode_named(mode);
        if (key_bits == 192 && !row.has_192_bits) continue;
        for (const uint64_t bytes : sizes(row)) {
          const BatchKind kind{options_.ragged, options_.key_each, options_.framed, options_.misaligned_by,
                               options_.listed};
          dataset_.make({&row, key_bits, options_.messages, bytes, options_.data_unit_bytes, kind},
                        row.unchains ? chaining_oracle_ : oracle_);
          for (const std::string& direction : options_.directions) {
            if (!row.is_measured(direction_named(direction))) continue;
            for (const auto& place : places_) measure_one(*place, direction_named(direction));
          }
        }
      }
    }
  }

  unsigned results() const { return results_; }
  unsigned wrong() const { return wrong_; }

 private:
  static warpaes::ContextOptions context_options(const BenchOptions& options, const std::string& engine) {
    warpaes::ContextOptions made{
        .engine = engine, .timing = static_cast<Timing>(options.timing), .threads = options.threads};
    if (options.devices.size() == 1) {
      made.device = options.devices.front();
    } else {
      made.devices = options.devices;
    }
    return made;
  }

  static bool gpu_is_asked_for(const BenchOptions& options) {
    return std::ranges::any_of(options.places, [](auto& name) { return name != "pageable"; });
  }

  bool on_gpu() const { return engine_.on_gpu(); }

  std::vector<std::string> place_names() const {
    if (!options_.places.empty()) return options_.places;
    return {on_gpu() ? "device" : "pageable"};
  }

  std::vector<uint64_t> sizes(const BenchMode& mode) const {
    if (!options_.bytes.empty()) return options_.bytes;
    if (!mode.has_long_messages)
      return {kDefaultBytesThatChain};  // a GPU would take a minute for a long message
    const uint64_t total = on_gpu() ? kDefaultBytesOnGpu : kDefaultBytesOnCpu;
    return {std::max<uint64_t>(16, total / options_.messages / 16 * 16)};
  }

  void measure_one(Place& place, warpaes_direction direction) {
    const Nvml* const gpu = on_gpu() ? &nvml_ : nullptr;
    Result result = measure(place, dataset_, direction, options_.samples, gpu);
    result.threads = engine_.threads();
    result.devices = options_.devices.size();
    if (result.devices == 1) {  // the limits are those of one
      result.bound = lowest_bound(limits_, *result.engine, result.workload, result.place);
    }
    report_.result(result, sustained(place, result, gpu));
    results_++;
    wrong_ += !result.verified();
  }

  /// The run without gaps, if one is asked for; its output is compared, too.
  std::optional<Sustained> sustained(Place& place, Result& result, const Nvml* gpu) {
    if (options_.seconds == 0) return std::nullopt;
    place.poison();
    const double gigabytes = static_cast<double>(dataset_.payload_bytes()) * 1e-9;
    const Sustained made = sustain(place, options_.seconds, result.microseconds * 1e-6, gigabytes, gpu);
    if (result.verified()) result.mismatch = mismatch_in(place.fetch(), dataset_, result.direction);
    return made;
  }

  const BenchOptions& options_;
  MeasuredEngine engine_;
  Oracle oracle_, chaining_oracle_;
  std::vector<std::unique_ptr<Place>> places_;
  Dataset dataset_;
  std::span<const MeasuredLimit> limits_;
  const Nvml& nvml_;
  Report& report_;
  unsigned results_ = 0, wrong_ = 0;
};

/// Empty if there is one.
std::string why_no_device() {
  try {
    (void)warpaes::device_info(0);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<MeasuredLimit> report_limits(const BenchOptions& options, Report& report) {
  if (const std::string reason = why_no_device(); !reason.empty()) {
    report.no_limits(reason);
    return {};
  }
  auto limits = measure_limits(options.devices.front());
  for (const MeasuredLimit& limit : limits) report.limit(limit);
  return limits;
}

}  // namespace

unsigned run_bench(const BenchOptions& options, Report& report) {
  check_options(options);
  const Nvml nvml(options.devices.front());
  const Machine machine = describe_machine(options.devices.front(), nvml);
  std::vector<MeasuredLimit> limits;
  if (!options.limits_from.empty()) {
    limits = limits_in(options.limits_from, machine.gpu ? machine.gpu->name : "no GPU");
  }
  report.machine(machine);
  if (options.limits) limits = report_limits(options, report);
  unsigned results = 0, wrong = 0;
  for (const std::string& engine : options.engines) {
    EngineBench bench(options, engine, limits, nvml, report);
    bench.run();
    results += bench.results();
    wrong += bench.wrong();
  }
  report.summary(results, wrong);
  return wrong;
}

}  // namespace warpaes::bench
