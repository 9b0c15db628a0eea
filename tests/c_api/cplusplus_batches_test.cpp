// The C++ wrapper's batches, which do what those of the C interface do, and stay inside the memory that they
// are given.
#include <gtest/gtest.h>

#include <vector>

#include "warpaes/warpaes.hpp"

namespace {

using warpaes::Cipher;
using warpaes::Context;
using warpaes::Mode;
using Bytes = std::vector<uint8_t>;

Context portable() { return Context({.engine = "portable", .threads = 1}); }

/// Frames of a nonce, a payload and a tag: the batch is what each message is by itself.
TEST(CplusplusBatches, OfFrames) {
  constexpr size_t kFrames = 5, kPayload = 30, kFrame = 12 + kPayload + 16;
  const Cipher gcm(portable(), Mode::gcm, Bytes(16, 1));
  const Bytes plaintext(kFrames * kPayload, 4);
  Bytes frames(kFrames * kFrame), opened(plaintext.size()), tag(16), one(kPayload);
  for (size_t i = 0; i < kFrames; i++) frames[i * kFrame] = static_cast<uint8_t>(i);
  const std::span all(frames);
  gcm.encrypt_batch({.count = kFrames,
                     .input = {plaintext, kPayload},
                     .length = kPayload,
                     .output = {all.subspan(12), kFrame},
                     .nonces = {all, kFrame},
                     .tags = {all.subspan(12 + kPayload), kFrame}});
  gcm.encrypt({.input = std::span(plaintext).first(kPayload),
               .output = one,
               .nonce = all.subspan(2 * kFrame, 12),
               .tag = tag});
  EXPECT_EQ(Bytes(frames.begin() + 2 * kFrame + 12, frames.begin() + 2 * kFrame + 12 + kPayload), one);

  std::vector<int32_t> statuses(kFrames);
  const auto open = [&] {
    return gcm.decrypt_batch({.count = kFrames,
                              .input = {all.subspan(12), kFrame},
                              .length = kPayload,
                              .output = {opened, kPayload},
                              .nonces = {all, kFrame},
                              .tags = {all.subspan(12 + kPayload), kFrame},
                              .statuses = statuses});
  };
  EXPECT_TRUE(open());
  EXPECT_EQ(opened, plaintext);
  frames[3 * kFrame + 20] ^= 1;
  EXPECT_EQ(open().status(), WARPAES_ERROR_BATCH);
  EXPECT_EQ(statuses, (std::vector<int32_t>{0, 0, 0, WARPAES_ERROR_AUTHENTICATION, 0}));
}

TEST(CplusplusBatches, WithAKeyEachAndArraysOfPointers) {
  const Context context = portable();
  const Cipher many(context, Mode::cbc);
  const Bytes keys = [] {
    Bytes two(24, 1);
    two.resize(48, 2);
    return two;
  }();
  const Bytes iv(16, 7);
  Bytes first(48, 5), second(32, 5), expected(32, 5);
  const std::array<const void*, 2> inputs = {first.data(), second.data()};
  const std::array<void*, 2> outputs = {first.data(), second.data()};
  const std::array<uint64_t, 2> lengths = {48, 32};
  many.encrypt_batch({.count = 2,
                      .input = {inputs},
                      .length = 48,
                      .lengths = lengths,
                      .output = {outputs},
                      .nonces = {iv, 0},
                      .keys = {keys, 24},
                      .key_length = 24});
  Cipher(context, Mode::cbc, Bytes(24, 2)).encrypt({.input = expected, .output = expected, .nonce = iv});
  EXPECT_EQ(second, expected);
}

/// The sizes of spans are kept: what would reach beyond is refused before the library sees it.
TEST(CplusplusBatches, StayInsideTheirMemory) {
  const Cipher gcm(portable(), Mode::gcm, Bytes(16, 1));
  Bytes data(3 * 20), nonces(3 * 12), tags(3 * 16), aad(3 * 5);
  const std::array<uint64_t, 3> lengths = {20, 3, 20};
  std::vector<int32_t> statuses(3);
  const warpaes::Batch good = {.count = 3,
                               .input = {data, 20},
                               .length = 20,
                               .output = {data, 20},
                               .nonces = {nonces, 12},
                               .aad = {aad, 5},
                               .aad_length = 5,
                               .tags = {tags, 16},
                               .statuses = statuses};
  gcm.encrypt_batch(good);
  const auto expect_refused = [&](const char* what, auto change) {
    warpaes::Batch bad = good;
    change(bad);
    try {
      gcm.encrypt_batch(bad);
      ADD_FAILURE() << what;
    } catch (const warpaes::Error& error) {
      EXPECT_EQ(error.status(), WARPAES_ERROR_BUFFER_SIZE) << what;
      EXPECT_EQ(std::string(error.what()).rfind(what, 0), 0u) << error.what();
    }
  };
  using warpaes::Batch;
  expect_refused("input", [&](Batch& bad) { bad.input = {std::span(data).first(59), 20}; });
  expect_refused("output", [&](Batch& bad) { bad.output = {std::span(data).first(59), 20}; });
  expect_refused("output", [&](Batch& bad) { bad.output_capacity = 21; });
  expect_refused("nonces", [&](Batch& bad) { bad.nonces = {nonces, 13}; });
  expect_refused("tags", [&](Batch& bad) { bad.tags = {std::span(tags).first(47), 16}; });
  expect_refused("aad", [&](Batch& bad) { bad.aad_length = 6; });
  expect_refused("input", [&](Batch& bad) { bad.input = {data, ~uint64_t{0}}; });
  expect_refused("statuses", [&](Batch& bad) { bad.statuses = std::span(statuses).first(2); });
  expect_refused("lengths", [&](Batch& bad) { bad.lengths = std::span(lengths).first(2); });
  expect_refused("input", [&](Batch& bad) {
    bad.lengths = lengths;
    bad.input = {std::span(data).first(59), 20};
  });
}

/// As in the C interface: a length from somebody's frame does not keep the other frames from being opened.
TEST(CplusplusBatches, ALengthAboveTheMostIsThatMessagesStatus) {
  const Cipher ctr(portable(), Mode::ctr, Bytes(16, 1));
  Bytes data(32, 4), nonces(32);
  const std::array<uint64_t, 2> lengths = {16, 1 << 20};
  std::vector<int32_t> statuses(2);
  EXPECT_THROW(ctr.encrypt_batch({.count = 2,
                                  .input = {data, 16},
                                  .length = 16,
                                  .lengths = lengths,
                                  .output = {data, 16},
                                  .nonces = {nonces, 16},
                                  .statuses = statuses}),
               warpaes::Error);
  EXPECT_EQ(statuses, (std::vector<int32_t>{WARPAES_OK, WARPAES_ERROR_LENGTH}));
}

/// What has reserved memory and no elements has an address as well.
TEST(CplusplusBatches, ArraysWithoutElementsAreNotGiven) {
  const Cipher ctr(portable(), Mode::ctr, Bytes(16, 1)), cmac(portable(), Mode::cmac, Bytes(16, 1));
  std::vector<uint64_t> lengths;
  std::vector<int32_t> statuses;
  Bytes nothing, data(32, 4), nonces(32), tag(16);
  lengths.reserve(4);
  statuses.reserve(4);
  nothing.reserve(4);
  ctr.encrypt_batch({.count = 2,
                     .input = {data, 16},
                     .length = 16,
                     .lengths = lengths,
                     .output = {data, 16},
                     .nonces = {nonces, 16},
                     .statuses = statuses});
  EXPECT_EQ(cmac.encrypt({.input = data, .output = nothing, .tag = tag}), 0u);
}

}  // namespace
