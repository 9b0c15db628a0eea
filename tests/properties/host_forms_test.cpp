// Random calls of the host forms, on every engine that can run here and with several numbers of threads,
// against OpenSSL's EVP. A failure prints its seed: WARPAES_SEED=… runs that one alone.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>
#include <tuple>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

using reference::View;

class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  uint64_t between(uint64_t low, uint64_t high) { return low + generator_() % (high - low + 1); }
  bool coin() { return generator_() & 1; }
  Bytes bytes(size_t count) {
    Bytes made(count);
    for (uint8_t& each : made) each = static_cast<uint8_t>(generator_());
    return made;
  }
  /// All magnitudes alike: short ones hit tails, long ones are shared between threads.
  size_t length(size_t most) { return between(0, most >> between(0, 16)); }
  Bytes key() { return bytes(16 + 8 * between(0, 2)); }

 private:
  std::mt19937_64 generator_;
};

/// (engine, threads)
using Setting = std::tuple<std::string, unsigned>;

class HostForms : public ::testing::TestWithParam<Setting> {
 protected:
  TestContext context_{std::get<0>(GetParam()).c_str(), std::get<1>(GetParam())};

  static bool is_slow() { return std::get<0>(GetParam()).starts_with("portable"); }
  static size_t longest() { return is_slow() ? size_t{1} << 18 : size_t{5} << 20; }

  /// Calls trial(random) for many seeds, or for the one asked for.
  template <class Trial>
  void for_seeds(uint64_t count, const Trial& trial) {
    const char* const wanted = std::getenv("WARPAES_SEED");
    const uint64_t first = wanted ? std::strtoull(wanted, nullptr, 10) : 1;
    for (uint64_t seed = first; seed < first + (wanted ? 1 : count); seed++) {
      SCOPED_TRACE("WARPAES_SEED=" + std::to_string(seed));
      Random random(seed);
      trial(random);
      if (HasFailure()) return;
    }
  }
};

TEST_P(HostForms, EcbIsOpensslsBothWays) {
  for_seeds(20, [&](Random& random) {
    const Bytes raw_key = random.key(), input = random.bytes(random.length(longest()) / 16 * 16);
    const TestKey key(context_, raw_key);
    Bytes memory = input, apart(input.size());
    const bool in_place = random.coin(), encrypt = random.coin();
    Bytes& output = in_place ? memory : apart;
    const auto call = encrypt ? warpaes_ecb_encrypt : warpaes_ecb_decrypt;
    ASSERT_EQ(call(key.get(), memory.data(), output.data(), input.size()), WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(output, reference::ecb(raw_key, encrypt, input));
  });
}

TEST_P(HostForms, CtrIsOpensslsWhereverTheCounterWraps) {
  for_seeds(30, [&](Random& random) {
    const Bytes raw_key = random.key(), input = random.bytes(random.length(longest()));
    const TestKey key(context_, raw_key);
    // All ones but for the last two bytes, the last four, or no more than the first byte: the carry runs
    // through all, some or none of the counter within the span.
    Bytes counter = random.bytes(16);
    const size_t ones = std::array<size_t, 4>{0, 1, 12, 14}[random.between(0, 3)];
    std::fill_n(counter.begin() + static_cast<ptrdiff_t>(14 - ones), ones, 0xff);
    Bytes memory = input, apart(input.size());
    Bytes& output = random.coin() ? memory : apart;
    ASSERT_EQ(warpaes_ctr_crypt(key.get(), counter.data(), memory.data(), output.data(), input.size()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_EQ(output, reference::ctr(raw_key, counter, input));
  });
}

struct ChainedMode {
  const char* name;  // EVP's
  decltype(&warpaes_cbc_encrypt) encrypt, decrypt;
};
constexpr ChainedMode kChainedModes[] = {
    {"CBC", warpaes_cbc_encrypt, warpaes_cbc_decrypt},
    {"CFB", warpaes_cfb_encrypt, warpaes_cfb_decrypt},
    {"OFB", warpaes_ofb_crypt, warpaes_ofb_crypt},
};

TEST_P(HostForms, ChainedModesAreOpensslsBothWays) {
  for_seeds(30, [&](Random& random) {
    const ChainedMode& mode = kChainedModes[random.between(0, 2)];
    SCOPED_TRACE(mode.name);
    const Bytes raw_key = random.key(), vector = random.bytes(16);
    const size_t granularity = mode.name == std::string("CBC") ? 16 : 1;
    const Bytes plaintext = random.bytes(random.length(longest()) / granularity * granularity);
    const Bytes ciphertext = reference::crypt(mode.name, raw_key, vector, plaintext);
    const TestKey key(context_, raw_key);
    const bool encrypt = random.coin();
    Bytes memory = encrypt ? plaintext : ciphertext, apart(memory.size());
    Bytes& output = random.coin() ? memory : apart;
    const auto status = (encrypt ? mode.encrypt : mode.decrypt)(key.get(), vector.data(), memory.data(),
                                                                output.data(), memory.size());
    if (status == WARPAES_ERROR_UNSUPPORTED && std::get<0>(GetParam()).starts_with("cuda")) return;
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    EXPECT_TRUE(output == (encrypt ? ciphertext : plaintext));
  });
}

/// Each data unit by itself is what the reference makes of it, under a tweak that counts up.
TEST_P(HostForms, XtsDataUnitsAreOpenssls) {
  for_seeds(30, [&](Random& random) {
    const size_t key_bytes = random.coin() ? 16 : 32;
    const Bytes keys = random.bytes(2 * key_bytes);
    const auto half = keys.begin() + static_cast<ptrdiff_t>(key_bytes);
    const TestKey key(context_, Bytes(keys.begin(), half)), tweak_key(context_, Bytes(half, keys.end()));
    const size_t unit = 16 + random.length(100'000), last = 16 + random.between(0, unit - 16);
    const size_t units = random.between(0, std::min<size_t>(longest() / unit, 300));
    const Bytes plaintext = random.bytes(units * unit + last);
    Bytes tweak = random.bytes(16), ciphertext, number = tweak;
    for (size_t at = 0; at < plaintext.size(); at += unit) {
      const View part = View(plaintext).subspan(at, std::min(unit, plaintext.size() - at));
      const Bytes made = reference::xts(keys, number, part);
      ciphertext.insert(ciphertext.end(), made.begin(), made.end());
      for (size_t i = 0; i < 16 && ++number[i] == 0; i++) {
      }
    }
    const bool encrypt = random.coin();
    Bytes memory = encrypt ? plaintext : ciphertext, apart(memory.size());
    Bytes& output = random.coin() ? memory : apart;
    const warpaes_status status = (encrypt ? warpaes_xts_encrypt : warpaes_xts_decrypt)(
        key.get(), tweak_key.get(), tweak.data(), unit, memory.data(), output.data(), memory.size());
    if (status == WARPAES_ERROR_UNSUPPORTED && std::get<0>(GetParam()) == "cuda/bitsliced") return;
    ASSERT_EQ(status, WARPAES_OK) << warpaes_last_error();
    EXPECT_TRUE(output == (encrypt ? ciphertext : plaintext));
  });
}

TEST_P(HostForms, CtrWrapsAtTheEdgeOfEachThreadsShare) {
  const Bytes raw_key(32, 7), input(longest(), 0);
  const TestKey key(context_, raw_key);
  for (const uint64_t before_wrap : {1u, 2u, 8191u, 8192u, 8193u, 65535u, 65536u}) {
    Bytes counter(16, 0xff), output(input.size());
    const uint64_t low = ~uint64_t{0} - (before_wrap - 1);
    for (int i = 0; i < 8; i++) counter[15 - i] = static_cast<uint8_t>(low >> (8 * i));
    ASSERT_EQ(warpaes_ctr_crypt(key.get(), counter.data(), input.data(), output.data(), input.size()),
              WARPAES_OK);
    EXPECT_TRUE(output == reference::ctr(raw_key, counter, input))
        << before_wrap << " blocks before the wrap";
  }
}

TEST_P(HostForms, GcmIsOpensslsAndOpensAgain) {
  for_seeds(30, [&](Random& random) {
    const Bytes raw_key = random.key(), input = random.bytes(random.length(longest()));
    const Bytes nonce = random.bytes(random.coin() ? 12 : random.between(1, 200)),
                aad = random.bytes(random.length(4096));
    const size_t tag_bytes = random.between(12, 16);
    const TestKey key(context_, raw_key);
    // OpenSSL's own limit of 128 bytes, for the reference; longer ones only have to open again.
    Bytes memory = input, apart(input.size()), tag(tag_bytes);
    Bytes& sealed = random.coin() ? memory : apart;
    ASSERT_EQ(
        warpaes_aead_encrypt(key.get(), WARPAES_AEAD_GCM, nonce.data(), nonce.size(), aad.data(), aad.size(),
                             memory.data(), sealed.data(), input.size(), tag.data(), tag.size()),
        WARPAES_OK)
        << warpaes_last_error();
    if (nonce.size() <= 128) {
      const reference::Sealed expected = reference::gcm(raw_key, nonce, aad, input, tag_bytes);
      EXPECT_EQ(sealed, expected.ciphertext);
      EXPECT_EQ(tag, expected.tag);
    }
    const auto open = [&](Bytes& output) {
      return warpaes_aead_decrypt(key.get(), WARPAES_AEAD_GCM, nonce.data(), nonce.size(), aad.data(),
                                  aad.size(), sealed.data(), output.data(), sealed.size(), tag.data(),
                                  tag.size());
    };
    Bytes opened(input.size(), 1);
    ASSERT_EQ(open(opened), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(opened, input);

    tag[random.between(0, tag_bytes - 1)] ^= static_cast<uint8_t>(1 << random.between(0, 7));
    EXPECT_EQ(open(opened), WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(opened, Bytes(input.size(), 0));
  });
}

/// A batch in memory of random geometry; what lies between its messages must stay as it is.
struct BatchInMemory {
  static constexpr uint8_t kGap = 0xa5;

  uint64_t messages, bytes, aad_bytes;
  size_t tag_bytes;
  uint64_t input_stride, output_stride, nonce_stride, aad_stride, tag_stride;
  bool in_place, tags_between;
  Bytes input, output, nonces, aad, tags;
  std::vector<int32_t> statuses;

  BatchInMemory(Random& random, size_t most_bytes)
      : messages(random.between(0, 40)),
        bytes(random.length(most_bytes / 40)),
        aad_bytes(random.length(300)),
        tag_bytes(random.between(12, 16)),
        input_stride(bytes + random.length(5000)),
        output_stride(bytes + tag_bytes + random.length(5000)),
        nonce_stride(12 + random.between(0, 9)),
        aad_stride(random.coin() ? 0 : aad_bytes + random.between(0, 9)),
        tag_stride(tag_bytes + random.between(0, 9)),
        in_place(random.coin()),
        tags_between(random.coin()),
        output(messages * output_stride, kGap),
        nonces(random.bytes(messages * nonce_stride)),
        aad(random.bytes(std::max<uint64_t>(messages, 1) * (aad_stride + aad_bytes))),
        tags(messages * tag_stride, kGap),
        statuses(messages, -1) {
    if (in_place) input_stride = output_stride;
    if (tags_between) tag_stride = output_stride;
    input = in_place ? output : Bytes(messages * input_stride, kGap);
    for (uint64_t m = 0; m < messages; m++) {
      const Bytes plaintext = random.bytes(bytes);
      std::copy(plaintext.begin(), plaintext.end(), input.begin() + static_cast<ptrdiff_t>(m * input_stride));
    }
  }

  View piece(const Bytes& of, uint64_t message, uint64_t stride, uint64_t count) const {
    return View(of).subspan(message * stride, count);
  }

  /// Encrypts `from` into output and tags, or opens them into `to`.
  warpaes_aead_batch_arguments arguments(const void* from, uint64_t from_stride, void* to, uint64_t to_stride,
                                         uint8_t* sealed) {
    warpaes_aead_batch_arguments made = {};
    made.size = sizeof made;
    made.messages = messages;
    made.bytes = bytes;
    made.input = from;
    made.input_stride = from_stride;
    made.output = to;
    made.output_stride = to_stride;
    made.nonces = nonces.data();
    made.nonce_stride = nonce_stride;
    made.aad = aad.data();
    made.aad_bytes = aad_bytes;
    made.aad_stride = aad_stride;
    made.tags = tags_between ? sealed + bytes : tags.data();
    made.tag_stride = tag_stride;
    made.tag_bytes = tag_bytes;
    made.statuses = statuses.data();
    return made;
  }
};

TEST_P(HostForms, GcmBatchesOfAnyGeometryAreOpensslsMessages) {
  for_seeds(30, [&](Random& random) {
    const Bytes raw_key = random.key();
    const TestKey key(context_, raw_key);
    BatchInMemory batch(random, longest());
    const Bytes plaintext = batch.input;
    Bytes expected = batch.in_place ? batch.input : batch.output, expected_tags = batch.tags;
    for (uint64_t m = 0; m < batch.messages; m++) {
      const reference::Sealed one =
          reference::gcm(raw_key, batch.piece(batch.nonces, m, batch.nonce_stride, 12),
                         batch.piece(batch.aad, m, batch.aad_stride, batch.aad_bytes),
                         batch.piece(plaintext, m, batch.input_stride, batch.bytes), batch.tag_bytes);
      const auto to = expected.begin() + static_cast<ptrdiff_t>(m * batch.output_stride);
      std::copy(one.ciphertext.begin(), one.ciphertext.end(), to);
      std::copy(one.tag.begin(), one.tag.end(),
                batch.tags_between ? to + static_cast<ptrdiff_t>(batch.bytes)
                                   : expected_tags.begin() + static_cast<ptrdiff_t>(m * batch.tag_stride));
    }

    Bytes& sealed = batch.in_place ? batch.input : batch.output;
    auto seal = batch.arguments(batch.input.data(), batch.input_stride, sealed.data(), batch.output_stride,
                                sealed.data());
    ASSERT_EQ(warpaes_aead_batch(key.get(), WARPAES_AEAD_GCM, WARPAES_ENCRYPT, &seal), WARPAES_OK)
        << warpaes_last_error();
    EXPECT_TRUE(sealed == expected) << "ciphertext, or a gap between messages";
    EXPECT_TRUE(batch.tags == expected_tags);

    // Open it again with some tags wrong: those messages are zero, the others right.
    std::vector<int32_t> statuses(batch.messages, WARPAES_OK);
    Bytes expected_opened = plaintext;
    for (uint64_t m = 0; m < batch.messages; m++) {
      if (random.between(0, 3) != 0) continue;
      statuses[m] = WARPAES_ERROR_AUTHENTICATION;
      (batch.tags_between ? sealed.data() + batch.bytes : batch.tags.data())[m * batch.tag_stride] ^= 1;
      std::fill_n(expected_opened.begin() + static_cast<ptrdiff_t>(m * batch.input_stride), batch.bytes,
                  uint8_t{0});
    }
    Bytes opened = plaintext;
    for (uint64_t m = 0; m < batch.messages; m++) {
      std::fill_n(opened.begin() + static_cast<ptrdiff_t>(m * batch.input_stride), batch.bytes, uint8_t{1});
    }
    auto open =
        batch.arguments(sealed.data(), batch.output_stride, opened.data(), batch.input_stride, sealed.data());
    const bool any_wrong = std::count(statuses.begin(), statuses.end(), WARPAES_OK) != std::ssize(statuses);
    EXPECT_EQ(warpaes_aead_batch(key.get(), WARPAES_AEAD_GCM, WARPAES_DECRYPT, &open),
              any_wrong ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK);
    EXPECT_EQ(batch.statuses, statuses);
    EXPECT_TRUE(opened == expected_opened);
  });
}

std::vector<std::string> engines_to_test() {
  std::vector<std::string> names = usable_engines();
  names.push_back("auto");
  return names;
}

INSTANTIATE_TEST_SUITE_P(Engines, HostForms,
                         ::testing::Combine(::testing::ValuesIn(engines_to_test()),
                                            ::testing::Values(1u, 2u, 5u)),
                         [](const auto& setting) {
                           std::string name = std::get<0>(setting.param);
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name + "_" + std::to_string(std::get<1>(setting.param)) + "_threads";
                         });

}  // namespace
}  // namespace warpaes::testing
