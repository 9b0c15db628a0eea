#include "lab/studies/workers.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <unistd.h>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "failure.hpp"
#include "lab/catalogue.hpp"
#include "lab/studies/lesson_place.hpp"

namespace warpaes::core::lab {
namespace {

void require_any_gpu(int device) {
  std::string reason;
  if (device_count(&reason) == 0) {
    throw Failure(WARPAES_ERROR_NO_DEVICE, "no GPU, and emulated, a kernel's time means nothing: " + reason);
  }
  require_device(device);
  enter_cuda();
}

}  // namespace

const Lesson& lesson_of(const Subject& subject) {
  const Lesson* const lesson = find_lesson(subject.name);
  if (lesson == nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, fmt::format("the catalogue has no lesson {}", subject.name));
  }
  return *lesson;
}

void require_gpu(const Lesson& lesson, int device) {
  require_any_gpu(device);
  if (lesson.launch == nullptr) {
    throw Failure(WARPAES_ERROR_NO_DEVICE, "this program was built without GPU code for the lab");
  }
}

Variant variant_of(const Subject& subject, const Lesson& lesson) {
  Variant variant{subject.mode, subject.direction, subject.key_bits, lesson.shape};
  for (const Setting& setting : subject.settings) {
    if (setting.axis != nullptr) variant.shape.*(setting.axis->member) = setting.value;
  }
  return variant;
}

bool needs_gpu(const Subject& subject) {
  if (subject.worker == Worker::lesson) {
    const Lesson* const lesson = find_lesson(subject.name);
    return lesson != nullptr && lesson->machine == Machine::gpu;
  }
  return subject.worker == Worker::engine && subject.name.starts_with("cuda");
}

std::string memory_lacking(const Subject& subject, uint64_t bytes) {
  const auto available =
      static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  // Memory for the plaintext, the ciphertext, what is computed, and what is fetched.
  if (4 * bytes > available) return "too little memory";
  size_t free_bytes = 0, total_bytes = 0;
  if (needs_gpu(subject) && cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess &&
      2 * bytes > free_bytes) {
    return "too little GPU memory";
  }
  return {};
}

const bench::MeasuredEngine& Workers::engine(const std::string& name, unsigned threads) {
  const auto found = engines_.find({name, threads});
  if (found != engines_.end()) return found->second;
  const warpaes::ContextOptions options{.engine = name, .device = device_, .threads = threads};
  return engines_.emplace(std::pair(name, threads), bench::MeasuredEngine(options)).first->second;
}

std::unique_ptr<bench::Place> Workers::place(const Subject& subject, const Variant& variant) {
  if (subject.worker == Worker::program) return openssl_program_place(variant);
  if (subject.worker == Worker::engine) {
    if (needs_gpu(subject)) require_any_gpu(device_);
    const bool in_place = needs_gpu(subject) && !subject.with_copies;
    const char* const on_gpu = subject.in_graph ? "graph" : "device";
    return bench::make_place(in_place ? on_gpu : "pageable",
                             engine(std::string(subject.name), subject.threads));
  }
  const Lesson& lesson = lesson_of(subject);
  require_variant(lesson, variant);
  if (lesson.machine == Machine::cpu) return cpu_lesson_place(lesson, variant);
  require_gpu(lesson, device_);
  return gpu_lesson_place(lesson, variant, device_, subject.with_copies);
}

}  // namespace warpaes::core::lab
