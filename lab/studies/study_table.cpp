#include "lab/studies/study.hpp"

namespace warpaes::core::lab {

// The studies. Each is in a file of its own.
extern const Study seed0, seed1, seed2, seed3, seed4, ladder, timing, latency, energy;

namespace {

constexpr const Study* kStudies[] = {&seed0,  &seed1,  &seed2,   &seed3, &seed4,
                                     &ladder, &timing, &latency, &energy};

}  // namespace

std::span<const Study* const> all_studies() { return kStudies; }

const Study* find_study(std::string_view name) {
  for (const Study* study : kStudies) {
    if (study->name == name) return study;
  }
  return nullptr;
}

}  // namespace warpaes::core::lab
