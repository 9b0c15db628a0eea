// The energy counters that a machine has. They only grow, and they do so in steps.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

namespace warpaes::core::lab {

class EnergyMeter {
 public:
  virtual ~EnergyMeter() = default;
  /// The energy that was used since some moment in the past.
  virtual double joules() = 0;
};

/// The meter of the whole board, by NVML. Throws Failure, saying why there is none.
std::unique_ptr<EnergyMeter> gpu_energy_meter(int device);

/// The meter of all CPU packages (RAPL) by Linux' powercap. It leaves out memory and the rest of the machine.
/// Throws Failure, saying why there is none.
std::unique_ptr<EnergyMeter> cpu_energy_meter(const std::filesystem::path& powercap = "/sys/class/powercap");

/// What a meter showed between two of its steps, and what was done in between.
struct EnergyReading {
  double seconds = 0, joules = 0;
  double longest_step = 0;  // seconds from one change of the counter to the next
  double calls = 0;

  double watts() const { return joules / seconds; }
  /// By what share it may be wrong, because the counter moves in steps.
  double step_error() const { return longest_step / seconds; }
};

/// Tells the seconds since some moment.
using Clock = std::function<double()>;
double steady_seconds();

/// Repeats work for at least `seconds`, and looks at the meter each time.
/// @param work returns how many calls it has made.
/// Throws Failure if the meter stands still.
EnergyReading read_energy(EnergyMeter& meter, double seconds, const std::function<double()>& work,
                          const Clock& clock = steady_seconds);

/// What work uses in addition to what the machine uses without it.
struct EnergyUse {
  double joules_per_gb, joules_per_gb_with_idle;
  double watts, idle_watts;
  double seconds;
  double longest_step;  // seconds
  double accuracy;      // of joules_per_gb, as a share: how exact the steps of the counter allow it to be
};

EnergyUse energy_use(const EnergyReading& load, const EnergyReading& idle, double gigabytes_a_call);

/// A meter, and what it shows while nothing runs. The latter is measured when it is first asked for.
class EnergyAccount {
 public:
  explicit EnergyAccount(std::unique_ptr<EnergyMeter> meter) : meter_(std::move(meter)) {}

  EnergyMeter& meter() { return *meter_; }
  const EnergyReading& idle();

 private:
  std::unique_ptr<EnergyMeter> meter_;
  EnergyReading idle_;
};

/// Seconds of load, and of rest. They are long compared with the steps of such counters.
inline constexpr double kEnergyWindow = 2;

}  // namespace warpaes::core::lab
