// The right answers: OpenSSL's or, for GHASH and key expansion, which OpenSSL does not have by themselves,
// this library's.
#pragma once

#include <vector>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// How long a task's output is.
uint64_t output_bytes(const Variant& variant, uint64_t input_bytes);

/// What the task should write, computed on the CPU. Its pointers are to host memory.
std::vector<uint8_t> reference_output(const Task& task);

/// Who gives that answer: "OpenSSL" or "the library".
std::string_view reference_name(Mode mode);

}  // namespace warpaes::core::lab
