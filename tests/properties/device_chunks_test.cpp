// Chunks of containers whose plaintext is in device memory, with host memory posing as the device's: at every
// pace of the device, and with a failure at every call of its layer.
#include "container/device_chunks.hpp"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>

#include "container/chunk_range.hpp"
#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "staging_fixture.hpp"

namespace warpaes::core {
namespace {

using namespace cobblestone;

constexpr uint64_t kFirst = 5, kChunks = 9, kPlainBytes = kChunks * kChunkBytes,
                   kSealedBytes = kChunks * kSealedChunkBytes;
const Bytes kRawKey = random_bytes(32, 1), kPlaintext = random_bytes(kPlainBytes, 2);
constexpr Salt kSalt = {7};

/// Pieces of two chunks where the host copies, and of three where it does not.
constexpr TransferSizes kSmall{.slots = 3,
                               .piece = 3 * kSealedChunkBytes,
                               .read_piece = 2 * kSealedChunkBytes,
                               .least_piece = kSealedChunkBytes};

struct Machine {
  Context context;
  FileKey key;

  explicit Machine(const char* engine)
      : context({.engine = engine, .threads = 3}), key(context, {.key = kRawKey}, kSalt) {
    context.state().sizes = kSmall;
  }
};

Bytes sealed_by_cpu() {
  Bytes sealed(kSealedBytes);
  seal_chunks(Machine("openssl").key, {kFirst, kPlaintext.data(), kPlainBytes, sealed.data(), false});
  return sealed;
}

/// The caller's memory on the device.
struct Plaintext {
  DeviceBuffer memory{0, kPlainBytes};
  DeviceChunks chunks{kFirst, kChunks, memory.data()};

  Bytes bytes() const { return {memory.data(), memory.data() + kPlainBytes}; }
  ~Plaintext() { std::memset(memory.data(), 0, kPlainBytes); }
};

class DeviceChunksTest : public ::testing::Test {
 protected:
  DeviceChunksTest() { posing::device() = {}; }

  std::vector<int32_t> open(const Machine& machine, const Plaintext& to, const Bytes& sealed,
                            bool from_memory) {
    std::vector<int32_t> statuses(kChunks, 77);
    SealedSource source{from_memory ? sealed.data() : nullptr};
    source.parallel = true;
    source.read = [&](uint64_t at, uint8_t* into, uint64_t bytes) {
      std::this_thread::sleep_for(read_takes_);
      std::memcpy(into, sealed.data() + at, bytes);
    };
    open_chunks_on_device(machine.key, to.chunks, source, statuses);
    return statuses;
  }

  std::chrono::milliseconds read_takes_{0};
  const Bytes sealed_ = sealed_by_cpu();
  const std::vector<int32_t> right_ = std::vector<int32_t>(kChunks, WARPAES_OK);
};

TEST_F(DeviceChunksTest, AreTheCpusAtEveryPaceOfTheDevice) {
  for (uint32_t variant = 0; variant < 12; variant++) {
    SCOPED_TRACE(variant);
    posing::device() = {.pace = static_cast<posing::Pace>(variant % 3),
                        .seed = variant + 1,
                        .host_memory_is_pinned = variant / 3 % 2 == 0};
    {
      const Machine machine(variant / 6 == 0 ? "auto" : "cuda");
      {
        const Plaintext opened;
        EXPECT_EQ(open(machine, opened, sealed_, variant % 2 == 0), right_);
        EXPECT_TRUE(opened.bytes() == kPlaintext);
        const OutputChecker checker(WARPAES_CONTAINER_CHECK_FULL, machine.context.device_engine(),
                                    WARPAES_TIMING_LEAKY, {.key = kRawKey}, kSalt);
        for (const OutputChecker* const each : {&checker, static_cast<const OutputChecker*>(nullptr)}) {
          Bytes sealed(kSealedBytes, 0x55);
          seal_chunks_on_device(machine.key, opened.chunks, sealed.data(), each);
          EXPECT_TRUE(sealed == sealed_);
        }
        EXPECT_EQ(checker.checked_chunks(), kChunks);
        EXPECT_TRUE(opened.bytes() == kPlaintext) << "which is only read";
      }
      EXPECT_EQ(posing::dirty_bytes(), 0u);
    }
    EXPECT_EQ(posing::device().dirty_bytes_freed, 0u);
    EXPECT_EQ(posing::device().dirty_bytes_unpinned, 0u);
  }
}

TEST_F(DeviceChunksTest, WrongOnesAreZeroAndTheOthersAreOpened) {
  const Machine machine("cuda");
  for (uint64_t wrong = 0; wrong < kChunks; wrong++) {
    Bytes damaged = sealed_, expected = kPlaintext;
    damaged[wrong * kSealedChunkBytes + 3] ^= 1;
    std::memset(expected.data() + wrong * kChunkBytes, 0, kChunkBytes);
    std::vector<int32_t> statuses = right_;
    statuses[wrong] = WARPAES_ERROR_AUTHENTICATION;
    const Plaintext opened;
    EXPECT_EQ(open(machine, opened, damaged, true), statuses);
    EXPECT_TRUE(opened.bytes() == expected);
    std::vector<int32_t> checked(kChunks, 77);
    check_chunks(machine.key, {kFirst, damaged.data(), kSealedBytes, nullptr, false}, checked);
    EXPECT_EQ(checked, statuses);
  }
}

/// A device that computes wrongly, as far as the check can see: it has another key.
TEST_F(DeviceChunksTest, ThatAreSealedWronglyAreFound) {
  const Machine machine("cuda");
  const Plaintext plaintext;
  const Bytes other = random_bytes(32, 9);
  for (const warpaes_container_check extent :
       {WARPAES_CONTAINER_CHECK_SAMPLE, WARPAES_CONTAINER_CHECK_FULL}) {
    const OutputChecker checker(extent, machine.context.device_engine(), WARPAES_TIMING_LEAKY, {.key = other},
                                kSalt);
    Bytes sealed(kSealedBytes);
    EXPECT_THROW(seal_chunks_on_device(machine.key, plaintext.chunks, sealed.data(), &checker), Failure);
  }
  EXPECT_EQ(posing::dirty_bytes(), 0u);
}

/// A failure is thrown, or nothing has failed; a source's as well as the device's.
TEST_F(DeviceChunksTest, ThrowWhateverFails) {
  for (const bool pinned : {false, true}) {
    for (const bool opens : {false, true}) {
      int thrown = 0;
      for (int at = 0;; at++) {
        SCOPED_TRACE(at);
        posing::device() = {.failure_is_fatal = at % 2 == 1, .host_memory_is_pinned = pinned};
        const Machine machine("cuda");
        const Plaintext memory;
        std::memcpy(memory.memory.data(), kPlaintext.data(), opens ? 0 : kPlainBytes);
        posing::device().calls_until_failure = at;
        Bytes sealed(kSealedBytes);
        try {
          if (opens) {
            EXPECT_EQ(open(machine, memory, sealed_, true), right_);
            EXPECT_TRUE(memory.bytes() == kPlaintext);
          } else {
            seal_chunks_on_device(machine.key, memory.chunks, sealed.data(), nullptr);
            EXPECT_TRUE(sealed == sealed_);
          }
        } catch (const Failure&) {
          thrown++;
        }
        if (posing::device().calls_until_failure >= 0) break;
      }
      EXPECT_GT(thrown, 20);
    }
  }
  posing::device() = {};
  const Machine machine("cuda");
  const Plaintext memory;
  std::vector<int32_t> statuses(kChunks);
  for (const uint64_t fails_at : {uint64_t{0}, 4 * kSealedChunkBytes, kSealedBytes - 1}) {
    const SealedSource source{nullptr, [&](uint64_t at, uint8_t*, uint64_t bytes) {
                                if (at <= fails_at && fails_at < at + bytes) {
                                  throw Failure(WARPAES_ERROR_SOURCE, "as the test has it");
                                }
                              }};
    EXPECT_THROW(open_chunks_on_device(machine.key, memory.chunks, source, statuses), Failure);
  }
}

TEST_F(DeviceChunksTest, SayThatMemoryIsShort) {
  const Machine machine("cuda");
  const Plaintext memory;
  posing::device().memory_limit = kPlainBytes + (size_t{3} << 19);  // room for one pipeline of 1 MiB
  EXPECT_EQ(open(machine, memory, sealed_, true), right_);
  EXPECT_TRUE(memory.bytes() == kPlaintext);
  const auto without_idle_transfers = [&] {
    machine.context.state().transfers.front() = std::make_unique<TransferPool>(0);
  };
  without_idle_transfers();
  posing::device().memory_limit = SIZE_MAX;
  posing::device().pinned_limit = size_t{3} << 19;
  read_takes_ = std::chrono::milliseconds(20);  // so that the second one begins before the first has done all
  EXPECT_EQ(open(machine, memory, sealed_, false), right_) << "there was pinned memory for one pipeline";
  without_idle_transfers();
  posing::device().pinned_limit = kChunkBytes;
  try {
    open(machine, memory, sealed_, true);
    ADD_FAILURE() << "it had room";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_HOST_MEMORY);
  }
  without_idle_transfers();
  posing::device().memory_limit = kPlainBytes + kChunkBytes;  // no room for a piece of one chunk
  try {
    open(machine, memory, sealed_, true);
    ADD_FAILURE() << "it had room";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_DEVICE_MEMORY);
  }
}

}  // namespace
}  // namespace warpaes::core
