// Makes the place in which a subject works, which the benchmarks' data can be brought to and measured in.
#pragma once

#include <map>
#include <memory>

#include "benchmarks/place.hpp"
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

/// The lesson of the subject. Throws Failure if the catalogue has no such lesson.
const Lesson& lesson_of(const Subject& subject);

/// Throws Failure, saying why, if the lesson cannot run on that GPU.
void require_gpu(const Lesson& lesson, int device);

/// The lesson's variant, with the settings of the subject.
Variant variant_of(const Subject& subject, const Lesson& lesson);

/// Does this subject run on a GPU?
bool needs_gpu(const Subject& subject);

/// Which memory is lacking to measure this subject on so much data; empty if there is enough.
std::string memory_lacking(const Subject& subject, uint64_t bytes);

class Workers {
 public:
  explicit Workers(int device) : device_(device) {}

  /// Throws Failure, saying why, if this subject cannot be measured here. It is for ECB and CTR only.
  std::unique_ptr<bench::Place> place(const Subject& subject, const Variant& variant);

 private:
  const bench::MeasuredEngine& engine(const std::string& name, unsigned threads);

  int device_;
  std::map<std::pair<std::string, unsigned>, bench::MeasuredEngine> engines_;
};

}  // namespace warpaes::core::lab
