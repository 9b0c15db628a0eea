#include "lab/studies/key_byte.hpp"

#include <fmt/format.h>

#include <vector>

#include "benchmarks/bulk_memory.hpp"
#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "lab/catalogue.hpp"
#include "lab/key_byte_attack.hpp"
#include "lab/studies/workers.hpp"

namespace warpaes::lab {
namespace {

// Some 4000 warps would do if time were bank conflicts and nothing else.
constexpr uint64_t kWarps = uint64_t{1} << 18, kWarpBytes = 512;

struct Timed {
  std::vector<uint8_t> ciphertext = std::vector<uint8_t>(kWarps * kWarpBytes);
  std::vector<uint32_t> times = std::vector<uint32_t>(kWarps);
};

Timed encrypt(const Lesson& lesson, const Variant& variant, const KeySchedule& schedule, int device) {
  const DeviceScope scope(device);
  Timed timed;
  bench::fill_random(timed.ciphertext);  // the plaintext, as yet
  const OwnedStream stream(device);
  const DeviceBuffer data(device, timed.ciphertext.size());
  const DeviceBuffer times(device, timed.times.size() * sizeof(uint32_t));
  copy_to_device(data.data(), timed.ciphertext.data(), timed.ciphertext.size(), stream.get());
  Task task{variant, schedule, {}, data.data(), data.data(), timed.ciphertext.size()};
  task.times = reinterpret_cast<uint32_t*>(times.data());
  lesson.launch(task, stream.get());
  copy_to_host(timed.ciphertext.data(), data.data(), timed.ciphertext.size(), stream.get());
  copy_to_host(timed.times.data(), times.data(), times.size(), stream.get());
  synchronize(stream.get());
  return timed;
}

}  // namespace

void attack_key_byte(const Study& study, const StudyOptions& options, const TakeLine& take) {
  const Lesson& lesson = lesson_of({.series = {}, .name = "t_tables_timed"});
  require_gpu(lesson, options.device);
  uint8_t key[16];
  bench::fill_random(key);
  const KeySchedule schedule(key);
  const auto right = static_cast<uint8_t>(schedule.encryption().word[4 * schedule.rounds()]);
  for (const uint32_t copies : {1u, 32u}) {
    Variant variant{Mode::ecb, WARPAES_ENCRYPT, 128, lesson.shape};
    variant.shape.table_copies = copies;
    const Timed timed = encrypt(lesson, variant, schedule, options.device);
    const KeyByteGuess guess = recover_key_byte(timed.ciphertext, timed.times, 0, copies);
    const char* const outcome = !guess.recovered()    ? "nothing was found"
                                : guess.byte == right ? "a byte of the last round key was found"
                                                      : "a wrong byte was taken for that of the key";
    take({{"type", "finding"},
          {"study", std::string(study.name)},
          {"lesson", "t_tables_timed"},
          {"copies", copies},
          {"warps", kWarps},
          {"recovered", guess.recovered() && guess.byte == right},
          {"z", guess.z},
          {"next_z", guess.next_z},
          {"text",
           fmt::format(
               "Key byte from bank conflicts, {} warps that time themselves, {} of the table: {} (best guess "
               "{:.1f} standard deviations from chance, the next {:.1f}; {} are needed).",
               kWarps, copies == 1 ? "1 copy" : "32 copies", outcome, guess.z, guess.next_z,
               kKeyByteThreshold)}});
  }
}

}  // namespace warpaes::lab
