// What is right: OpenSSL's answer; of GHASH and key expansion the product's, which OpenSSL has not by
// themselves.
#pragma once

#include <vector>

#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// How long a task's output is.
uint64_t output_bytes(const Variant& variant, uint64_t input_bytes);

/// What the task should write, computed on the CPU. Its pointers are the host's.
std::vector<uint8_t> reference_output(const Task& task);

/// Whose answer that is: "OpenSSL", or "the library".
std::string_view reference_name(Mode mode);

}  // namespace warpaes::core::lab
