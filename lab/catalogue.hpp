// The list of all lessons.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// All lessons, in the order in which one would learn them.
std::span<const Lesson* const> catalogue();

/// The lesson of that name, or null.
const Lesson* find_lesson(std::string_view name);

/// The names that are most like this one, the nearest first.
std::vector<std::string_view> nearest_names(std::string_view name, size_t most);

/// The comment at the top of the lesson's file, without its slashes; and the whole file.
std::string essay(const Lesson& lesson);
std::string_view source_text(const Lesson& lesson);

}  // namespace warpaes::core::lab
