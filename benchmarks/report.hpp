// How results are written: one JSON object a line, or a table.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>

#include "limits.hpp"
#include "machine.hpp"
#include "measurement.hpp"
#include "sustained.hpp"

namespace warpaes::bench {

class Report {
 public:
  virtual ~Report() = default;
  virtual void machine(const Machine& machine) = 0;
  virtual void limit(const MeasuredLimit& limit) = 0;
  /// To be called if --limits was asked for and there is nothing to measure.
  virtual void no_limits(const std::string& reason) = 0;
  /// @param sustained the run without gaps behind the samples, if there was one
  virtual void result(const Result& result, const std::optional<Sustained>& sustained) = 0;
  virtual void summary(unsigned results, unsigned wrong) = 0;
};

std::unique_ptr<Report> json_report(std::FILE* file);
std::unique_ptr<Report> table_report(std::FILE* file);

}  // namespace warpaes::bench
