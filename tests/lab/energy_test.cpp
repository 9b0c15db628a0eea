// Energy that is read from counters which move in steps: the result must be right within the accuracy that is
// stated with it.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "failure.hpp"
#include "lab/studies/row_measurement.hpp"

namespace warpaes::core::lab {
namespace {

namespace fs = std::filesystem;

/// A machine whose time passes with its work, and whose counter moves every `step` seconds.
class FakeMachine final : public EnergyMeter {
 public:
  FakeMachine(double watts, double step) : watts_(watts), step_(step) {}

  double joules() override { return watts_ * step_ * std::floor(now / step_); }

  EnergyReading read(double seconds, double batch, double calls) {
    return read_energy(
        *this, seconds,
        [&] {
          now += batch;
          return calls;
        },
        [&] { return now; });
  }

  double now = 1000.04;

 private:
  double watts_, step_;
};

TEST(ReadEnergy, PowerIsRightWithinWhatTheStepsAllow) {
  for (const double step : {0.001, 0.02, 0.1, 0.7}) {
    for (const double batch : {0.0007, 0.013}) {
      const EnergyReading reading = FakeMachine(300, step).read(2, batch, 5);
      EXPECT_GE(reading.seconds, 2);
      EXPECT_NEAR(reading.watts(), 300, 300 * (reading.step_error() + batch / reading.seconds)) << step;
      EXPECT_NEAR(reading.longest_step, std::max(step, batch), batch + 1e-9) << step;
      EXPECT_NEAR(reading.calls, 5 * reading.seconds / batch, 1e-6 * reading.calls);
    }
  }
}

TEST(ReadEnergy, BeginsAndEndsWhereTheCounterMoves) {
  // 0.1 s of 2: 5 % if one looked at any time, but far less from step to step.
  EXPECT_NEAR(FakeMachine(300, 0.1).read(2, 0.001, 1).watts(), 300, 300 * 0.0011);
}

TEST(ReadEnergy, ACounterThatStandsStillIsToldOf) {
  EXPECT_THROW(FakeMachine(0, 0.1).read(2, 0.01, 1), Failure);
}

TEST(EnergyUse, IdlePowerIsTakenOff) {
  const EnergyReading load = {.seconds = 2, .joules = 600, .longest_step = 0.1, .calls = 100};
  const EnergyReading idle = {.seconds = 4, .joules = 400, .longest_step = 0.1, .calls = 0};
  const EnergyUse use = energy_use(load, idle, 2);
  EXPECT_DOUBLE_EQ(use.watts, 300);
  EXPECT_DOUBLE_EQ(use.idle_watts, 100);
  EXPECT_DOUBLE_EQ(use.joules_per_gb, 200 * 2 / 200.0);
  EXPECT_DOUBLE_EQ(use.joules_per_gb_with_idle, 600 / 200.0);
  EXPECT_DOUBLE_EQ(use.accuracy, (300 * 0.05 + 100 * 0.025) / 200);
}

class Powercap : public testing::Test {
 protected:
  Powercap() { fs::create_directories(folder_); }
  ~Powercap() override { fs::remove_all(folder_); }

  void write(const std::string& zone, const std::string& name, const std::string& microjoules) const {
    fs::create_directories(folder_ / zone);
    std::ofstream(folder_ / zone / "name") << name << '\n';
    std::ofstream(folder_ / zone / "max_energy_range_uj") << "1000000\n";
    if (!microjoules.empty()) std::ofstream(folder_ / zone / "energy_uj") << microjoules << '\n';
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "warpaes-powercap-test";
};

TEST_F(Powercap, PackagesAreAddedUpAndTheirPartsAreNot) {
  write("intel-rapl:0", "package-0", "500000");
  write("intel-rapl:0:0", "core", "7");
  write("intel-rapl:1", "package-1", "900000");
  const auto meter = cpu_energy_meter(folder_);
  const double before = meter->joules();
  write("intel-rapl:0", "package-0", "700000");
  write("intel-rapl:0:0", "core", "900007");
  write("intel-rapl:1", "package-1", "100000");  // past its limit
  EXPECT_NEAR(meter->joules() - before, 0.2 + 0.2, 1e-9);
}

TEST_F(Powercap, WhyThereIsNoneIsTold) {
  const auto complaint = [&] {
    try {
      cpu_energy_meter(folder_);
      return std::string("none");
    } catch (const Failure& failure) {
      return std::string(failure.what());
    }
  };
  EXPECT_NE(complaint().find("does not tell its CPU's energy"), std::string::npos);
  write("intel-rapl:0", "package-0", "");
  EXPECT_NE(complaint().find("energy_uj cannot be read"), std::string::npos);
}

TEST(Percentile, IsTheNearestRank) {
  std::vector<double> samples(200);
  std::iota(samples.begin(), samples.end(), 1);
  EXPECT_EQ(percentile(samples, 0.5), 100);
  EXPECT_EQ(percentile(samples, 0.99), 198);
  EXPECT_EQ(percentile(samples, 1), 200);
  EXPECT_EQ(percentile(std::vector<double>{3}, 0.99), 3);
}

}  // namespace
}  // namespace warpaes::core::lab
