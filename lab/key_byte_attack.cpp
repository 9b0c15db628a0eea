#include "lab/key_byte_attack.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "failure.hpp"
#include "lab/bank_conflicts.hpp"
#include "primitives/byte_order.hpp"
#include "primitives/sbox.hpp"

namespace warpaes::core::lab {
namespace {

constexpr size_t kLanes = 32, kWarpBytes = 16 * kLanes;
constexpr double kKeptShare = 0.95;

/// A warp's ciphertext bytes at one place of its blocks, and its time minus the mean.
struct Sample {
  std::array<uint8_t, kLanes> byte;
  double time;
};

/// The samples without those warps that had to wait for something else; at most kKeptShare of all are kept.
std::vector<Sample> kept_samples(std::span<const uint8_t> ciphertext, std::span<const uint32_t> times,
                                 int place) {
  std::vector<uint32_t> sorted(times.begin(), times.end());
  const auto limit =
      sorted.begin() + static_cast<ptrdiff_t>(kKeptShare * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), limit, sorted.end());
  std::vector<Sample> samples;
  double sum = 0;
  for (size_t i = 0; i < times.size(); i++) {
    if (times[i] > *limit) continue;
    Sample& sample = samples.emplace_back();
    const uint8_t* const blocks = ciphertext.data() + kWarpBytes * i;
    for (size_t lane = 0; lane < kLanes; lane++)
      sample.byte[lane] = blocks[16 * lane + static_cast<size_t>(place)];
    sample.time = times[i];
    sum += sample.time;
  }
  for (Sample& sample : samples) sample.time -= sum / static_cast<double>(samples.size());
  return samples;
}

uint32_t passes_with(const Sample& sample, uint8_t key, uint32_t copies) {
  uint32_t word[kLanes];
  for (uint32_t lane = 0; lane < kLanes; lane++)
    word[lane] = word_of_entry(kInverseSBox[sample.byte[lane] ^ key], lane, copies);
  return passes_of(word);
}

/// How far the passes of a guess are from their mean, at both ends, and what their correlation is made of.
struct Moments {
  double sum = 0, squares = 0, products = 0;
  double least = 32, most = 0;
};

Moments moments_of_guess(const std::vector<Sample>& samples, uint8_t key, uint32_t copies) {
  Moments its;
  for (const Sample& sample : samples) {
    const double passes = passes_with(sample, key, copies);
    its.sum += passes;
    its.squares += passes * passes;
    its.products += passes * sample.time;  // the times have a mean of 0
    its.least = std::min(its.least, passes);
    its.most = std::max(its.most, passes);
  }
  return its;
}

/// How far the times are from their mean, at both ends, and the sum of their squares.
struct Times {
  explicit Times(const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
      earliest = std::min(earliest, sample.time);
      latest = std::max(latest, sample.time);
      squares += sample.time * sample.time;
    }
  }

  double earliest = 0, latest = 0, squares = 0;
};

/// Pearson's correlation of passes and times, multiplied by the square root of their number, is the sum of
/// all products of both, in standard deviations of what chance makes of it. It would be a normal number if
/// many products counted. But where nearly all warps take the same time, and nearly all would take the same
/// passes, one coincidence is a large part of the sum. Bernstein's inequality bounds the probability of such
/// a sum by exp(-z^2 / 2), with the z that is returned: the number of deviations, made smaller by what the
/// largest product that is possible contributes. 0 if passes or times do not vary.
double z_of_guess(const std::vector<Sample>& samples, const Times& times, uint8_t key, uint32_t copies) {
  const Moments passes = moments_of_guess(samples, key, copies);
  const double count = static_cast<double>(samples.size()), mean = passes.sum / count;
  const double variance = (passes.squares - passes.sum * mean) * times.squares / count;  // of the sum
  if (variance * count <= 1e-9) return 0;
  const double deviation = std::sqrt(variance), deviations = passes.products / deviation;
  if (deviations <= 0) return deviations;
  const double largest =
      std::max((passes.most - mean) * times.latest, (passes.least - mean) * times.earliest);
  return deviations / std::sqrt(1 + deviations * largest / (3 * deviation));
}

uint32_t substitute(uint32_t word) {
  uint32_t result = 0;
  for (int i = 0; i < 32; i += 8) result |= static_cast<uint32_t>(kSBox[word >> i & 0xff]) << i;
  return result;
}

}  // namespace

KeyByteGuess recover_key_byte(std::span<const uint8_t> ciphertext, std::span<const uint32_t> times, int place,
                              uint32_t copies) {
  if (ciphertext.size() < kWarpBytes * times.size() || place < 0 || place > 15 || copies == 0)
    throw Failure(WARPAES_ERROR_LENGTH,
                  "the attack needs 512 bytes of ciphertext for each time, and a place in a block");
  KeyByteGuess guess{};
  if (times.size() < 2) return guess;
  const std::vector<Sample> samples = kept_samples(ciphertext, times, place);
  guess.samples = samples.size();
  const Times kept(samples);
  for (int key = 0; key < 256; key++)
    guess.z_of[static_cast<size_t>(key)] = z_of_guess(samples, kept, static_cast<uint8_t>(key), copies);
  std::array<double, 256> sorted = guess.z_of;
  std::partial_sort(sorted.begin(), sorted.begin() + 2, sorted.end(), std::greater<>());
  guess.byte = static_cast<uint8_t>(std::ranges::max_element(guess.z_of) - guess.z_of.begin());
  guess.z = sorted[0];
  guess.next_z = sorted[1];
  return guess;
}

std::array<uint8_t, 16> key_of_last_round_key(const std::array<uint8_t, 16>& last) {
  uint32_t word[4];
  for (int i = 0; i < 4; i++) word[i] = load_le32(last.data() + 4 * i);
  uint8_t constants[10] = {1};
  for (int i = 1; i < 10; i++) constants[i] = times_x(constants[i - 1]);
  for (int round = 9; round >= 0; round--) {
    for (int i = 3; i > 0; i--) word[i] ^= word[i - 1];
    word[0] ^= substitute(word[3] >> 8 | word[3] << 24) ^ constants[round];
  }
  std::array<uint8_t, 16> key{};
  for (int i = 0; i < 4; i++) store_le32(key.data() + 4 * i, word[i]);
  return key;
}

}  // namespace warpaes::core::lab
