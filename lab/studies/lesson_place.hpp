#pragma once

#include <memory>

#include "benchmarks/place.hpp"
#include "lab/lesson.hpp"

namespace warpaes::core::lab {

/// A lesson on one core, in host memory.
std::unique_ptr<bench::Place> cpu_lesson_place(const Lesson& lesson, const Variant& variant);

/// A lesson on a GPU. It is timed by the GPU's clock with the data in its memory, or by the host's clock from
/// host memory and back.
std::unique_ptr<bench::Place> gpu_lesson_place(const Lesson& lesson, const Variant& variant, int device,
                                               bool with_copies);

/// `openssl enc` from one temporary file to another, including the start of the program.
std::unique_ptr<bench::Place> openssl_program_place(const Variant& variant);

}  // namespace warpaes::core::lab
