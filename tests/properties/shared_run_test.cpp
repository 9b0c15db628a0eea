// Calls on host memory that the GPU and the CPU's threads share, with host memory posing as the device's:
// whoever does which piece, and whatever fails, the result is the CPU's, or the call fails and leaves zeros.
#include <functional>

#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "staging_fixture.hpp"

namespace warpaes::core {
namespace {

constexpr uint64_t kBytes = 300'016, kGcmBytes = 149'901;

const Bytes kBlock = random_bytes(16, 3);

/// Pieces so small that a short message has many.
constexpr TransferSizes kSmall{.least_for_gpu = 1,
                               .slots = 3,
                               .piece = 32 << 10,
                               .copied_piece = 24 << 10,
                               .chained_piece = 64 << 10,
                               .least_piece = 8 << 10,
                               .cpu_piece = 4 << 10};

/// Keys of a context whose calls, if it chooses automatically, are the GPU's as well.
struct Machine {
  Context context;
  Key key, second;

  explicit Machine(const char* engine, const std::vector<int>& devices = {0},
                   const TransferSizes& sizes = kSmall)
      : context({.engine = engine, .devices = devices, .threads = 3}),
        key(context, random_bytes(32, 1)),
        second(context, random_bytes(32, 2)) {
    Context::State& state = context.state();
    state.sizes = sizes;
    for (const WorkKind kind : {WorkKind::stream, WorkKind::gcm, WorkKind::chained}) {
      state.speeds.set(kind, {.with_gpu_pageable = 1e15, .with_gpu_pinned = 1e15});
    }
  }
};

struct Call {
  const char* name;
  std::function<void(const Machine&, const uint8_t* input, uint8_t* output)> run;
};

/// Two long messages; the tags come behind them.
void gcm(const Machine& machine, Direction direction, const uint8_t* input, uint8_t* output, Bytes& tags,
         std::vector<int32_t>& statuses) {
  batch_host(machine.key, {.mode = WARPAES_MODE_GCM,
                           .direction = direction,
                           .messages = 2,
                           .bytes = kGcmBytes,
                           .input = input,
                           .input_stride = kGcmBytes,
                           .output = output,
                           .output_stride = kGcmBytes,
                           .nonces = kBlock.data(),
                           .aad = kBlock.data(),
                           .aad_bytes = 13,
                           .tags = tags.data(),
                           .tag_stride = 16,
                           .tag_bytes = 16,
                           .statuses = statuses.data()});
}

const Call kCalls[] = {
    {"GCM",
     [](const Machine& m, auto in, auto out) {
       Bytes tags(32);
       std::vector<int32_t> statuses(2, -1);
       gcm(m, kEncrypt, in, out, tags, statuses);
       std::copy(tags.begin(), tags.end(), out + 2 * kGcmBytes);  // so that they are compared
     }},
    {"ECB", [](const Machine& m, auto in, auto out) { ecb_host(m.key, kDecrypt, {in, out, kBytes}); }},
    {"CTR",
     [](const Machine& m, auto in, auto out) { ctr_host(m.key, {kBlock.data(), in, out, kBytes - 5}); }},
    {"CBC",
     [](const Machine& m, auto in, auto out) {
       chain_host(m.key, WARPAES_MODE_CBC, kDecrypt, {kBlock.data(), in, out, kBytes});
     }},
    {"CFB",
     [](const Machine& m, auto in, auto out) {
       chain_host(m.key, WARPAES_MODE_CFB, kDecrypt, {kBlock.data(), in, out, kBytes - 3});
     }},
    {"XTS", [](const Machine& m, auto in,
               auto out) { xts_host(m.key, m.second, kEncrypt, {kBlock.data(), 528, in, out, kBytes}); }},
    {"CFB batch",
     [](const Machine& m, auto in, auto out) {
       batch_host(m.key, {.mode = WARPAES_MODE_CFB,
                          .direction = kDecrypt,
                          .messages = 600,
                          .bytes = 500,
                          .input = in,
                          .input_stride = 500,
                          .output = out,
                          .output_stride = 500,
                          .nonces = kBlock.data(),
                          .nonce_bytes = 16});
     }},
    {"GCM batch, ragged",
     [](const Machine& m, auto in, auto out) {
       Bytes tags(16 * 60);
       std::vector<uint64_t> lengths;
       std::vector<int32_t> statuses(60);
       for (uint64_t i = 0; i < 60; i++) lengths.push_back(i * 71 % 5001);
       batch_host(m.key, {.mode = WARPAES_MODE_GCM,
                          .direction = kEncrypt,
                          .messages = 60,
                          .bytes = 5000,
                          .input = in,
                          .input_stride = 5000,
                          .output = out,
                          .output_stride = 5000,
                          .nonces = kBlock.data(),
                          .tags = tags.data(),
                          .tag_stride = 16,
                          .tag_bytes = 16,
                          .statuses = statuses.data(),
                          .lengths = lengths.data()});
       for (uint64_t i = 0; i < 60; i++)
         std::copy_n(&tags[16 * i], 16, out + 5000 * i);  // so that they are compared
     }},
};

class SharedRun : public ::testing::Test {
 protected:
  SharedRun() { posing::device() = {}; }

  static Bytes run(const Machine& machine, const Call& call, bool in_place) {
    const Bytes input = random_bytes(kBytes, 4);
    Bytes output = in_place ? input : Bytes(kBytes);
    call.run(machine, in_place ? output.data() : input.data(), output.data());
    return output;
  }
};

TEST_F(SharedRun, IsTheCpusAtEveryPaceOfTheDevice) {
  const Machine cpu("openssl");
  int calls[2] = {};  // of the engine, forced and not
  for (const Call& call : kCalls) {
    for (const bool in_place : {false, true}) {
      const Bytes expected = run(cpu, call, in_place);
      for (uint32_t variant = 0; variant < 12; variant++) {
        SCOPED_TRACE(std::string(call.name) + (in_place ? " in place" : "") + ", variant " +
                     std::to_string(variant));
        posing::device() = {.pace = static_cast<posing::Pace>(variant % 3),
                            .seed = variant + 1,
                            .host_memory_is_pinned = variant / 3 % 2 == 0};
        const Machine machine(variant < 6 ? "cuda" : "auto");
        ASSERT_TRUE(run(machine, call, in_place) == expected);
        ASSERT_TRUE(run(machine, call, in_place) == expected) << "now with memory that is there already";
        calls[variant < 6 ? 0 : 1] += posing::device().engine_calls;
        EXPECT_EQ(posing::dirty_bytes(), 0u);
      }
      EXPECT_EQ(posing::device().dirty_bytes_freed, 0u);
      EXPECT_EQ(posing::device().dirty_bytes_unpinned, 0u);
    }
  }
  EXPECT_GT(calls[0], 0);
  EXPECT_GT(calls[1], 0);
}

TEST_F(SharedRun, PlaintextIsKeptOnlyIfItsTagIsRight) {
  const Machine cpu("openssl");
  const Bytes plaintext = random_bytes(2 * kGcmBytes, 7);
  Bytes sealed = plaintext, tags(32);
  std::vector<int32_t> statuses(2, -1);
  gcm(cpu, kEncrypt, sealed.data(), sealed.data(), tags, statuses);
  for (const char* const engine : {"cuda", "auto"}) {
    for (const size_t wrong :
         {size_t{0}, 2 * kGcmBytes - 1}) {  // a byte of the first message, or of the second
      const Machine machine(engine);
      Bytes damaged = sealed, opened(sealed.size(), 0x55);
      damaged[wrong] ^= 1;
      gcm(machine, kDecrypt, damaged.data(), opened.data(), tags, statuses);
      const size_t bad = wrong / kGcmBytes;
      EXPECT_EQ(statuses[bad], WARPAES_ERROR_AUTHENTICATION);
      EXPECT_EQ(statuses[1 - bad], WARPAES_OK);
      const auto message = [](const Bytes& all, size_t index) {
        const auto first = all.begin() + static_cast<ptrdiff_t>(index * kGcmBytes);
        return Bytes(first, first + kGcmBytes);
      };
      EXPECT_TRUE(message(opened, bad) == Bytes(kGcmBytes, 0));
      EXPECT_TRUE(message(opened, 1 - bad) == message(plaintext, 1 - bad));
    }
  }
}

/// One call of the device's layer after the other fails: each of them in CTR, and each third one in other
/// modes.
class SharedRunFault : public SharedRun {
 protected:
  struct Count {
    int right = 0, refused = 0;
  };

  /// @return false if the call made fewer calls than that
  static bool fails(const Machine& machine, const Call& call, bool in_place, const Bytes& expected,
                    Count& count) {
    const Bytes input = random_bytes(kBytes, 4);
    Bytes output = in_place ? input : Bytes(kBytes);
    try {
      call.run(machine, in_place ? output.data() : input.data(), output.data());
      EXPECT_TRUE(output == expected);
      count.right++;
    } catch (const Failure&) {
      const uint64_t written = kBytes - 5000;  // in some modes the last bytes are nobody's
      EXPECT_TRUE(
          std::all_of(output.begin(), output.begin() + written, [](uint8_t byte) { return byte == 0; }) ||
          (in_place && output == input));
      count.refused++;
    }
    EXPECT_TRUE(posing::device().lost || posing::dirty_bytes() == 0);
    return posing::device().calls_until_failure < 0;
  }

  static Count at_every_call(const char* engine, const Call& call, posing::Device like, bool in_place) {
    posing::device() = {};
    const Bytes expected = run(Machine("openssl"), call, in_place);
    Count count;
    const int step = call.name == std::string("CTR") ? 1 : 3;
    for (int at = 0;; at += step) {
      SCOPED_TRACE(std::string(engine) + ", " + call.name + (in_place ? " in place" : "") +
                   (like.failure_is_fatal ? ", fatal" : "") + ", failing at call " + std::to_string(at));
      posing::device() = like;
      posing::device().calls_until_failure = at;
      const bool two = posing::device().failing_device >= 0;
      const Machine machine(engine, two ? std::vector{1, 0} : std::vector{0});
      if (!fails(machine, call, in_place, expected, count)) return count;
    }
  }
};

TEST_F(SharedRunFault, OfAForcedGpuIsReported) {
  for (const Call& call : kCalls) {
    const posing::Device like{.failure_is_fatal = true, .host_memory_is_pinned = true};
    const Count count = at_every_call("cuda", call, like, call.name == std::string("CTR"));
    EXPECT_GT(count.refused, 10) << call.name;
  }
}

/// Out of place, and where the host's threads copy to the output, no input is ever lost.
TEST_F(SharedRunFault, OfAGpuThatWasNotForcedIsTheCpusWork) {
  for (const Call& call : kCalls) {
    for (const bool pinned : {false, true}) {
      const posing::Device like{.failure_is_fatal = pinned, .host_memory_is_pinned = pinned};
      const Count count = at_every_call("auto", call, like, /*in_place=*/!pinned);
      EXPECT_EQ(count.refused, 0) << call.name;
      EXPECT_GT(count.right, 0) << call.name;
    }
  }
}

/// The GPU has its memory from a call before, so that it begins before the CPU's threads have done
/// everything.
TEST_F(SharedRunFault, IsReportedIfTheInputIsLost) {
  const Bytes expected = run(Machine("openssl"), kCalls[2], /*in_place=*/true);
  Count count;
  for (int at = 0; at < 60; at++) {
    posing::device() = {.host_memory_is_pinned = true};
    const Machine machine("auto");
    run(machine, kCalls[2], /*in_place=*/true);
    posing::device().calls_until_failure = at;
    fails(machine, kCalls[2], /*in_place=*/true, expected, count);
  }
  EXPECT_GT(count.refused, 0);
  EXPECT_GT(count.right, 0);
}

/// A piece whose input could not be sent is still there, and those before it are finished, whose output is
/// where their input was: nothing is lost. CTR's copies are each piece's way in and its way out by turns.
TEST_F(SharedRunFault, OfAWayInLosesNoInput) {
  const Bytes expected = run(Machine("openssl"), kCalls[2], /*in_place=*/true);
  Count count;
  int failed = 0;
  for (int at = 0; at < 12; at += 2) {
    posing::device() = {.pace = posing::Pace::late, .host_memory_is_pinned = true};
    const Machine machine("auto");
    run(machine, kCalls[2], /*in_place=*/true);
    posing::device().copies_until_failure = at;
    fails(machine, kCalls[2], /*in_place=*/true, expected, count);
    failed += posing::device().copies_until_failure == 0;
  }
  EXPECT_EQ(count.refused, 0);
  EXPECT_GT(failed, 1) << "the GPU came to a copy that fails, which the CPU's threads may be too quick for";
}

/// The other GPU finishes, whether the CPU helps or not.
TEST_F(SharedRunFault, OfOneGpuOfTwoIsTheOthersWork) {
  int used = 0;  // a GPU that the others leave nothing to do cannot fail
  for (const Call& call : kCalls) {
    const bool in_place = call.name == std::string("XTS");  // by pageable memory, so that no input is lost
    for (const char* const engine : {"cuda", "auto"}) {
      for (const int failing : {0, 1}) {
        const Count count = at_every_call(engine, call, {.failing_device = failing}, in_place);
        EXPECT_EQ(count.refused, 0) << call.name << " " << engine;
        used += count.right - 1;
      }
    }
  }
  EXPECT_GT(used, 10);
}

TEST_F(SharedRun, IsForEachDeviceOfAListOnce) {
  for (const std::vector<int>& devices : {std::vector<int>{}, {0, 0}, {1, 0, 1}}) {
    EXPECT_THROW(Context({.engine = "cuda", .devices = devices}), Failure);
    EXPECT_THROW(Context({.devices = devices}), Failure);
  }
  EXPECT_THROW(Context({.devices = {0, 2}}), Failure) << "there is no such device";
  EXPECT_EQ(Context({.devices = {1, 0}}).device(), 1);
  EXPECT_EQ(Context({.all_devices = true}).devices().size(), 2u);
}

}  // namespace
}  // namespace warpaes::core
