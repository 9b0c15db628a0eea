// A run must find a lesson that writes nothing, whatever lay in its memory before, and its answers must be
// right.
#include "lab/lesson_run.hpp"

#include <gtest/gtest.h>

#include "device/device.hpp"
#include "failure.hpp"
#include "lab/catalogue.hpp"
#include "lab/reference.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(LessonRun, FindsALessonThatStoresOnlyOnce) {
  static int calls;
  calls = 0;
  Lesson lesson = *find_lesson("serial_t_table");
  lesson.run_on_cpu = [](const Task& task) {
    if (calls++ == 0) find_lesson("serial_t_table")->run_on_cpu(task);
  };
  const RunOrder order = {.variant = {.shape = lesson.shape}, .bytes = 4096};
  EXPECT_EQ(run_lesson(lesson, order).first_wrong_byte, 0u);
  EXPECT_GT(calls, 1);
  EXPECT_FALSE(run_lesson(*find_lesson("serial_t_table"), order).first_wrong_byte);
}

/// What the lesson before has left in the same memory is right.
TEST(LessonRun, FindsALessonThatStoresNothingOnAGpu) {
  const Lesson& right = *find_lesson("key_expansion_in_batch");
  if (place_of(right) != Place::gpu) GTEST_SKIP() << "there is no GPU";
  Lesson idle = right;
  idle.launch = [](const Task&, Stream) {};
  const RunOrder order = {
      {Mode::key_expansion, WARPAES_DIRECTION_ENCRYPT, 128, right.shape}, 16 << 20, Place::gpu};
  EXPECT_FALSE(run_lesson(right, order).first_wrong_byte);
  EXPECT_EQ(run_lesson(idle, order).first_wrong_byte, 0u);
}

TEST(LessonRun, RefusesBrokenBlocksAndKeys) {
  const auto status_of = [](const char* name, Mode mode, int key_bits, uint64_t bytes) -> int {
    const Lesson& lesson = *find_lesson(name);
    const RunOrder order = {
        {mode, WARPAES_DIRECTION_ENCRYPT, key_bits, lesson.shape}, bytes, Place::emulated};
    try {
      return run_lesson(lesson, order).first_wrong_byte ? WARPAES_ERROR_INTERNAL : WARPAES_OK;
    } catch (const Failure& failure) {
      return failure.status();
    }
  };
  for (const uint64_t bytes : {0u, 5u, 40u})
    EXPECT_EQ(status_of("key_expansion_in_batch", Mode::key_expansion, 192, bytes), WARPAES_ERROR_LENGTH)
        << bytes;
  EXPECT_EQ(status_of("key_expansion_in_batch", Mode::key_expansion, 192, 48), WARPAES_OK);
  EXPECT_EQ(status_of("byte_by_byte", Mode::ecb, 128, 17), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(status_of("byte_by_byte", Mode::ctr, 128, 17), WARPAES_OK);
  EXPECT_EQ(status_of("ghash_bit_by_bit", Mode::ghash, 128, 17), WARPAES_OK);
}

/// Test case 2 of McGrew and Viega's specification of GCM: the key is zero, and what is hashed is the
/// ciphertext and the lengths.
TEST(Reference, GhashOfTheSpecification) {
  const KeySchedule schedule(Bytes(16));
  const Bytes input = bytes_of_hex("0388dace60b6a392f328c2b971b2fe7800000000000000000000000000000080");
  const auto ghash = [&](uint64_t bytes) {
    return reference_output({{.mode = Mode::ghash}, schedule, {}, input.data(), nullptr, bytes});
  };
  EXPECT_EQ(ghash(32), bytes_of_hex("f38cbb1ad69223dcc3457ae5b6b0f885"));
  EXPECT_EQ(ghash(16), bytes_of_hex("5e2ec746917062882c85b0685353deb7")) << "X_1 H, as it has that, too";
  EXPECT_EQ(ghash(0), Bytes(16));
}

/// Each of its bits counts.
TEST(Reference, OpensslAcceptsOnlyTheRightSchedule) {
  for (const size_t key_bytes : {16u, 24u, 32u}) {
    Bytes key(key_bytes, 0x2b);
    const KeySchedule schedule(key);
    const ScheduleCheck check(schedule.key_bits());
    EXPECT_TRUE(check.accepts(key, schedule.encryption()));
    for (int i = 0; i < 4 * (schedule.rounds() + 1); i++) {
      RoundKeys wrong = schedule.encryption();
      wrong.word[i] ^= 1u << (i % 32);
      EXPECT_FALSE(check.accepts(key, wrong)) << key_bytes << " bytes, word " << i;
    }
    key[5] ^= 1;
    EXPECT_FALSE(check.accepts(key, schedule.encryption()));
  }
}

}  // namespace
}  // namespace warpaes::core::lab
