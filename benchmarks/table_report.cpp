#include <fmt/format.h>

#include "report.hpp"
#include "size_text.hpp"

namespace warpaes::bench {
namespace {

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

  void result(const Result& result, const std::optional<Sustained>& sustained) override {
    begin_results();
    const Workload& workload = result.workload;
    fmt::print(file_, "{:<11} {:>4} {:<9} {:<9} {:>8} {:>9}  {:<8} {:<20} {:>9.3f}", workload.mode->name,
               workload.key_bits, result.direction == WARPAES_DIRECTION_ENCRYPT ? "encrypt" : "decrypt",
               result.place, workload.messages, size_text(workload.bytes), result.engine->name,
               result.engine->kernel, result.gb_per_s.median);
    fmt::print(file_, "  {:>8.3f} –{:>9.3f}", result.gb_per_s.min, result.gb_per_s.max);
    if (result.bound) {
      fmt::print(file_, "  {:>5.1f} % of {:.1f} ({})", 100 * result.gb_per_s.median / result.bound->gb_per_s,
                 result.bound->gb_per_s, result.bound->limit);
    }
    if (workload.kind.ragged) fmt::print(file_, "  ragged");
    if (workload.kind.key_each) fmt::print(file_, "  a key each");
    if (workload.kind.framed) fmt::print(file_, "  framed");
    if (workload.kind.listed) fmt::print(file_, "  as tensors");
    if (workload.kind.misaligned_by != 0)
      fmt::print(file_, "  misaligned by {}", workload.kind.misaligned_by);
    if (result.microseconds < 1000) fmt::print(file_, "  {:.2f} µs a call", result.microseconds);
    if (sustained) print_sustained(*sustained);
    fmt::print(file_, "{}\n", result.verified() ? "" : "  WRONG: " + result.mismatch);
    std::fflush(file_);
  }

  void summary(unsigned results, unsigned wrong) override {
    fmt::print(file_, "\n{} results, {}\n", results,
               wrong == 0 ? "each output checked against another engine" : fmt::format("{} WRONG", wrong));
  }

 private:
  void print_sustained(const Sustained& sustained) {
    fmt::print(file_, "  {:.1f} GB/s for {:.0f} s", sustained.gb_per_s, sustained.seconds);
    if (sustained.watts)
      fmt::print(file_, ", {:.0f} W, {:.3f} J/GB", *sustained.watts, *sustained.joules_per_gb);
    if (sustained.clock_mhz) fmt::print(file_, ", {} MHz", *sustained.clock_mhz);
  }

  void begin_limits() {
    if (!limits_begun_) fmt::print(file_, "\n");
    limits_begun_ = true;
  }

  void begin_results() {
    if (results_begun_) return;
    results_begun_ = true;
    fmt::print(file_, "\n{:<11} {:>4} {:<9} {:<9} {:>8} {:>9}  {:<8} {:<20} {:>9}  {:>8} –{:>9}  {}\n",
               "mode", "key", "direction", "where", "messages", "bytes", "engine", "kernel", "GB/s", "min",
               "max", "share of limit");
  }

  std::FILE* file_;
  bool limits_begun_ = false, results_begun_ = false;
};

}  // namespace

std::unique_ptr<Report> table_report(std::FILE* file) { return std::make_unique<TableReport>(file); }

}  // namespace warpaes::bench
