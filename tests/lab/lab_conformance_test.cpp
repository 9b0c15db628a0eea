// Compares every lesson of the catalogue with OpenSSL, in all modes, directions, key sizes and shapes, with
// lengths from 0 on and counters that carry. Lessons run on the GPU where there is one, and otherwise
// emulated.
#include <gtest/gtest.h>

#include "lab/catalogue.hpp"
#include "lab/reference.hpp"
#include "lesson_trial.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kOnes = ~uint64_t{0};
constexpr CounterBlock kCounters[] = {
    {0x0123456789abcdef, 0xfedcba9876543210},
    {1, 0xff},  // carries out of the last byte after one block
    {2, 0xfff0},
    {3, 0xfffffff0},           // and further up
    {0xffffffff, kOnes - 40},  // into the upper half
    {kOnes, kOnes - 3},        // wraps
};

class LessonTest : public testing::TestWithParam<const Lesson*> {
 protected:
  static const Lesson& lesson() { return *GetParam(); }

  static std::vector<uint64_t> lengths(Mode mode) {
    if (mode == Mode::key_expansion) return {0, 16, 31, 32, 33 * 24, 100 * 16 + 9};
    if (mode == Mode::ecb) return {0, 16, 32, 31 * 16, 32 * 16, 33 * 16, 500 * 16};
    return {0, 1, 15, 16, 17, 255, 256, 511, 513, 33 * 16 - 5, 500 * 16 + 9};
  }

  static void expect_right(Trial trial) {
    // Grids with more and fewer threads than there is work: some have nothing, or come again. How they are
    // shared out does not depend on the key.
    const bool once = trial.variant.key_bits != lesson().key_bits.front();
    for (const uint32_t grid : once ? std::vector{0u} : std::vector{0u, 1u, 3u}) {
      trial.variant.shape.grid = grid;
      const std::string fault = fault_of(lesson(), trial, place_of(lesson()));
      if (fault.empty()) continue;
      ADD_FAILURE() << lesson().name << ": " << fault;
      return;
    }
  }
};

TEST_P(LessonTest, IsRightForEveryLength) {
  for (const Variant& variant : usual_variants(lesson())) {
    for (const uint64_t bytes : lengths(variant.mode)) expect_right({variant, kCounters[0], bytes});
  }
}

TEST_P(LessonTest, IsRightInEveryShape) {
  for (const Variant& variant : all_variants(lesson())) {
    const uint64_t bytes = variant.mode == Mode::ecb ? 80 * 16 : 80 * 16 + 3;
    const std::string fault = fault_of(lesson(), {variant, kCounters[4], bytes}, place_of(lesson()));
    ASSERT_EQ(fault, "") << lesson().name;
  }
}

TEST_P(LessonTest, CarriesItsCounter) {
  for (const Variant& variant : usual_variants(lesson())) {
    if (variant.mode != Mode::ctr || variant.direction != WARPAES_DIRECTION_ENCRYPT)
      continue;  // both are the same
    for (const CounterBlock& counter : kCounters) expect_right({variant, counter, 300 * 16 + 1});
  }
}

TEST_P(LessonTest, TakesAnyAddressAndWorksInPlace) {
  for (const Variant& variant : usual_variants(lesson())) {
    for (const unsigned misaligned : {1u, 4u, 8u}) expect_right({variant, kCounters[0], 40 * 16, misaligned});
    if (output_bytes(variant, 1) == 1) expect_right({variant, kCounters[0], 40 * 16, 0, true});
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, LessonTest, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& test) { return std::string(test.param->name); });

/// Lessons that are wrong in one thing each: what the tests above must find.
struct PlantedFault {
  const char* name;
  void (*emulate)(const Task&);
  Trial trial;
};

void right(const Task& task) { find_lesson("t_tables_in_shared_memory")->emulate(task); }

constexpr Variant kCtr128 = {Mode::ctr, WARPAES_DIRECTION_ENCRYPT, 128, {}};
const PlantedFault kFaults[] = {
    {"none of the tail",
     [](const Task& task) {
       Task whole = task;
       whole.bytes = task.bytes / 16 * 16;
       right(whole);
     },
     {kCtr128, {}, 33}},
    {"a byte too many",
     [](const Task& task) {
       right(task);
       task.output[task.bytes] = 0;
     },
     {kCtr128, {}, 33}},
    {"a counter of 32 bits",
     [](const Task& task) {
       Task second = task;
       const uint64_t first = 16 * 16;
       Task start = task;
       start.bytes = first;
       right(start);
       second.counter.low =
           (task.counter.low & ~uint64_t{0xffffffff}) | ((task.counter.low + 16) & 0xffffffff);
       second.input += first;
       second.output += first;
       second.bytes -= first;
       right(second);
     },
     {kCtr128, kCounters[3], 20 * 16}},
    {"a bit of the last block",
     [](const Task& task) {
       right(task);
       task.output[task.bytes - 1] ^= 1;
     },
     {{Mode::ecb, WARPAES_DIRECTION_DECRYPT, 256, {}}, {}, 500 * 16}},
};

TEST(PlantedFaults, AreFound) {
  for (const PlantedFault& planted : kFaults) {
    Lesson faulty = *find_lesson("t_tables_in_shared_memory");
    EXPECT_EQ(fault_of(faulty, planted.trial, Place::emulated), "") << planted.name;
    faulty.emulate = planted.emulate;
    EXPECT_NE(fault_of(faulty, planted.trial, Place::emulated), "") << planted.name;
  }
}

}  // namespace
}  // namespace warpaes::core::lab
