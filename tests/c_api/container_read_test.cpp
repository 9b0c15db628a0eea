// Any range of a container in the C interface and its C++ wrapper: what is read for it, and what is never
// given.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "container_for_tests.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::core::testing {
namespace {

/// Memory as a source, which counts and can fail.
struct CountedSource {
  explicit CountedSource(const Bytes& from) : bytes(from) {
    plain.length = bytes.size();
    plain.user = this;
    plain.read = [](void* user, uint64_t offset, void* into, uint64_t length) -> int32_t {
      auto& self = *static_cast<CountedSource*>(user);
      if (self.fails || offset > self.bytes.size() || length > self.bytes.size() - offset) return 5;
      std::memcpy(into, self.bytes.data() + offset, length);
      self.read += length;
      return 0;
    };
  }
  const Bytes& bytes;
  bool fails = false;
  uint64_t read = 0;
  warpaes_container_source plain = sized<warpaes_container_source>();
};

class ContainerRead : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(warpaes_container_open(context_.get(), made_.key.data(), made_.key.size(), nullptr,
                                     made_.container.data(), &container_.handle),
              WARPAES_OK);
  }
  warpaes_status read(CountedSource& source, uint64_t offset, uint64_t length) {
    into_.assign(length, kUntouched);
    got_ = 77;
    return warpaes_container_read(container_.handle, &source.plain, offset, into_.data(), length, &got_);
  }

  TestContext context_{"openssl", 2};
  Made made_ = make(context_, 60 * kChunk + 100, 100);
  ContainerHandle container_;
  Bytes into_;
  uint64_t got_ = 0;
};

TEST_F(ContainerRead, ReadsAnyRangeAndNoMoreThanItsChunks) {
  CountedSource source(made_.container);
  const uint64_t end = made_.plaintext.size();
  for (const uint64_t offset : {uint64_t{0}, uint64_t{1}, kChunk - 1, kChunk, 3 * kChunk + 5, end - 101,
                                end - 100, end - 1, end, end + 1, UINT64_MAX}) {
    for (const uint64_t length : {uint64_t{0}, uint64_t{1}, uint64_t{100}, kChunk, 2 * kChunk + 7, end}) {
      source.read = 0;
      ASSERT_EQ(read(source, offset, length), WARPAES_OK) << warpaes_last_error();
      const uint64_t expected = offset >= end ? 0 : std::min(length, end - offset);
      ASSERT_EQ(got_, expected) << offset << ", " << length;
      EXPECT_EQ(slice(into_, 0, expected), slice(made_.plaintext, std::min(offset, end), expected));
      // From the end on that is the last chunk, which proves it.
      const uint64_t chunks =
          expected == 0 ? offset >= end : (offset + expected - 1) / kChunk - offset / kChunk + 1;
      EXPECT_LE(source.read, chunks * kSealed) << offset << ", " << length;
    }
  }
}

TEST_F(ContainerRead, TellsNothingInThePlaintext) {
  CountedSource source(made_.container);
  Bytes into(64, kUntouched);
  auto* const got = reinterpret_cast<uint64_t*>(into.data() + 56);
  EXPECT_EQ(warpaes_container_read(container_.handle, &source.plain, 0, into.data(), 64, got),
            WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(warpaes_container_read(nullptr, &source.plain, 0, into.data(), 64, got), WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(into, Bytes(into.size(), kUntouched));
  EXPECT_EQ(warpaes_container_read(nullptr, &source.plain, 0, into.data(), 56, got),
            WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(*got, 0u);
  EXPECT_EQ(warpaes_container_read(container_.handle, &source.plain, 0, into.data(), 56, got), WARPAES_OK);
  EXPECT_EQ(*got, 56u);
}

TEST_F(ContainerRead, GivesNothingThatIsNotGenuine) {
  Bytes damaged = made_.container;
  damaged[kHeader + 40 * kSealed + 9] ^= 1;
  CountedSource source(damaged);
  EXPECT_EQ(read(source, 39 * kChunk, kChunk), WARPAES_OK);
  EXPECT_EQ(read(source, 30 * kChunk + 1, 15 * kChunk), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(got_, 0u);
  EXPECT_EQ(into_, Bytes(into_.size(), 0)) << "also what was right before the wrong chunk";
  source.fails = true;
  EXPECT_EQ(read(source, 0, 10), WARPAES_ERROR_SOURCE);
  EXPECT_EQ(into_, Bytes(10, 0));
  const Bytes cut = slice(made_.container, 0, kHeader + 2 * kSealed);
  CountedSource of_cut(cut);
  EXPECT_EQ(read(of_cut, 0, 10), WARPAES_ERROR_TRUNCATED);
}

TEST_F(ContainerRead, ASourceThatThrowsHasNotRead) {
  CountedSource source(made_.container);
  source.plain.read = [](void*, uint64_t, void*, uint64_t) -> int32_t { throw std::bad_alloc(); };
  EXPECT_EQ(read(source, 0, 10), WARPAES_ERROR_SOURCE);
  EXPECT_EQ(into_, Bytes(10, 0));
}

/// Whoever cuts a container behind a chunk and appends a tag's worth of bytes has made a possible length.
TEST_F(ContainerRead, FindsAnEndThatWasMadeUp) {
  for (const uint64_t kept : {uint64_t{0}, uint64_t{1}, uint64_t{2}}) {
    Bytes made_up = slice(made_.container, 0, kHeader + kept * kSealed);
    made_up.insert(made_up.end(), 16, uint8_t{7});
    CountedSource source(made_up);
    for (const uint64_t offset : {uint64_t{0}, kept * kChunk / 2, kept * kChunk, kept * kChunk + 1}) {
      EXPECT_EQ(read(source, offset, kept * kChunk), WARPAES_ERROR_AUTHENTICATION) << kept << ", " << offset;
      const uint64_t readable = kept * kChunk - std::min(offset, kept * kChunk);
      EXPECT_EQ(slice(into_, 0, readable), Bytes(readable, 0));
    }
    if (kept != 0) {
      EXPECT_EQ(read(source, 0, kept * kChunk - 1), WARPAES_OK) << "not up to the end";
    }
  }
}

/// A source that forks once, in the thread that called or in another one. Others wait for it.
struct ForkingSource {
  ForkingSource(const Bytes& from, bool in_another) : bytes(from), in_another_thread(in_another) {
    plain.length = bytes.size();
    plain.user = this;
    plain.parallel = 1;
    plain.read = [](void* user, uint64_t offset, void* into, uint64_t length) -> int32_t {
      auto& self = *static_cast<ForkingSource*>(user);
      const bool is_another = std::this_thread::get_id() != self.caller;
      if (is_another == self.in_another_thread && self.child == -1) {
        self.child = fork();
      } else {
        while (self.child == -1) std::this_thread::yield();
      }
      std::memcpy(into, self.bytes.data() + offset, length);
      return 0;
    };
  }
  /// Its status, or -1 if it has not ended in time.
  int end_of_child() const {
    for (int i = 0; i < 1000; i++) {
      int result = 0;
      if (waitpid(child, &result, WNOHANG) == child) return result;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return -1;
  }
  const Bytes& bytes;
  const bool in_another_thread;
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<pid_t> child = -1;
  warpaes_container_source plain = sized<warpaes_container_source>();
};

TEST_F(ContainerRead, InTheChildOfAForkByTheSourceTheCallFails) {
  ForkingSource source(made_.container, /*in_another=*/false);
  into_.assign(made_.plaintext.size(), kUntouched);
  const warpaes_status status =
      warpaes_container_read(container_.handle, &source.plain, 0, into_.data(), into_.size(), &got_);
  if (source.child == 0) {
    _exit(status == WARPAES_ERROR_FORKED && got_ == 0 && into_ == Bytes(into_.size(), 0) ? 0 : 1);
  }
  EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(into_, made_.plaintext);
  EXPECT_EQ(source.end_of_child(), 0);
}

/// The child has the library's thread, which has no call to return to.
TEST_F(ContainerRead, AChildOfAForkInAnotherThreadOfTheSourceEnds) {
  ForkingSource source(made_.container, /*in_another=*/true);
  into_.assign(made_.plaintext.size(), kUntouched);
  EXPECT_EQ(warpaes_container_read(container_.handle, &source.plain, 0, into_.data(), into_.size(), &got_),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(into_, made_.plaintext);
  const int result = source.end_of_child();
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == EXIT_FAILURE) << result;
}

TEST_F(ContainerRead, BringsWhatTheSourceThrowsThroughTheCInterface) {
  const Context context({.engine = "openssl"});
  ContainerHeader header;
  std::copy_n(made_.container.begin(), header.size(), header.begin());
  const std::optional<Container> container = Container::open(context, made_.key, header);
  ASSERT_TRUE(container.has_value());
  Bytes into(10);
  const auto throws = [](uint64_t, Output) { throw std::runtime_error("the disk is gone"); };
  EXPECT_THROW(container->read(made_.container.size(), throws, 0, into), std::runtime_error);
  const auto reads = [&](uint64_t offset, Output to) {
    std::memcpy(to.data(), made_.container.data() + offset, to.size());
  };
  EXPECT_EQ(container->read(made_.container.size(), reads, 5, into), 10u);
  EXPECT_EQ(into, slice(made_.plaintext, 5, 10));
  header[0] ^= 1;
  EXPECT_FALSE(Container::open(context, made_.key, header).has_value());
}

}  // namespace
}  // namespace warpaes::core::testing
