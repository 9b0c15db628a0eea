#include <fmt/format.h>

#include "report.hpp"

namespace warpaes::bench {
namespace {

/// 1048576 as "1 MiB"; only whole numbers of a unit are shortened.
std::string size_text(uint64_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(units); unit++) bytes /= 1024;
  return fmt::format("{} {}", bytes, units[unit]);
}

class TableReport final : public Report {
 public:
  explicit TableReport(std::FILE* file) : file_(file) {}

  void machine(const Machine& machine) override {
    fmt::print(file_, "WarpAES {}, {}\n", machine.version, machine.date);
    if (machine.gpu) {
      fmt::print(file_, "GPU  {}, compute capability {}.{}, {} multiprocessors, driver {}\n",
                 machine.gpu->name, machine.gpu->compute_major, machine.gpu->compute_minor,
                 machine.gpu->multiprocessors, machine.driver.value_or("unknown"));
    } else {
      fmt::print(file_, "GPU  none\n");
    }
    fmt::print(file_, "CPU  {}, {} cores, {} threads, {}\n", machine.cpu, machine.cores, machine.threads,
               machine.openssl);
  }

  void limit(const MeasuredLimit& measured) override {
    const Limit& limit = *measured.limit;
    begin_limits();
    const std::string value = !measured.value ? "not on this GPU and build"
                              : *measured.value >= 1e6
                                  ? fmt::format("{:10.3e} {}", *measured.value, limit.unit)
                                  : fmt::format("{:10.1f} {}", *measured.value, limit.unit);
    fmt::print(file_, "{:<16} {:<16} {}\n", limit.name, value, limit.description);
  }

  void no_limits(const std::string& reason) override {
    begin_limits();
    fmt::print(file_, "none measured: {}\n", reason);
  }

  void result(const Result& result) override {
    begin_results();
    const Workload& workload = result.workload;
    fmt::print(file_, "{:<4} {:>4} {:<9} {:<9} {:>8} {:>9}  {:<8} {:<20} {:>9.3f}", workload.mode->name,
               workload.key_bits, result.direction == WARPAES_ENCRYPT ? "encrypt" : "decrypt", result.place,
               workload.messages, size_text(workload.bytes), result.engine->name, result.engine->kernel,
               result.gb_per_s.median);
    fmt::print(file_, "  {:>8.3f} – {:<8.3f}", result.gb_per_s.min, result.gb_per_s.max);
    if (result.bound) {
      fmt::print(file_, "  {:>5.1f} % of {:.1f} ({})", 100 * result.gb_per_s.median / result.bound->gb_per_s,
                 result.bound->gb_per_s, result.bound->limit);
    }
    fmt::print(file_, "{}\n", result.verified() ? "" : "  WRONG: " + result.mismatch);
    std::fflush(file_);
  }

  void summary(unsigned results, unsigned wrong) override {
    fmt::print(file_, "\n{} results, {}\n", results,
               wrong == 0 ? "each output checked against another engine" : fmt::format("{} WRONG", wrong));
  }

 private:
  void begin_limits() {
    if (!limits_begun_) fmt::print(file_, "\n");
    limits_begun_ = true;
  }

  void begin_results() {
    if (results_begun_) return;
    results_begun_ = true;
    fmt::print(file_, "\n{:<4} {:>4} {:<9} {:<9} {:>8} {:>9}  {:<8} {:<20} {:>9}  {:>8} – {:<8}  {}\n",
               "mode", "key", "direction", "where", "messages", "bytes", "engine", "kernel", "GB/s", "min",
               "max", "share of limit");
  }

  std::FILE* file_;
  bool limits_begun_ = false, results_begun_ = false;
};

}  // namespace

std::unique_ptr<Report> table_report(std::FILE* file) { return std::make_unique<TableReport>(file); }

}  // namespace warpaes::bench
