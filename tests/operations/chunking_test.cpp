// However a message is cut into parts, and wherever they are written, the parts must give what OpenSSL gives
// for the whole, with the tag behind it in modes that have one. A failure prints its seed; WARPAES_SEED=…
// runs that case alone.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <tuple>

#include "mode_rows.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// The modes that a message can come in parts in.
struct PartsRow {
  warpaes_mode mode;
  size_t slowness;  // messages are so many times shorter
};
constexpr PartsRow kParts[] = {
    {WARPAES_MODE_GCM, 1},       {WARPAES_MODE_EAX, 1},       {WARPAES_MODE_OCB3, 1},
    {WARPAES_MODE_ECB, 1},       {WARPAES_MODE_ECB_PKCS7, 1}, {WARPAES_MODE_CBC, 1},
    {WARPAES_MODE_CBC_PKCS7, 1}, {WARPAES_MODE_CBC_CS1, 1},   {WARPAES_MODE_CBC_CS2, 1},
    {WARPAES_MODE_CBC_CS3, 1},   {WARPAES_MODE_CFB, 1},       {WARPAES_MODE_CFB8, 64},
    {WARPAES_MODE_CFB1, 512},    {WARPAES_MODE_OFB, 1},       {WARPAES_MODE_CTR, 1},
    {WARPAES_MODE_XTS, 1},       {WARPAES_MODE_CMAC, 1},      {WARPAES_MODE_GMAC, 1},
};

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}
  uint64_t between(uint64_t low, uint64_t high) { return low + generator_() % (high - low + 1); }
  Bytes bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& each : made) each = static_cast<uint8_t>(generator_());
    return made;
  }
  size_t length(size_t most) { return between(0, most >> between(0, 16)); }

 private:
  std::mt19937_64 generator_;
};

struct Trial {
  const ModeRow& row;
  Example example;
  uint64_t data_unit;  // XTS
};

/// Any but the recommended length now and then; over 128 bytes too, where OpenSSL's GCM has its limit.
size_t random_nonce_length(Random& random, const ModeRow& row) {
  if (row.shortest_nonce == row.longest_nonce || random.between(0, 2) == 0) return row.recommended_nonce;
  return random.between(row.shortest_nonce,
                        std::min<uint64_t>(row.longest_nonce, 40 << random.between(0, 3)));
}

Trial random_trial(Random& random, const ModeRow& row, size_t longest) {
  const bool is_xts = row.mode == WARPAES_MODE_XTS;
  Trial trial{row, {}, is_xts ? random.between(16, 16 << random.between(0, 8)) : 0};
  Example& e = trial.example;
  const std::vector<size_t> keys = row.keys();
  e.key = random.bytes(keys[random.between(0, keys.size() - 1)]);
  e.nonce = random.bytes(random_nonce_length(random, row));
  e.aad = random.bytes(row.has_aad() ? random.between(0, 70) : 0);
  while (row.has_tag() && (row.tag_lengths >> e.tag_length & 1) == 0) e.tag_length = random.between(8, 16);
  size_t length = row.some_length(random.length(longest));
  if (is_xts && length % trial.data_unit != 0 && length % trial.data_unit < 16) {
    length -= length % trial.data_unit;
  }
  e.text = random.bytes(length);
  return trial;
}

/// The ciphertext, and behind it the tag.
Bytes expected_of(const Trial& trial) {
  if (trial.row.mode == WARPAES_MODE_XTS) return xts_of_units(trial.example, trial.data_unit);
  Answer answer = trial.row.answer(trial.example);
  answer.output.insert(answer.output.end(), answer.tag.begin(), answer.tag.end());
  return answer.output;
}

warpaes_message message_of(const Trial& trial) {
  auto message = sized<warpaes_message>();
  message.nonce = trial.example.nonce.empty() ? nullptr : trial.example.nonce.data();
  message.nonce_length = trial.example.nonce.size();
  message.aad = trial.example.aad.empty() ? nullptr : trial.example.aad.data();
  message.aad_length = trial.example.aad.size();
  message.tag_length = trial.example.tag_length;
  message.data_unit = trial.data_unit;
  return message;
}

/// How parts are laid out: each output apart from its input, or at its beginning.
/// @param tag of an operation that is verified
Bytes in_parts(Random& random, const TestOperation& operation, const Bytes& message, bool has_output,
               bool in_place, const Bytes* tag = nullptr) {
  Bytes output;
  const size_t most = std::max<size_t>(message.size() >> random.between(0, 12), 1);
  for (size_t at = 0; at < message.size();) {
    const size_t part = std::min<size_t>(random.between(0, most), message.size() - at);
    uint64_t ready = 0, left = 77, left_alone = 78, written = 0;
    EXPECT_EQ(warpaes_operation_size(operation.get(), part, &ready, &left), WARPAES_OK);
    EXPECT_EQ(warpaes_operation_size(operation.get(), 0, nullptr, &left_alone), WARPAES_OK);
    EXPECT_EQ(left, left_alone) << "it is of now, whatever is to come";
    EXPECT_TRUE(has_output || ready == 0) << ready;
    Bytes input = slice(message, at, part);
    Bytes apart(in_place ? 0 : ready);
    if (in_place) input.resize(std::max<size_t>(part, ready));
    Bytes& to = in_place ? input : apart;
    EXPECT_EQ(warpaes_operation_update(operation.get(), input.data(), part, has_output ? to.data() : nullptr,
                                       ready, &written),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(written, ready);
    output.insert(output.end(), to.begin(), to.begin() + static_cast<ptrdiff_t>(written));
    at += part;
  }
  uint64_t most_left = 0, written = 0;
  EXPECT_EQ(warpaes_operation_size(operation.get(), 0, nullptr, &most_left), WARPAES_OK);
  Bytes rest(most_left);
  EXPECT_EQ(tag ? warpaes_operation_verify(operation.get(), tag->data(), tag->size(), rest.data(),
                                           rest.size(), &written)
                : warpaes_operation_finish(operation.get(), rest.data(), rest.size(), &written),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_LE(written, most_left);
  output.insert(output.end(), rest.begin(), rest.begin() + static_cast<ptrdiff_t>(written));
  return output;
}

using Setting = std::tuple<std::string, unsigned>;

class Chunking : public ::testing::TestWithParam<Setting> {
 protected:
  TestContext context_{std::get<0>(GetParam()).c_str(), std::get<1>(GetParam())};
  bool is_slow() const { return std::get<0>(GetParam()).starts_with("portable"); }
  bool is_gpu() const { return std::get<0>(GetParam()).starts_with("cuda"); }

  void run(Random& random, const PartsRow& parts) {
    const ModeRow& row = row_of(parts.mode);
    const Trial trial = random_trial(random, row, (is_slow() ? 1 << 15 : 3 << 20) / parts.slowness);
    const TestCipher cipher(context_, row.mode, trial.example.key);
    if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) return;
    const Bytes ciphertext = expected_of(trial);
    for (const auto direction : {kEncrypt, kDecrypt}) {
      if (direction == kDecrypt && row.has_tag()) break;
      const TestOperation operation(cipher.get(), direction, message_of(trial));
      if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
      const bool encrypting = direction == kEncrypt;
      const Bytes found = in_parts(random, operation, encrypting ? trial.example.text : ciphertext,
                                   row.has_output(), row.has_output() && random.between(0, 1) == 1);
      EXPECT_TRUE(found == (encrypting ? ciphertext : trial.example.text))
          << (encrypting ? "encrypt" : "decrypt");
    }
    if (row.has_tag() && row.has_output()) unverified(random, trial, cipher, ciphertext);
  }

  /// Modes with a tag, decrypted before that is known.
  void unverified(Random& random, const Trial& trial, const TestCipher& cipher, const Bytes& sealed) {
    const TestOperation operation(cipher.get(), message_of(trial));
    if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) return;
    ASSERT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
    const size_t text = trial.example.text.size();
    const Bytes tag = slice(sealed, text, sealed.size() - text);
    EXPECT_TRUE(in_parts(random, operation, slice(sealed, 0, text), true, random.between(0, 1) == 1, &tag) ==
                trial.example.text);
  }
};

TEST_P(Chunking, AnyPartsGiveTheWholeAndItsTag) {
  const char* const wanted = std::getenv("WARPAES_SEED");
  const uint64_t first = wanted ? std::strtoull(wanted, nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + (wanted ? 1 : 8); seed++) {
    for (const PartsRow& parts : kParts) {
      if (is_gpu() && parts.slowness > 1) continue;
      SCOPED_TRACE("WARPAES_SEED=" + std::to_string(seed) + ", " + row_of(parts.mode).name);
      Random random(seed);
      run(random, parts);
      if (HasFailure()) return;
    }
  }
}

/// Modes with tags once more, with short messages: where the parts are as long as blocks, or shorter.
TEST_P(Chunking, AnyPartsOfShortMessagesGiveTheWholeAndItsTag) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    for (const PartsRow& parts : kParts) {
      const ModeRow& row = row_of(parts.mode);
      if (!row.has_tag()) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + row.name);
      Random random(1000 + seed);
      Trial trial = random_trial(random, row, 1);
      trial.example.text = random.bytes(random.between(0, 70));
      const TestCipher cipher(context_, row.mode, trial.example.key);
      if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      const TestOperation operation(cipher.get(), kEncrypt, message_of(trial));
      if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
      const Bytes expected = expected_of(trial);
      ASSERT_TRUE(in_parts(random, operation, trial.example.text, row.has_output(), false) == expected);
      if (row.has_output()) unverified(random, trial, cipher, expected);
    }
  }
}

/// A nonce of 129 bytes, one more than OpenSSL's GCM takes.
TEST_P(Chunking, NoncesOfGcmMayBeLong) {
  for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_GMAC}) {
    for (const size_t length : {128, 129, 1000}) {
      SCOPED_TRACE(length);
      Trial trial{row_of(mode), row_of(mode).example(100), 0};
      trial.example.nonce = Bytes(length);
      Random random(length);
      const TestCipher cipher(context_, mode, trial.example.key);
      if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      const TestOperation operation(cipher.get(), kEncrypt, message_of(trial));
      if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) continue;
      ASSERT_EQ(operation.status(), WARPAES_OK) << warpaes_last_error();
      EXPECT_EQ(in_parts(random, operation, trial.example.text, trial.row.has_output(), false),
                expected_of(trial));
    }
  }
}

/// J0 of other nonces than those of 12 bytes may lie just before where inc32 begins again with 0.
TEST_P(Chunking, GcmCountersWrapInTheirLastFourBytes) {
  const Bytes key(16, 5);
  const Bytes h = row_of(WARPAES_MODE_ECB).answer({key, {}, {}, Bytes(16), 0}).output;
  Ghash ghash(ghash_key(gf128_from_block(h.data())));
  Trial trial{row_of(WARPAES_MODE_GCM), {key, Bytes(16), Bytes(3, 1), Bytes(40'000, 7), 16}, 0};
  uint64_t left = UINT64_MAX;
  for (uint32_t i = 0; left > 2000; i++) {
    std::copy_n(reinterpret_cast<const uint8_t*>(&i), sizeof i, trial.example.nonce.begin());
    const Bytes& nonce = trial.example.nonce;
    left = ~gcm_initial_counter(ghash, nonce.data(), nonce.size()).low & 0xffffffff;
  }
  const TestCipher cipher(context_, WARPAES_MODE_GCM, key);
  if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) return;
  const TestOperation operation(cipher.get(), kEncrypt, message_of(trial));
  if (is_gpu() && operation.status() == WARPAES_ERROR_UNSUPPORTED) return;
  Random random(3);
  EXPECT_TRUE(in_parts(random, operation, trial.example.text, true, false) == expected_of(trial))
      << left << " blocks";
}

TEST_P(Chunking, CounterModeGoesWhereItIsTold) {
  Random random(7);
  const ModeRow& row = row_of(WARPAES_MODE_CTR);
  const Trial trial{row, {random.bytes(32), Bytes(16, 0xff), {}, random.bytes(5'000), 0}, 0};
  const Bytes whole = expected_of(trial);
  const TestCipher cipher(context_, row.mode, trial.example.key);
  const TestOperation operation(cipher.get(), kEncrypt, message_of(trial));
  for (int i = 0; i < 200; i++) {
    const size_t at = random.between(0, whole.size()), length = random.between(0, whole.size() - at);
    Bytes part(length);
    uint64_t written = 0;
    ASSERT_EQ(warpaes_operation_seek(operation.get(), at), WARPAES_OK);
    ASSERT_EQ(warpaes_operation_update(operation.get(), trial.example.text.data() + at, length, part.data(),
                                       length, &written),
              WARPAES_OK);
    EXPECT_TRUE(part == slice(whole, at, length)) << length << " bytes at " << at;
  }
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const std::string& engine : usable_engines()) {
    for (const unsigned threads : {1u, 3u}) all.emplace_back(engine, threads);
  }
  all.emplace_back("auto", 2);
  return all;
}

/// Bytes go on being taken by both, whichever ends first; the copy does not need the first one.
TEST_P(Chunking, ACopyOfCmacGoesOnByItself) {
  const ModeRow& row = row_of(WARPAES_MODE_CMAC);
  Random random(7);
  for (const size_t length : {0, 1, 15, 16, 17, 32, 40, 5000}) {
    SCOPED_TRACE(length);
    Trial trial = random_trial(random, row, 0);
    trial.example.text = random.bytes(length);
    const Bytes expected = expected_of(trial);
    const TestCipher cipher(context_, row.mode, trial.example.key);
    if (cipher.status() == WARPAES_ERROR_UNSUPPORTED) return;
    for (size_t cut = 0; cut <= length; cut += length > 100 ? 333 : 1) {
      warpaes_operation *first = nullptr, *second = nullptr;
      const warpaes_message message = message_of(trial);
      const warpaes_status status = warpaes_operation_create(cipher.get(), kEncrypt, &message, &first);
      if (is_gpu() && status == WARPAES_ERROR_UNSUPPORTED) return;
      ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
      uint64_t written = 0;
      const Bytes& text = trial.example.text;
      EXPECT_EQ(warpaes_operation_update(first, text.data(), cut, nullptr, 0, &written), WARPAES_OK);
      ASSERT_EQ(warpaes_operation_copy(first, &second), WARPAES_OK) << warpaes_last_error();
      Bytes other(1, 0x55), tag(expected.size());
      EXPECT_EQ(warpaes_operation_update(first, other.data(), 1, nullptr, 0, &written), WARPAES_OK);
      EXPECT_EQ(warpaes_operation_finish(first, tag.data(), tag.size(), &written), WARPAES_OK);
      EXPECT_NE(tag, expected);
      warpaes_operation_destroy(first);
      EXPECT_EQ(warpaes_operation_update(second, text.data() + cut, length - cut, nullptr, 0, &written),
                WARPAES_OK);
      EXPECT_EQ(warpaes_operation_finish(second, tag.data(), tag.size(), &written), WARPAES_OK);
      EXPECT_EQ(tag, expected) << "cut at " << cut;
      warpaes_operation_destroy(second);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Chunking, ::testing::ValuesIn(settings()), [](const auto& tested) {
  std::string name = std::get<0>(tested.param) + "_" + std::to_string(std::get<1>(tested.param));
  std::replace_if(name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

/// The length is written before all else: where it lies in memory of the call, nothing is, and the operation
/// goes on.
TEST(OperationLengths, InMemoryOfTheCallAreRefused) {
  constexpr auto kOverlap = WARPAES_ERROR_OVERLAP;
  const TestContext context("openssl");
  const TestCipher cipher(context, WARPAES_MODE_GCM, Bytes(16, 1));
  const Bytes nonce(12, 2);
  auto message = sized<warpaes_message>();
  message.nonce = nonce.data();
  message.nonce_length = nonce.size();
  const TestOperation sealing(cipher.get(), WARPAES_DIRECTION_ENCRYPT, message),
      opening(cipher.get(), message);
  Bytes memory(128, kUntouched);
  const auto length_at = [&](size_t at) { return reinterpret_cast<uint64_t*>(memory.data() + at); };
  uint8_t* const text = memory.data();
  uint8_t* const output = memory.data() + 64;
  EXPECT_EQ(warpaes_operation_update(sealing.get(), text, 32, output, 32, length_at(24)), kOverlap);
  EXPECT_EQ(warpaes_operation_update(sealing.get(), text, 32, output, 32, length_at(64)), kOverlap);
  EXPECT_EQ(warpaes_operation_update(sealing.get(), text, 32, output, UINT64_MAX, length_at(88)), kOverlap);
  EXPECT_EQ(warpaes_operation_finish(sealing.get(), output, 16, length_at(72)), kOverlap);
  EXPECT_EQ(warpaes_operation_finish(sealing.get(), output, UINT64_MAX, length_at(72)), kOverlap);
  EXPECT_EQ(warpaes_operation_verify(opening.get(), text, 16, output, 0, length_at(8)), kOverlap);
  EXPECT_STREQ(warpaes_last_error(), "output_length lies in memory that the call works on");
  EXPECT_EQ(memory, Bytes(128, kUntouched));
  EXPECT_EQ(warpaes_operation_update(sealing.get(), text, 32, output, UINT64_MAX, length_at(96)), WARPAES_OK)
      << "right behind what is written, however much room there is said to be";
  EXPECT_EQ(*length_at(96), 32u);
}

}  // namespace
}  // namespace warpaes::core::testing
