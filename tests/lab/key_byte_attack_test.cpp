// Tests the attack's arithmetic on modelled times: it must find the key byte where times depend on it, and
// nothing elsewhere.
#include "lab/key_byte_attack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "failure.hpp"
#include "lab/bank_conflicts.hpp"
#include "lab/catalogue.hpp"
#include "primitives/hex.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::lab {
namespace {

using Bytes = std::vector<uint8_t>;

/// What an attacker has: ciphertexts of random plaintexts, and times.
struct Observed {
  Bytes ciphertext;
  std::vector<uint32_t> times;
  std::array<uint8_t, 16> last_round_key;
};

/// @param noise standard deviation, in passes, of what has nothing to do with the key
/// @param seed of the blocks and the noise
Observed observe(const Bytes& key, uint32_t copies, double noise, size_t warps, uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  Bytes plaintext(512 * warps);
  for (uint8_t& byte : plaintext) byte = static_cast<uint8_t>(random());
  const KeySchedule schedule(key);
  const Variant variant = {.shape = {.table_copies = copies}};
  Observed observed = {Bytes(plaintext.size()), {}, {}};
  observed.times = passes_of_warps({variant, schedule, {}, plaintext.data(), nullptr, plaintext.size()});
  std::normal_distribution<double> others(1000, noise);
  for (uint32_t& time : observed.times) {
    const bool is_late = random() % 200 == 0;  // another warp, a refresh
    time += static_cast<uint32_t>(std::lround(others(random))) + (is_late ? 5000 : 0);
  }
  for (size_t i = 0; i < plaintext.size(); i += 16) {
    t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), plaintext.data() + i,
                  observed.ciphertext.data() + i);
  }
  for (size_t i = 0; i < 4; i++)
    store_le32(observed.last_round_key.data() + 4 * i, schedule.encryption().word[40 + i]);
  return observed;
}

const Bytes kKey = bytes_of_hex("2b7e151628aed2a6abf7158809cf4f3c");

TEST(BankConflicts, AreThoseOfTheFullestBank) {
  uint32_t word[32];
  std::iota(word, word + 32, 0u);
  EXPECT_EQ(passes_of(word), 1u) << "each in its bank";
  for (uint32_t i = 16; i < 32; i++) word[i] = 32 + i;
  EXPECT_EQ(passes_of(word), 1u) << "each in its bank, in two rows";
  std::fill(word, word + 32, 77u);
  EXPECT_EQ(passes_of(word), 1u) << "one word for all";
  for (uint32_t i = 0; i < 32; i++) word[i] = 32 * i;
  EXPECT_EQ(passes_of(word), 32u) << "all in one bank";
  for (uint32_t i = 0; i < 32; i++) word[i] = 32 * 100 * (i / 2);
  EXPECT_EQ(passes_of(word), 16u) << "the same, far away, each wanted twice";
  for (uint32_t i = 0; i < 32; i++) word[i] = i % 2 == 0 ? 5 : 32 * (i % 3) + 5;
  EXPECT_EQ(passes_of(word), 3u) << "words 5, 37 and 69";
}

/// 32 copies: 160 look-ups of one pass each.
TEST(BankConflicts, OfAWholeWarp) {
  const Bytes plaintext(512);
  const KeySchedule schedule(kKey);
  const auto passes = [&](uint32_t copies) {
    return passes_of_warps(
        {{.shape = {.table_copies = copies}}, schedule, {}, plaintext.data(), nullptr, 512});
  };
  EXPECT_EQ(passes(1), std::vector<uint32_t>{160}) << "equal blocks want equal entries";
  EXPECT_EQ(passes(32), std::vector<uint32_t>{160});
}

TEST(KeyByteAttack, FindsTheKeyByteInModelledTimes) {
  constexpr size_t kWarps = 12'000;
  const Observed observed = observe(kKey, 1, 2, kWarps);
  for (const int place : {0, 7}) {
    const KeyByteGuess guess = recover_key_byte(observed.ciphertext, observed.times, place);
    EXPECT_TRUE(guess.recovered()) << guess.z;
    EXPECT_EQ(guess.byte, observed.last_round_key[static_cast<size_t>(place)]);
    EXPECT_LT(guess.next_z, kKeyByteThreshold);
    EXPECT_LT(guess.samples, kWarps) << "the late ones are left out";
    EXPECT_GT(guess.samples, kWarps * 9 / 10);
  }
}

TEST(KeyByteAttack, FindsNothingInTimesThatHaveNothingToDoWithTheKey) {
  Observed observed = observe(kKey, 1, 3, 5000);
  std::shuffle(observed.times.begin(), observed.times.end(), std::mt19937_64(3));
  const KeyByteGuess guess = recover_key_byte(observed.ciphertext, observed.times, 0);
  EXPECT_FALSE(guess.recovered()) << guess.z;
}

TEST(KeyByteAttack, FindsNothingWhereEachLaneHasItsBank) {
  const Observed observed = observe(kKey, 32, 3, 2000);
  EXPECT_FALSE(recover_key_byte(observed.ciphertext, observed.times, 0, 32).recovered());
}

/// By the model's times alone, as `warpaes lab key-byte` has them without a GPU.
class CopiesTest : public testing::TestWithParam<uint32_t> {};

TEST_P(CopiesTest, FindsTheKeyByteOfTableCopies) {
  const Observed observed = observe(kKey, GetParam(), 0, 14'000);
  const KeyByteGuess guess = recover_key_byte(observed.ciphertext, observed.times, 3, GetParam());
  EXPECT_TRUE(guess.recovered()) << guess.z;
  EXPECT_EQ(guess.byte, observed.last_round_key[3]);
  EXPECT_LT(guess.next_z, kKeyByteThreshold);
}

TEST_P(CopiesTest, TakesNoWrongByteForTheKeys) {
  for (uint64_t seed = 0; seed < 8; seed++) {
    const Observed observed = observe(kKey, GetParam(), 0, 2000, seed);
    const KeyByteGuess guess = recover_key_byte(observed.ciphertext, observed.times, 0, GetParam());
    EXPECT_TRUE(!guess.recovered() || guess.byte == observed.last_round_key[0])
        << "seed " << seed << ", " << guess.z;
  }
}

INSTANTIATE_TEST_SUITE_P(FewCopies, CopiesTest, testing::Values(1u, 2u, 4u, 8u));

class ManyCopiesTest : public testing::TestWithParam<uint32_t> {};

/// With 16 copies one look-up of 60,000 takes one pass, and all others take two. With these seeds a wrong
/// guess predicts that for one of the few fast warps, so that its correlation is 14 to 20 standard
/// deviations.
TEST_P(ManyCopiesTest, TakesNoWrongByteForTheKeys) {
  for (const uint64_t seed : {7u, 9u, 10u}) {
    const Observed observed = observe(kKey, GetParam(), 0, 8000, seed);
    const KeyByteGuess guess = recover_key_byte(observed.ciphertext, observed.times, 0, GetParam());
    EXPECT_FALSE(guess.recovered()) << "seed " << seed << ", " << guess.z;
  }
}

INSTANTIATE_TEST_SUITE_P(Copies, ManyCopiesTest, testing::Values(16u, 32u));

/// One warp is faster than all others, and a guess predicts that: with 16 copies every guess does if its
/// blocks are equal. That is a coincidence, whatever its correlation.
TEST(KeyByteAttack, OneCoincidenceIsNoFind) {
  Observed observed = observe(kKey, 16, 0, 500);
  std::ranges::fill(observed.times, 320u);
  observed.times[77] = 319;
  for (size_t i = 16; i < 512; i++)
    observed.ciphertext[512 * 77 + i] = observed.ciphertext[512 * 77 + i % 16];
  EXPECT_FALSE(recover_key_byte(observed.ciphertext, observed.times, 0, 16).recovered());
}

/// Entry p ^ k: the passes are the same for all k.
TEST(KeyByteAttack, FirstRoundTellsNothing) {
  std::mt19937_64 random(5);
  uint32_t word[32], moved[32];
  for (int trial = 0; trial < 100; trial++) {
    const uint32_t key = random() % 256;
    for (int lane = 0; lane < 32; lane++) {
      word[lane] = random() % 256;
      moved[lane] = word[lane] ^ key;
    }
    EXPECT_EQ(passes_of(word), passes_of(moved));
  }
}

TEST(KeyByteAttack, LessonWritesATimeForEachFullWarp) {
  const Bytes input(512 * 2 + 16, 0x5a);
  Bytes output(input.size());
  const KeySchedule schedule(kKey);
  const Lesson& lesson = *find_lesson("t_tables_timed");
  std::vector<uint32_t> times(3, 7);
  Task task = {{.shape = lesson.shape}, schedule, {}, input.data(), output.data(), input.size()};
  task.times = times.data();
  lesson.emulate(task);
  EXPECT_EQ(times, (std::vector<uint32_t>{160, 160, 7}));
}

TEST(KeyByteAttack, NeedsSamplesAndSaysSo) {
  EXPECT_FALSE(recover_key_byte({}, {}, 0).recovered());
  const Bytes ciphertext(512);
  const std::vector<uint32_t> times(2, 1);
  EXPECT_THROW(recover_key_byte(ciphertext, times, 0), Failure);
  EXPECT_THROW(recover_key_byte({}, {}, 16), Failure);
  EXPECT_FALSE(recover_key_byte(Bytes(1024), times, 0).recovered()) << "nothing varies";
}

TEST(KeyByteAttack, LastRoundKeyGivesTheKey) {
  std::array<uint8_t, 16> last{};
  const Bytes of_standard = bytes_of_hex("d014f9a8c9ee2589e13f0cc8b6630ca6");  // FIPS 197 A.1
  std::copy(of_standard.begin(), of_standard.end(), last.begin());
  const auto key = key_of_last_round_key(last);
  EXPECT_EQ(Bytes(key.begin(), key.end()), kKey);
}

}  // namespace
}  // namespace warpaes::core::lab
