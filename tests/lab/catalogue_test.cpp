// Every row of the catalogue must have what the code that walks the catalogue relies on.
#include "lab/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "failure.hpp"
#include "lab/source_texts.hpp"

namespace warpaes::core::lab {
namespace {

TEST(Catalogue, HasARowForEachFileAndAFileForEachRow) {
  std::set<std::string_view> rows, files;
  for (const Lesson* const lesson : catalogue())
    EXPECT_TRUE(rows.insert(lesson->name).second) << lesson->name;
  for (const SourceText& file : source_texts()) files.insert(file.lesson);
  EXPECT_EQ(rows, files);
}

TEST(Catalogue, RowsAreWhole) {
  for (const Lesson* const lesson : catalogue()) {
    SCOPED_TRACE(lesson->name);
    EXPECT_FALSE(lesson->idea.empty());
    EXPECT_FALSE(lesson->source.empty());
    EXPECT_FALSE(lesson->modes.empty());
    EXPECT_FALSE(lesson->key_bits.empty());
    EXPECT_FALSE(lesson->directions.empty());
    EXPECT_EQ(lesson->run_on_cpu != nullptr, lesson->machine == Machine::cpu);
    EXPECT_EQ(lesson->emulate != nullptr, lesson->machine == Machine::gpu);
    EXPECT_EQ(lesson->launch != nullptr, lesson->resources != nullptr);
    for (const Axis* const axis : lesson->axes) {
      const uint32_t usual = lesson->shape.*axis->member;
      EXPECT_TRUE(std::find(axis->values.begin(), axis->values.end(), usual) != axis->values.end())
          << axis->name;
    }
  }
}

TEST(Catalogue, EssaysSayWhatAReaderAsks) {
  for (const Lesson* const lesson : catalogue()) {
    const std::string text = essay(*lesson);
    for (const char* const part :
         {"Idea.", "Threads and memory.", "What limits it.", "Timing class: ", "Source"}) {
      EXPECT_NE(text.find(part), text.npos) << lesson->name << " lacks: " << part;
    }
    EXPECT_NE(text.find(std::string("Timing class: ") + timing_name(lesson->timing)), text.npos)
        << lesson->name;
  }
}

TEST(Catalogue, LessonsAreShort) {
  for (const SourceText& file : source_texts()) {
    EXPECT_LE(std::count(file.text.begin(), file.text.end(), '\n'), 200) << file.lesson;
  }
}

TEST(Catalogue, FindsTheNearestNames) {
  EXPECT_EQ(find_lesson("serial"), nullptr);
  EXPECT_EQ(nearest_names("serial_standart", 1).front(), "serial_standard");
  EXPECT_EQ(nearest_names("shared_memory", 1).front(), "t_tables_in_shared_memory");
  EXPECT_EQ(nearest_names("x", 1000).size(), catalogue().size());
}

TEST(Catalogue, RefusesVariantsThatALessonDoesNotHave) {
  const Lesson& lesson = *find_lesson("serial_standard");
  Variant variant{.shape = lesson.shape};
  EXPECT_NO_THROW(require_variant(lesson, variant));
  variant.shape.threads = 64;
  EXPECT_THROW(require_variant(lesson, variant), Failure);
  variant.shape = lesson.shape;
  variant.key_bits = 64;
  EXPECT_THROW(require_variant(lesson, variant), Failure);
  variant = {.mode = Mode::ghash};
  EXPECT_THROW(require_variant(lesson, variant), Failure);
}

}  // namespace
}  // namespace warpaes::core::lab
