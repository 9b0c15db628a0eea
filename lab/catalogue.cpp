#include "lab/catalogue.hpp"

#include <algorithm>
#include <numeric>

#include "lab/source_texts.hpp"

namespace warpaes::core::lab {

// The lessons. Each is in a file of its own in lab/kernels.
extern const Lesson serial_standard;
extern const Lesson serial_t_table;
extern const Lesson byte_by_byte;
extern const Lesson mix_columns_by_tables;
extern const Lesson t_tables_in_constant_memory;
extern const Lesson t_tables_in_shared_memory;
extern const Lesson round_keys_by_shuffle;
extern const Lesson many_blocks_a_thread;
extern const Lesson replicated_t_table;
extern const Lesson lane_private_rows;
extern const Lesson counter_caching;
extern const Lesson t_tables_timed;
extern const Lesson bitsliced_in_one_thread;
extern const Lesson bitsliced_over_lanes;
extern const Lesson ghash_bit_by_bit;
extern const Lesson ghash_4_bit_table;
extern const Lesson ghash_8_bit_table;
extern const Lesson ghash_multiply_with_holes;
extern const Lesson ghash_clmad;
extern const Lesson ghash_binary_tensor_cores;
extern const Lesson key_expansion_by_one_thread;
extern const Lesson key_expansion_by_a_warp;
extern const Lesson key_expansion_in_batch;

namespace {

constexpr const Lesson* kCatalogue[] = {
    &serial_standard,
    &serial_t_table,
    &byte_by_byte,
    &mix_columns_by_tables,
    &t_tables_in_constant_memory,
    &t_tables_in_shared_memory,
    &round_keys_by_shuffle,
    &many_blocks_a_thread,
    &replicated_t_table,
    &lane_private_rows,
    &counter_caching,
    &t_tables_timed,
    &bitsliced_in_one_thread,
    &bitsliced_over_lanes,
    &ghash_bit_by_bit,
    &ghash_4_bit_table,
    &ghash_8_bit_table,
    &ghash_multiply_with_holes,
    &ghash_clmad,
    &ghash_binary_tensor_cores,
    &key_expansion_by_one_thread,
    &key_expansion_by_a_warp,
    &key_expansion_in_batch,
};

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
