#include "lab/studies/key_byte.hpp"

#include <fmt/format.h>

#include "lab/key_byte_trial.hpp"
#include "lab/studies/workers.hpp"

namespace warpaes::core::lab {
namespace {

// Some 12,000 warps would be enough if time depended on bank conflicts only.
constexpr uint64_t kWarps = 250'000;

}  // namespace

void attack_key_byte(const Study& study, const StudyOptions& options, const TakeLine& take) {
  require_gpu(lesson_of({.series = {}, .name = "t_tables_timed"}), options.device);
  for (const uint32_t copies : {1u, 32u}) {
    KeyByteOrder order;
    order.place = Place::gpu;
    order.device = options.device;
    order.copies = copies;
    order.warps = kWarps;
    const KeyByteTrial trial = try_key_byte(order);
    take({{"type", "finding"},
          {"study", std::string(study.name)},
          {"lesson", "t_tables_timed"},
          {"copies", copies},
          {"warps", kWarps},
          {"recovered", trial.found()},
          {"z", trial.guess.z},
          {"next_z", trial.guess.next_z},
          {"text",
           fmt::format(
               "Key byte from bank conflicts, {} warps that time themselves, {} of the table: {} (the best "
               "guess is {:.1f} standard deviations from chance, the next {:.1f}; {} are needed).",
               kWarps, copies == 1 ? "1 copy" : "32 copies", trial.outcome(), trial.guess.z,
               trial.guess.next_z, kKeyByteThreshold)}});
  }
}

}  // namespace warpaes::core::lab
