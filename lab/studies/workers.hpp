// What does a subject's work, made into a place that the benchmarks' data can be taken to and measured in.
#pragma once

#include <map>
#include <memory>

#include "benchmarks/place.hpp"
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

/// Throws Failure if the catalogue has none of its name.
const Lesson& lesson_of(const Subject& subject);

/// Throws Failure, saying why it cannot run on that GPU.
void require_gpu(const Lesson& lesson, int device);

/// A lesson's variant with the subject's settings.
Variant variant_of(const Subject& subject, const Lesson& lesson);

/// Does this subject run on a GPU?
bool needs_gpu(const Subject& subject);

/// What of the machine's memory it takes to measure this subject on so much data and is not there; or empty.
std::string memory_lacking(const Subject& subject, uint64_t bytes);

class Workers {
 public:
  explicit Workers(int device) : device_(device) {}

  /// Throws Failure, saying why, if this subject cannot be measured here. ECB and CTR only.
  std::unique_ptr<bench::Place> place(const Subject& subject, const Variant& variant);

 private:
  const bench::MeasuredEngine& engine(const std::string& name, unsigned threads);

  int device_;
  std::map<std::pair<std::string, unsigned>, bench::MeasuredEngine> engines_;
};

}  // namespace warpaes::core::lab
