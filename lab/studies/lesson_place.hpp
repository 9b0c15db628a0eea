#pragma once

#include <memory>

#include "benchmarks/place.hpp"
#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// On one core, in host memory.
std::unique_ptr<bench::Place> cpu_lesson_place(const Lesson& lesson, const Variant& variant);

/// On a GPU: timed by its clock with the data in its memory, or by the host's from host memory and back.
std::unique_ptr<bench::Place> gpu_lesson_place(const Lesson& lesson, const Variant& variant, int device,
                                               bool with_copies);

/// `openssl enc`, from a temporary file to another, with all that a program's start costs.
std::unique_ptr<bench::Place> openssl_program_place(const Variant& variant);

}  // namespace warpaes::core::lab
