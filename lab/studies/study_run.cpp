#include "lab/studies/study_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "benchmarks/size_text.hpp"
#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "failure.hpp"
#include "lab/catalogue.hpp"
#include "lab/lesson_run.hpp"
#include "lab/studies/key_byte.hpp"
#include "lab/studies/row_measurement.hpp"
#include "lab/studies/workers.hpp"

namespace warpaes::core::lab {
namespace {

constexpr unsigned kHashSamples = 3;
constexpr uint64_t kMostWithoutGpu = 4 * kMiB;
constexpr double kMostSecondsOfLatencies = 4;

/// Thrown for a row that is not measured; it says why.
class LeftOut : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class PanelRun {
 public:
  PanelRun(const Study& study, const Panel& panel, const StudyOptions& options, Workers& workers,
           const TakeLine& take, StudyCounts& counts)
      : study_(study), panel_(panel), options_(options), workers_(workers), take_(take), counts_(counts) {}

  void run() {
    for (const Quantity& quantity : panel_.quantities) take_(chart_line(study_, panel_, quantity));
    for (const Published& published : panel_.published) take_(published_line(study_, panel_, published));
    last_.assign(panel_.subjects.size(), {});
    if (panel_.across == Across::bytes) {
      for (const uint64_t size : panel_.sizes)
        run_all({static_cast<double>(size), (size + 15) / 16 * 16}, {});
      tell_crossovers();
    } else if (panel_.across == Across::axis) {
      for (size_t i = 0; i < panel_.axis->values.size(); i++) {
        last_.assign(panel_.subjects.size(), {});
        run_all({static_cast<double>(i), 0}, {panel_.axis, panel_.axis->values[i]});
      }
    } else {
      run_all({0, 0}, {});
    }
  }

 private:
  struct Last {
    double seconds = 0;
    uint64_t bytes = 0;
    bool impossible = false;
    std::map<uint64_t, double> times = {};
  };

  void run_all(const Where& where, const Setting& setting) {
    for (size_t i = 0; i < panel_.subjects.size(); i++) run_one(i, where, setting);
  }

  void run_one(size_t index, Where where, const Setting& setting) {
    const Subject& subject = panel_.subjects[index];
    Last& last = last_[index];
    if (last.impossible) return;
    std::string at = panel_.across == Across::bytes ? bench::size_text(static_cast<uint64_t>(where.x)) : "";
    if (setting.axis != nullptr)
      at = fmt::format("{} {}", setting.axis->name, value_name(*setting.axis, setting.value));
    try {
      const Measured measured = measure_one(subject, variant_at(subject, setting), where, last);
      last.seconds = measured.seconds.median;
      last.bytes = where.bytes;
      last.times[where.bytes] = last.seconds;
      counts_.results++;
      if (!measured.mismatch.empty()) counts_.wrong++;
      take_(result_line(study_, panel_, subject, where, measured));
    } catch (const LeftOut& reason) {
      // Sizes grow, so larger ones are impossible as well.
      last.impossible = panel_.across == Across::bytes;
      leave_out(subject, last.impossible ? at + " and more" : at, reason.what());
    } catch (const Failure& failure) {
      last.impossible = is_of_the_machine(failure);
      leave_out(subject, last.impossible ? "" : at, failure.what());
    } catch (const Error& error) {
      last.impossible = is_of_the_machine(Failure(error.status(), error.what()));
      leave_out(subject, last.impossible ? "" : at, error.what());
    } catch (const std::bad_alloc&) {
      last.impossible = true;
      leave_out(subject, at + " and more", "too little memory");
    }
  }

  static Variant variant_at(const Subject& subject, const Setting& setting) {
    if (subject.worker != Worker::lesson) return {subject.mode, subject.direction, subject.key_bits, {}};
    Variant variant = variant_of(subject, lesson_of(subject));
    if (setting.axis != nullptr) variant.shape.*(setting.axis->member) = setting.value;
    return variant;
  }

  /// Throws LeftOut or Failure if the row is not measured, or cannot be.
  Measured measure_one(const Subject& subject, const Variant& variant, Where& where, const Last& last) {
    const auto place = is_cipher(subject) ? workers_.place(subject, variant) : nullptr;
    if (place == nullptr) require_gpu(lesson_of(subject), options_.device);
    if (panel_.measure == Measure::energy) account_for(subject);  // fails before any data has been made
    if (where.bytes == 0) where.bytes = bulk_for(subject);
    require_fitting(subject, where.bytes, last);
    Measured measured = place ? by_place(*place, subject, where.bytes)
                              : by_lesson_run(lesson_of(subject), variant, where.bytes);
    if (subject.worker == Worker::lesson && needs_gpu(subject)) {
      const DeviceScope scope(options_.device);
      measured.resources = lesson_of(subject).resources(variant);
    }
    return measured;
  }

  /// Does this failure concern the whole machine, and so all sizes, and not only one row?
  static bool is_of_the_machine(const Failure& failure) {
    return failure.status() != WARPAES_ERROR_OPTION && !failure.is_passing();
  }

  void leave_out(const Subject& subject, const std::string& at, const std::string& reason) {
    counts_.left_out++;
    take_(left_out_line(study_, panel_, subject, at, reason));
  }

  static bool is_cipher(const Subject& subject) {
    return subject.mode == Mode::ecb || subject.mode == Mode::ctr;
  }

  uint64_t most_bytes() const {
    if (options_.most_bytes != 0) return options_.most_bytes;
    return device_count() > 0 ? UINT64_MAX : kMostWithoutGpu;
  }

  /// The largest of the panel's sizes that this machine can take; on one core a thousandth of it.
  uint64_t bulk_for(const Subject& subject) const {
    const bool one_core = !needs_gpu(subject) && subject.threads == 1;
    const uint64_t most = one_core ? std::min(most_bytes(), kMiB) : most_bytes();
    for (const uint64_t size : panel_.sizes) {
      if (size <= most && memory_lacking(subject, size).empty()) return size;
    }
    return std::max<uint64_t>(most / 16 * 16, 16);
  }

  void require_fitting(const Subject& subject, uint64_t bytes, const Last& last) const {
    if (steady_seconds() > options_.until) throw LeftOut("its time was up (--time-limit)");
    if (bytes > most_bytes()) {
      throw LeftOut(options_.most_bytes != 0 ? "beyond --bytes-limit"
                                             : "without a GPU, only with --bytes-limit");
    }
    if (const std::string lacking = memory_lacking(subject, bytes); !lacking.empty()) throw LeftOut(lacking);
    const double expected =
        last.bytes == 0 ? 0 : last.seconds * static_cast<double>(bytes) / static_cast<double>(last.bytes);
    // Latencies need many single calls.
    const double most = panel_.measure == Measure::latency ? kMostSecondsOfLatencies / kFewestLatencies
                                                           : options_.most_seconds;
    if (expected > most) throw LeftOut(fmt::format("it would take more than {} s", most));
  }

  Measured by_place(bench::Place& place, const Subject& subject, uint64_t bytes) {
    make_data(subject, bytes);
    if (panel_.measure == Measure::energy)
      return measure_energy(place, dataset_, subject.direction, account_for(subject));
    const auto measure = panel_.measure == Measure::latency ? measure_latency : measure_row;
    return measure(place, dataset_, subject.direction);
  }

  /// The energy account for the subject. A panel is either of GPUs or of CPUs.
  EnergyAccount& account_for(const Subject& subject) {
    if (!account_) {
      account_.emplace(needs_gpu(subject) ? gpu_energy_meter(options_.device) : cpu_energy_meter());
      take_(idle_line(study_, panel_, account_->idle()));
    }
    return *account_;
  }

  /// Makes the data, unless the data that is there already fits.
  void make_data(const Subject& subject, uint64_t bytes) {
    bench::Workload wanted{&bench::bench_mode_named(mode_text(subject)), subject.key_bits, 1, bytes};
    wanted.equal_blocks = subject.input == Input::equal_blocks;
    const bench::Workload& has = dataset_.workload();
    if (has.mode == wanted.mode && has.key_bits == wanted.key_bits && has.bytes == wanted.bytes &&
        has.equal_blocks == wanted.equal_blocks) {
      return;
    }
    dataset_.make(wanted, oracle_);
  }

  Measured by_lesson_run(const Lesson& lesson, const Variant& variant, uint64_t bytes) const {
    const RunResult run =
        run_lesson(lesson, {variant, bytes, place_of(lesson), options_.device, kHashSamples});
    Measured measured{run.seconds.value_or(bench::Spread{}), kHashSamples, 1, {}, {}, {}, {}};
    if (run.first_wrong_byte) measured.mismatch = fmt::format("differs at byte {}", *run.first_wrong_byte);
    return measured;
  }

  /// Tells for each GPU's row at which sizes it is faster than OpenSSL on one core.
  void tell_crossovers() {
    const auto baseline = std::ranges::find_if(panel_.subjects, [](const Subject& subject) {
      return subject.worker == Worker::engine && subject.name == "openssl" && subject.threads == 1;
    });
    if (baseline == panel_.subjects.end()) return;
    const Last& slow = last_[static_cast<size_t>(baseline - panel_.subjects.begin())];
    for (size_t i = 0; i < panel_.subjects.size(); i++) {
      if (!needs_gpu(panel_.subjects[i]) || last_[i].times.empty()) continue;
      std::map<uint64_t, bool> faster;
      for (const auto& [bytes, seconds] : last_[i].times) {
        const auto other = slow.times.find(bytes);
        if (other != slow.times.end()) faster[bytes] = seconds < other->second;
      }
      if (!faster.empty()) take_(crossover_line(study_, panel_, panel_.subjects[i], faster));
    }
  }

  const Study& study_;
  const Panel& panel_;
  const StudyOptions& options_;
  Workers& workers_;
  const TakeLine& take_;
  StudyCounts& counts_;
  bench::Oracle oracle_{"cuda", 0};  // which makes it OpenSSL
  bench::Dataset dataset_;
  std::vector<Last> last_;
  std::optional<EnergyAccount> account_;
};

}  // namespace

StudyCounts run_study(const Study& study, const StudyOptions& options, const TakeLine& take) {
  take(study_line(study));
  StudyCounts counts;
  Workers workers(options.device);
  for (const Panel& panel : study.panels) PanelRun(study, panel, options, workers, take, counts).run();
  if (!study.attacks_key_byte) return counts;
  try {
    attack_key_byte(study, options, take);
  } catch (const Failure& failure) {
    counts.left_out++;
    take({{"type", "left_out"},
          {"study", std::string(study.name)},
          {"what", "Key byte from bank conflicts"},
          {"reason", failure.what()}});
  }
  return counts;
}

}  // namespace warpaes::core::lab
