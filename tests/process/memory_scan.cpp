#include "memory_scan.hpp"

#include <openssl/crypto.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "primitives/fips197_rounds.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kDisguise = 0x9e3779b97f4a7c15;
constexpr size_t kWindow = sizeof(uint64_t), kMostHits = 1000;

uint64_t disguised_at(const uint8_t* window) {
  uint64_t word = 0;
  std::memcpy(&word, window, kWindow);
  return word ^ kDisguise;
}

std::vector<uint64_t> windows_of(std::span<const uint8_t> bytes) {
  std::vector<uint64_t> windows;
  for (size_t at = 0; at + kWindow <= bytes.size(); at++) windows.push_back(disguised_at(bytes.data() + at));
  return windows;
}

void append(std::vector<uint64_t>& all, const void* memory, size_t bytes) {
  const std::vector<uint64_t> windows = windows_of({static_cast<const uint8_t*>(memory), bytes});
  all.insert(all.end(), windows.begin(), windows.end());
}

std::vector<uint64_t> windows_of_key(std::span<const uint8_t> key) {
  const KeySchedule schedule(key);
  const size_t bytes = 16 * static_cast<size_t>(schedule.rounds() + 1);
  uint8_t h[16] = {}, reversed[16];
  fips197::encrypt_block(schedule, h, h);
  std::reverse_copy(h, h + sizeof h, reversed);  // as 64-bit words, high half first, it is kept for GHASH
  std::vector<uint64_t> all;
  append(all, key.data(), key.size());
  append(all, schedule.encryption().word, bytes);
  append(all, schedule.decryption().word, bytes);
  append(all, h, sizeof h);
  append(all, reversed, sizeof reversed);
  return all;
}

/// IEEE 1619 section 5.3.1: the encrypted number, times x for each block.
std::vector<uint64_t> windows_of_tweaks(const KeySchedule& schedule, std::span<const uint8_t> number,
                                        size_t blocks) {
  uint8_t tweak[16];
  fips197::encrypt_block(schedule, number.data(), tweak);
  std::vector<uint64_t> all;
  for (; blocks > 0; blocks--) {
    append(all, tweak, sizeof tweak);
    const bool carries = tweak[15] >> 7 != 0;
    for (size_t i = 15; i > 0; i--) tweak[i] = static_cast<uint8_t>(tweak[i] << 1 | tweak[i - 1] >> 7);
    tweak[0] = static_cast<uint8_t>(tweak[0] << 1 ^ (carries ? 0x87 : 0));
  }
  return all;
}

/// Memory of the process that may hold data of the library: what can be written, and is no device's.
bool is_searched(const Mapping& mapping) {
  return mapping.permissions.starts_with("rw") && !mapping.name.starts_with("[v") &&
         !mapping.name.starts_with("/dev/");
}

/// Is a word possibly among the needles? A look into 8 KiB decides that for nearly all memory.
class Sieve {
 public:
  explicit Sieve(std::span<const uint64_t> sorted) : sorted_(sorted), bits_(1 << 16) {
    for (const uint64_t word : sorted) bits_[word & 0xffff] = true;
  }
  bool has(uint64_t word) const { return bits_[word & 0xffff] && std::ranges::binary_search(sorted_, word); }

 private:
  std::span<const uint64_t> sorted_;
  std::vector<bool> bits_;
};

}  // namespace

void Needles::add(std::span<const uint8_t> bytes) {
  const std::vector<uint64_t> windows = windows_of(bytes);
  disguised_.insert(disguised_.end(), windows.begin(), windows.end());
}

void Needles::add_key(std::span<const uint8_t> key) {
  add_from_child([&] { return windows_of_key(key); });
}

void Needles::add_tweaks(std::span<const uint8_t> key, std::span<const uint8_t> number, size_t blocks) {
  add_from_child([&] { return windows_of_tweaks(KeySchedule(key), number, blocks); });
}

void Needles::add_from_child(const std::function<std::vector<uint64_t>()>& windows) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<uint64_t> words = windows();
    const auto bytes = static_cast<ssize_t>(8 * words.size());  // fewer than a pipe holds
    _exit(write(ends[1], words.data(), 8 * words.size()) == bytes ? 0 : 1);
  }
  close(ends[1]);
  for (uint64_t word = 0; read(ends[0], &word, sizeof word) == sizeof word;) disguised_.push_back(word);
  close(ends[0]);
  int result = 0;
  if (child == -1 || waitpid(child, &result, 0) != child || result != 0) throw std::runtime_error("no child");
}

std::vector<Hit> find(const Needles& needles) {
  std::vector<uint64_t> sorted = needles.disguised();
  std::ranges::sort(sorted);
  const Sieve sieve(sorted);
  std::vector<Hit> hits;
  hits.reserve(kMostHits);
  for (const Mapping& mapping : mappings()) {
    if (!is_searched(mapping)) continue;
    const auto* const begin = reinterpret_cast<const uint8_t*>(mapping.begin);
    const auto* const end = reinterpret_cast<const uint8_t*>(mapping.end) - kWindow;
    for (const uint8_t* at = begin; at <= end && hits.size() < kMostHits; at++) {
      if (sieve.has(disguised_at(at))) hits.push_back({at, mapping});
    }
  }
  return hits;
}

std::string describe(const std::vector<Hit>& hits) {
  std::ostringstream lines;
  for (const Hit& hit : hits) {
    lines << static_cast<const void*>(hit.address) << " in "
          << (hit.mapping.name.empty() ? "a mapping without a name," : hit.mapping.name) << hit.mapping.flags
          << '\n';
  }
  return lines.str();
}

}  // namespace warpaes::core::testing
