# cmake -DOUTPUT=source_texts.cpp -DFILES=a.cu,b.cpp -P embed_sources.cmake: the files as string literals.
string(REPLACE "," ";" files "${FILES}")
set(rows "")
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  file(READ "${file}" text)
  string(APPEND rows "    {\"${name}\", R\"~~~~(${text})~~~~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Written by lab/embed_sources.cmake.
#include \"lab/source_texts.hpp\"

namespace warpaes::core::lab {
namespace {

constexpr SourceText kSourceTexts[] = {
${rows}};

}  // namespace

std::span<const SourceText> source_texts() { return kSourceTexts; }

}  // namespace warpaes::core::lab
")
