// What a study says of its results.
#include "lab/studies/study_lines.hpp"

#include <gtest/gtest.h>

namespace warpaes::core::lab {
namespace {

struct Crossover {
  std::map<uint64_t, bool> faster;
  const char* said;
  uint64_t from;
};

TEST(CrossoverLine, NamesTheSizesThatWereWon) {
  const Crossover kCases[] = {
      {{{kKiB, false}, {kMiB, false}}, "at no measured size.", 0},
      {{{kKiB, false}, {kMiB, true}, {kGiB, true}}, "from 1 MiB on.", kMiB},
      {{{kKiB, true}, {kMiB, true}}, "from 1 KiB on.", kKiB},
      {{{kKiB, true}, {kMiB, true}, {kGiB, false}}, "only at 1 KiB, 1 MiB.", 0},
      {{{kKiB, false}, {kMiB, true}, {kGiB, false}}, "only at 1 MiB.", 0},
      {{{kKiB, true}, {kMiB, false}, {kGiB, true}}, "at 1 KiB, and from 1 GiB on.", kGiB},
  };
  const Study study{};
  Panel panel{};
  panel.title = "Encryption";
  const Subject subject = {.series = "shared memory"};
  for (const Crossover& its : kCases) {
    const Line line = crossover_line(study, panel, subject, its.faster);
    EXPECT_EQ(line["text"],
              std::string("Encryption: shared memory is faster than OpenSSL on one core ") + its.said);
    EXPECT_EQ(line["faster_from_bytes"], its.from) << its.said;
  }
}

}  // namespace
}  // namespace warpaes::core::lab
