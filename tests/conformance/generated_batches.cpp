// Batches of every mode, under one key and with per-message keys, of fixed and of random shapes.
#include <algorithm>
#include <iterator>

#include "batch_cases.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr int kKeyBits[] = {128, 192, 256};

/// All messages of a batch that is drawn at random, together: some launches of some lanes each.
constexpr uint64_t kBatchBytes = 1 << 15;
constexpr uint64_t kBatchMessages = 150;
constexpr uint64_t kLongestSlow = 200;  // six blocks of AES for 8 bytes, or a block for a byte or a bit

// Messages, bytes, scattered, in place, a key each, damaged, offset. Warps of 32 lanes, whole and not.
constexpr BatchShape kShapes[] = {
    {70, 300, true, false, false, true, 5},   {33, 128, false, true, false, false, 0},
    {70, 300, true, true, true, true, 0},     {45, 96, false, false, true, true, 3},
    {1, 1'040, false, false, true, false, 0},
};

void offer(Share& share, const BatchVisitor& visit, uint64_t seed, const auto& make) {
  if (!share.takes_next()) return;
  Random random(seed);
  visit(make(random));
}

Direction direction_of(bool decrypts) {
  return decrypts ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT;
}

/// The row of the other direction, or the row itself.
const CipherRow& inverse_of(std::span<const CipherRow> rows, const CipherRow& row) {
  const auto is_inverse = [&](const CipherRow& other) {
    return other.name == std::string_view(row.name) && other.decrypts != row.decrypts;
  };
  const auto found = std::find_if(rows.begin(), rows.end(), is_inverse);
  return found == rows.end() ? row : *found;
}

uint64_t longest_of(CipherMode mode) {
  return wraps_keys(mode) || has_short_segments(mode) ? kLongestSlow : kBatchBytes;
}

BatchShape random_shape(Random& random, uint64_t longest) {
  BatchShape shape{};
  shape.messages = random.between(1, random.between(0, 1) == 0 ? 40 : kBatchMessages);
  const uint64_t most = uint64_t{1} << random.between(1, 15);
  shape.most_bytes = random.between(0, std::min({most, longest, kBatchBytes / shape.messages}));
  shape.scattered = random.between(0, 1) == 0;
  shape.in_place = random.between(0, 1) == 0;
  shape.key_each = random.between(0, 1) == 0;
  shape.damaged = random.between(0, 2) == 0;
  shape.offset = random.between(0, 1) * random.between(0, 15);
  return shape;
}

}  // namespace

void visit_generated_batches(Share& share, const BatchVisitor& visit) {
  uint64_t seed = 0;
  for (const int key_bits : kKeyBits) {
    for (const BatchShape& shape : kShapes) {
      for (const CipherRow& row : cipher_rows()) {
        offer(share, visit, seed++,
              [&](Random& random) { return cipher_batch_case(random, row, key_bits, shape); });
      }
      for (const AeadMode& mode : kAeadModes) {
        if (!shape.key_each || (key_bits == 192 && !mode_row(mode.aead).has_192_bits())) continue;
        for (const bool decrypts : {false, true}) {
          offer(share, visit, seed++, [&](Random& random) {
            return aead_batch_case(random, mode.aead, direction_of(decrypts), key_bits, shape);
          });
        }
      }
    }
  }
}

void visit_random_batch(Random random, const std::string& name, const BatchVisitor& visit) {
  const auto pass_on = [&](BatchCase test) {
    test.name = name + test.name;
    visit(test);
  };
  int key_bits = kKeyBits[random.between(0, 2)];
  if (random.between(0, 2) == 0) {
    const Aead mode = kAeadModes[random.between(0, std::size(kAeadModes) - 1)].aead;
    if (!mode_row(mode).has_192_bits() && key_bits == 192) key_bits = 256;
    const BatchShape shape = random_shape(random, kBatchBytes);
    pass_on(aead_batch_case(random, mode, WARPAES_DIRECTION_ENCRYPT, key_bits, shape));
    pass_on(aead_batch_case(random, mode, WARPAES_DIRECTION_DECRYPT, key_bits, shape));
    return;
  }
  const auto rows = cipher_rows();
  const CipherRow& row = rows[random.between(0, rows.size() - 1)];
  const BatchShape shape = random_shape(random, longest_of(row.mode));
  const CipherRow& inverse = inverse_of(rows, row);
  pass_on(cipher_batch_case(random, row, key_bits, shape));
  if (&inverse != &row) pass_on(cipher_batch_case(random, inverse, key_bits, shape));
}

}  // namespace warpaes::core::conformance
