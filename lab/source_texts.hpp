// The files of lab/kernels as text, put into the program when it is built (embed_sources.cmake).
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
