#include "lab/catalogue.hpp"

#include <algorithm>
#include <numeric>

#include "lab/source_texts.hpp"

namespace warpaes::core::lab {

// The lessons, in the order in which one would learn them. Each is in a file of its own in lab/kernels, and
// in a namespace of that name.
#define WARPAES_FOR_EACH_LESSON(APPLY) \
  APPLY(serial_standard)               \
  APPLY(serial_t_table)                \
  APPLY(byte_by_byte)                  \
  APPLY(mix_columns_by_tables)         \
  APPLY(t_tables_in_constant_memory)   \
  APPLY(t_tables_in_shared_memory)     \
  APPLY(round_keys_by_shuffle)         \
  APPLY(many_blocks_a_thread)          \
  APPLY(replicated_t_table)            \
  APPLY(lane_private_rows)             \
  APPLY(counter_caching)               \
  APPLY(t_tables_timed)                \
  APPLY(bitsliced_in_one_thread)       \
  APPLY(bitsliced_over_lanes)          \
  APPLY(ghash_bit_by_bit)              \
  APPLY(ghash_4_bit_table)             \
  APPLY(ghash_8_bit_table)             \
  APPLY(ghash_multiply_with_holes)     \
  APPLY(ghash_clmad)                   \
  APPLY(ghash_binary_tensor_cores)     \
  APPLY(key_expansion_by_one_thread)   \
  APPLY(key_expansion_by_a_warp)       \
  APPLY(key_expansion_in_batch)

#define WARPAES_DECLARE_LESSON(name) \
  namespace name {                   \
  extern const Lesson lesson;        \
  }
WARPAES_FOR_EACH_LESSON(WARPAES_DECLARE_LESSON)

namespace {

#define WARPAES_ADDRESS_OF_LESSON(name) &name::lesson,
constexpr const Lesson* kCatalogue[] = {WARPAES_FOR_EACH_LESSON(WARPAES_ADDRESS_OF_LESSON)};

/// The Levenshtein distance: how many letters have to be put in, taken out or replaced at least.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The distance of a name from what was typed. A name that contains it is nearer than one with other letters.
size_t distance(std::string_view wanted, std::string_view name) {
  const size_t edits = edit_distance(wanted, name);
  return !wanted.empty() && name.find(wanted) != name.npos ? edits / 4 : edits;
}

}  // namespace

std::span<const Lesson* const> catalogue() { return kCatalogue; }

const Lesson* find_lesson(std::string_view name) {
  for (const Lesson* lesson : kCatalogue) {
    if (lesson->name == name) return lesson;
  }
  return nullptr;
}

std::vector<std::string_view> nearest_names(std::string_view name, size_t most) {
  std::vector<std::string_view> names;
  for (const Lesson* lesson : kCatalogue) names.push_back(lesson->name);
  std::stable_sort(names.begin(), names.end(),
                   [&](auto a, auto b) { return distance(name, a) < distance(name, b); });
  names.resize(std::min(most, names.size()));
  return names;
}

std::string_view source_text(const Lesson& lesson) {
  for (const SourceText& file : source_texts()) {
    if (file.lesson == lesson.name) return file.text;
  }
  return {};
}

std::string essay(const Lesson& lesson) {
  std::string_view rest = source_text(lesson);
  std::string text;
  while (rest.starts_with("//")) {
    const std::string_view line = rest.substr(2, rest.find('\n') - 2);
    text += line.starts_with(' ') ? line.substr(1) : line;
    text += '\n';
    rest.remove_prefix(line.size() + 3);
  }
  return text;
}

}  // namespace warpaes::core::lab
