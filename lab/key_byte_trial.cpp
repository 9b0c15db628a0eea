#include "lab/key_byte_trial.hpp"

#include <numeric>
#include <random>

#include "device/cuda_error.hpp"
#include "device/device.hpp"
#include "lab/bank_conflicts.hpp"
#include "lab/catalogue.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint64_t kWarpBytes = 512;

Bytes random_bytes(uint64_t count) {
  std::mt19937_64 random(std::random_device{}());
  Bytes bytes(count);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random() >> 56);
  return bytes;
}

struct Observation {
  Bytes ciphertext;
  std::vector<uint32_t> times;
};

Observation model(const Variant& variant, const KeySchedule& schedule, const Bytes& plaintext) {
  Observation seen = {Bytes(plaintext.size()), {}};
  seen.times = passes_of_warps({variant, schedule, {}, plaintext.data(), nullptr, plaintext.size()});
  for (size_t i = 0; i < plaintext.size(); i += 16) {
    t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), plaintext.data() + i,
                  seen.ciphertext.data() + i);
  }
  return seen;
}

Observation measure(const Variant& variant, const KeySchedule& schedule, const Bytes& plaintext, int device) {
  enter_cuda();
  const DeviceScope scope(device);
  Observation seen = {Bytes(plaintext.size()), std::vector<uint32_t>(plaintext.size() / kWarpBytes)};
  const OwnedStream stream(device);
  const DeviceBuffer input(device, plaintext.size()), output(device, plaintext.size()),
      times(device, 4 * seen.times.size());
  copy_to_device(input.data(), plaintext.data(), plaintext.size(), stream.get());
  Task task = {variant, schedule, {}, input.data(), output.data(), plaintext.size()};
  task.times = reinterpret_cast<uint32_t*>(times.data());
  const Lesson& lesson = *find_lesson("t_tables_timed");
  for (int launch = 0; launch < 2; launch++)
    lesson.launch(task, stream.get());  // the first launch warms caches and clocks
  copy_to_host(seen.ciphertext.data(), output.data(), seen.ciphertext.size(), stream.get());
  copy_to_host(reinterpret_cast<uint8_t*>(seen.times.data()), times.data(), 4 * seen.times.size(),
               stream.get());
  synchronize(stream.get());
  return seen;
}

}  // namespace

std::string_view KeyByteTrial::outcome() const {
  if (!guess.recovered()) return "nothing was found";
  return found() ? "a byte of the last round key was found" : "a wrong byte was taken for that of the key";
}

KeyByteTrial try_key_byte(const KeyByteOrder& order) {
  const KeySchedule schedule(random_bytes(16));
  Variant variant = {.shape = find_lesson("t_tables_timed")->shape};
  variant.shape.table_copies = order.copies;
  if (order.place == Place::gpu)
    variant.shape.grid = static_cast<uint32_t>(device_info(order.device).multiprocessors);
  const Bytes plaintext = random_bytes(kWarpBytes * order.warps);
  const Observation seen = order.place == Place::gpu ? measure(variant, schedule, plaintext, order.device)
                                                     : model(variant, schedule, plaintext);
  const uint32_t word = schedule.encryption().word[40 + order.place_in_block / 4];
  const double sum = std::accumulate(seen.times.begin(), seen.times.end(), 0.0);
  return {recover_key_byte(seen.ciphertext, seen.times, order.place_in_block, order.copies),
          static_cast<uint8_t>(word >> (8 * (order.place_in_block % 4))),
          seen.times.empty() ? 0 : sum / static_cast<double>(seen.times.size())};
}

}  // namespace warpaes::core::lab
