#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report.hpp"

namespace warpaes::bench {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Rounds to 0.001, which is what another run can still confirm, and to four digits what is below 1, so that
/// nothing slow becomes 0, or a rate.
double rounded(double value) {
  const bool in_thousandths = value >= 1 && value < 1e6;
  return in_thousandths ? std::round(value * 1e3) / 1e3 : std::stod(fmt::format("{:.3e}", value));
}

Json rounded_or_null(const std::optional<double>& value) {
  return value ? Json(rounded(*value)) : Json(nullptr);
}

class JsonReport final : public Report {
 public:
  explicit JsonReport(std::FILE* file) : file_(file) {}

  void machine(const Machine& machine) override {
    const auto& gpu = machine.gpu;
    const auto of_gpu = [&](const Json& value) { return gpu ? value : Json(nullptr); };
    const auto info = gpu.value_or(warpaes_device_info{});
    write({{"type", "machine"},
           {"date", machine.date},
           {"warpaes", machine.version},
           {"commit", or_null(machine.commit)},
           {"sources_sha256", or_null(machine.sources_sha256)},
           {"gpu", of_gpu(info.name)},
           {"compute_capability", of_gpu(fmt::format("{}.{}", info.compute_major, info.compute_minor))},
           {"multiprocessors", of_gpu(info.multiprocessors)},
           {"memory_bytes", of_gpu(info.memory_size)},
           {"highest_clock_mhz", or_null(machine.highest_clock_mhz)},
           {"highest_memory_clock_mhz", or_null(machine.highest_memory_clock_mhz)},
           {"power_limit_watts", or_null(machine.power_limit_watts)},
           {"driver", or_null(machine.driver)},
           {"cuda_driver", of_gpu(info.driver_version)},
           {"cuda_runtime", of_gpu(info.runtime_version)},
           {"cpu", machine.cpu},
           {"cores", machine.cores},
           {"threads", machine.threads},
           {"openssl", machine.openssl},
           {"system", machine.system}});
  }

  void limit(const MeasuredLimit& measured) override {
    const auto value = measured.value ? Json(rounded(*measured.value)) : Json(nullptr);
    write({{"type", "limit"},
           {"name", measured.limit->name},
           {"value", value},
           {"unit", measured.limit->unit}});
  }

  void no_limits(const std::string& reason) override {
    for (const Limit& limit : limit_table()) {
      write({{"type", "limit"},
             {"name", limit.name},
             {"value", nullptr},
             {"unit", limit.unit},
             {"reason", reason}});
    }
  }

  void result(const Result& result, const std::optional<Sustained>& sustained) override {
    const Workload& workload = result.workload;
    const Spread& gb_per_s = result.gb_per_s;
    const auto& bound = result.bound;
    Json line = {{"type", "result"},
                 {"mode", workload.mode->name},
                 {"key_bits", workload.key_bits},
                 {"direction", result.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt"},
                 {"where", result.place},
                 {"messages", workload.messages},
                 {"bytes", workload.bytes},
                 {"engine", result.engine->name},
                 {"kernel", result.engine->kernel},
                 {"devices", result.devices},
                 {"ragged", workload.kind.ragged},
                 {"key_each", workload.kind.key_each},
                 {"framed", workload.kind.framed},
                 {"misaligned_by", workload.kind.misaligned_by},
                 {"tensors", workload.kind.listed},
                 {"gb_per_s", rounded(gb_per_s.median)},
                 {"microseconds", rounded(result.microseconds)},
                 {"limit", bound ? Json(rounded(bound->gb_per_s)) : Json(nullptr)},
                 {"limit_name", bound ? Json(bound->limit) : Json(nullptr)},
                 {"share", bound ? Json(rounded(gb_per_s.median / bound->gb_per_s)) : Json(nullptr)},
                 {"verified", result.verified()},
                 {"verified_with", result.oracle},
                 {"samples", result.samples},
                 {"repeats", result.repeats},
                 {"gb_per_s_min", rounded(gb_per_s.min)},
                 {"gb_per_s_max", rounded(gb_per_s.max)},
                 {"threads", result.threads == 0 ? Json(nullptr) : Json(result.threads)},
                 {"clock_mhz", or_null(result.clock_mhz)},
                 {"clock_held_by", result.clock_held_by ? Json(result.clock_held_by) : Json(nullptr)}};
    if (workload.mode->has_data_units) line["data_unit_bytes"] = workload.data_unit_bytes;
    if (sustained) {
      line["sustained"] = {{"seconds", rounded(sustained->seconds)},
                           {"gb_per_s", rounded(sustained->gb_per_s)},
                           {"watts", rounded_or_null(sustained->watts)},
                           {"joules_per_gb", rounded_or_null(sustained->joules_per_gb)},
                           {"clock_mhz", or_null(sustained->clock_mhz)}};
    }
    if (!result.verified()) line["mismatch"] = result.mismatch;
    write(line);
  }

  void summary(unsigned results, unsigned wrong) override {
    write({{"type", "summary"}, {"results", results}, {"wrong", wrong}});
  }

 private:
  void write(const Json& line) {
    fmt::print(file_, "{}\n", line.dump());
    std::fflush(file_);
  }

  std::FILE* file_;
};

}  // namespace

std::unique_ptr<Report> json_report(std::FILE* file) { return std::make_unique<JsonReport>(file); }

}  // namespace warpaes::bench
