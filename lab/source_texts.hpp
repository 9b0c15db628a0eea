// The text of the files in lab/kernels, which embed_sources.cmake puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace warpaes::core::lab {

struct SourceText {
  std::string_view lesson;  // the file's name without its ending
  std::string_view text;
};

std::span<const SourceText> source_texts();

}  // namespace warpaes::core::lab
