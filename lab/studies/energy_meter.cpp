#include "lab/studies/energy_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>
#include <vector>

#include "benchmarks/nvml.hpp"
#include "failure.hpp"

namespace warpaes::core::lab {
namespace {

namespace fs = std::filesystem;

class NvmlMeter final : public EnergyMeter {
 public:
  explicit NvmlMeter(int device) : nvml_(device) { joules(); }

  double joules() override {
    const auto millijoules = nvml_.energy_millijoules();
    if (!millijoules) throw Failure(WARPAES_ERROR_NO_DEVICE, "NVML does not tell this GPU's energy");
    return static_cast<double>(*millijoules) * 1e-3;
  }

 private:
  bench::Nvml nvml_;
};

/// The counter of one processor package, in microjoules. It begins at 0 again after a limit that the kernel
/// names.
class Package {
 public:
  explicit Package(const fs::path& zone) : counter_(zone / "energy_uj") {
    std::ifstream(zone / "max_energy_range_uj") >> range_;
    last_ = microjoules();
  }

  double joules() {
    const uint64_t now = microjoules();
    total_ += now >= last_ ? now - last_ : now + range_ - last_;
    last_ = now;
    return static_cast<double>(total_) * 1e-6;
  }

 private:
  uint64_t microjoules() const {
    uint64_t value = 0;
    if (std::ifstream file(counter_); !(file >> value)) {
      throw Failure(WARPAES_ERROR_NO_DEVICE, fmt::format("{} cannot be read; root may", counter_.string()));
    }
    return value;
  }

  fs::path counter_;
  uint64_t range_ = 0, last_ = 0, total_ = 0;
};

class PowercapMeter final : public EnergyMeter {
 public:
  explicit PowercapMeter(const fs::path& powercap) {
    std::error_code none;
    for (const fs::directory_entry& zone : fs::directory_iterator(powercap, none)) {
      std::string name;
      std::ifstream(zone.path() / "name") >> name;
      if (name.starts_with("package"))
        packages_.emplace_back(zone.path());  // other zones are parts of packages
    }
    if (packages_.empty()) {
      throw Failure(WARPAES_ERROR_NO_DEVICE,
                    "this machine does not tell its CPU's energy: no package in " + powercap.string());
    }
  }

  double joules() override {
    double sum = 0;
    for (Package& package : packages_) sum += package.joules();
    return sum;
  }

 private:
  std::vector<Package> packages_;
};

}  // namespace

std::unique_ptr<EnergyMeter> gpu_energy_meter(int device) { return std::make_unique<NvmlMeter>(device); }

std::unique_ptr<EnergyMeter> cpu_energy_meter(const fs::path& powercap) {
  return std::make_unique<PowercapMeter>(powercap);
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

EnergyReading read_energy(EnergyMeter& meter, double seconds, const std::function<double()>& work,
                          const Clock& clock) {
  struct Change {
    double at, joules, calls;
  };
  const double give_up = clock() + 3 * seconds + 2;
  const double before = meter.joules();
  double calls = 0;
  const auto next_change = [&](double from) {
    for (;;) {
      calls += work();
      const double joules = meter.joules();
      if (joules != from) return Change{clock(), joules, calls};
      if (clock() > give_up) throw Failure(WARPAES_ERROR_NO_DEVICE, "the counter of energy stands still");
    }
  };
  const Change first = next_change(before);
  Change last = first;
  EnergyReading reading;
  while (last.at - first.at < seconds) {
    const Change next = next_change(last.joules);
    reading.longest_step = std::max(reading.longest_step, next.at - last.at);
    last = next;
  }
  reading.seconds = last.at - first.at;
  reading.joules = last.joules - first.joules;
  reading.calls = last.calls - first.calls;
  return reading;
}

EnergyUse energy_use(const EnergyReading& load, const EnergyReading& idle, double gigabytes_a_call) {
  const double gigabytes = load.calls * gigabytes_a_call;
  const double net_watts = load.watts() - idle.watts();
  return {
      .joules_per_gb = net_watts * load.seconds / gigabytes,
      .joules_per_gb_with_idle = load.joules / gigabytes,
      .watts = load.watts(),
      .idle_watts = idle.watts(),
      .seconds = load.seconds,
      .longest_step = load.longest_step,
      .accuracy = (load.watts() * load.step_error() + idle.watts() * idle.step_error()) / std::abs(net_watts),
  };
}

const EnergyReading& EnergyAccount::idle() {
  constexpr auto kRest = std::chrono::milliseconds(500), kPause = std::chrono::milliseconds(1);
  if (idle_.seconds > 0) return idle_;
  std::this_thread::sleep_for(kRest);
  idle_ = read_energy(*meter_, kEnergyWindow, [&] {
    std::this_thread::sleep_for(kPause);
    return 0.0;
  });
  return idle_;
}

}  // namespace warpaes::core::lab
