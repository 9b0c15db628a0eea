// Forks while other threads use a key. Whatever the parent's threads were doing at that moment, children must
// be able to go on with the key and to destroy it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <new>
#include <optional>
#include <ostream>
#include <thread>

#include "pipeline/context.hpp"
#include "process/made_once.hpp"
#include "warpaes/context.h"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr unsigned kWorkers = 6;

Bytes counted(const Key& key, size_t bytes) {
  const uint8_t counter[16] = {1};
  Bytes data(bytes, 0x33);
  ctr_host(key, {counter, data.data(), data.data(), bytes});
  return data;
}

Bytes sealed(const Key& key, size_t bytes) {
  const uint8_t nonce[12] = {2};
  Bytes data(bytes + 16, 0x44);
  Batch message{};
  message.direction = WARPAES_DIRECTION_ENCRYPT;
  message.messages = 1;
  message.bytes = bytes;
  message.input = message.output = data.data();
  message.host_nonce = nonce;
  message.host_nonce_bytes = sizeof nonce;
  message.tags = data.data() + bytes;
  message.tag_bytes = 16;
  batch_host(key, message);
  return data;
}

/// Calls of all lengths: short ones take and release locks the most often, long ones are shared by threads.
struct Calls {
  Bytes short_text, long_text, message;
  explicit Calls(const Key& key)
      : short_text(counted(key, 16)), long_text(counted(key, 300'000)), message(sealed(key, 100)) {}
  bool operator==(const Calls&) const = default;
};

/// What a child does in all its life: 0 if all came out right.
[[noreturn]] void be_child(std::optional<Context>& context, std::optional<Key>& key, const Calls& expected) {
  alarm(30);  // ends a child that waits for ever
  bool right = Calls(*key) == expected;
  const Key another(*context, Bytes(16, 5));  // keys can be made as well
  right = right && counted(another, 300'000) != expected.long_text;
  key.reset();
  _exit(right ? 0 : 1);
}

/// Forks one child after the other, until one fails. @param be_child does not return; 0 is success
template <class BeChild>
bool children_finish(int forks, const BeChild& be_child) {
  for (int i = 0; i < forks; i++) {
    const pid_t child = fork();
    if (child == 0) be_child();
    int result = 0;
    if (child == -1 || waitpid(child, &result, 0) != child || result != 0) return false;
  }
  return true;
}

/// The portable engine takes no lock in a call, and 300,000 bytes take it milliseconds.
struct Subject {
  const char* engine;
  int forks;
  // GoogleTest looks for this name.
  // NOLINTNEXTLINE(readability-identifier-naming)
  friend void PrintTo(const Subject& subject, std::ostream* to) { *to << subject.engine; }
};

class Fork : public ::testing::TestWithParam<Subject> {};

TEST_P(Fork, ChildrenOfABusyProcessFinish) {
  std::optional<Context> context(std::in_place, ContextOptions{.engine = GetParam().engine, .threads = 3});
  std::optional<Key> key(std::in_place, *context, Bytes(32, 9));
  const Calls expected(*key);
  std::atomic<bool> ending = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < kWorkers; i++) {
    workers.emplace_back([&, i] {
      while (!ending) {
        if (i == 0) {
          wrong += Calls(*key) == expected ? 0 : 1;
        } else {
          wrong += sealed(*key, 100) == expected.message ? 0 : 1;
        }
      }
    });
  }
  const bool finished = children_finish(GetParam().forks, [&] { be_child(context, key, expected); });
  ending = true;
  for (std::thread& worker : workers) worker.join();
  EXPECT_TRUE(finished);
  EXPECT_EQ(wrong, 0);
}

/// The context's threads wait for work in the parent, and are nobody in the child, which destroys the
/// context.
TEST_P(Fork, AChildDestroysAContextWhoseThreadsItDoesNotHave) {
  std::optional<Context> context(std::in_place, ContextOptions{.engine = GetParam().engine, .threads = 3});
  std::optional<Key> key(std::in_place, *context, Bytes(32, 9));
  const Calls expected(*key);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const bool right = Calls(*key) == expected;
    key.reset();
    context.reset();
    Context fresh({.engine = GetParam().engine, .threads = 2});  // which has threads of its own
    const Calls again(Key(fresh, Bytes(32, 9)));
    _exit(right && again == expected ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_TRUE(Calls(*key) == expected);
}

/// A fork waits for what is made once, so that the child has it and no lock that was taken on the way.
TEST(MadeOnce, AForkMeanwhileLeavesItUsable) {
  static constinit MadeOnce<int> value;
  std::atomic<bool> begun = false;
  std::thread first([&] {
    value.get([&] {
      begun = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      return 1;
    });
  });
  while (!begun) std::this_thread::yield();
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    _exit(value.get([] { return 2; }) == 1 ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  first.join();
}

TEST(MadeOnce, WhatFailsIsTriedAgain) {
  static constinit MadeOnce<int> value;
  EXPECT_THROW(value.get([]() -> int { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_EQ(value.get([] { return 3; }), 3);
  EXPECT_EQ(value.get([] { return 4; }), 3);
}

warpaes_status host_memory_comes_and_goes(const warpaes_context* context) {
  void* memory = nullptr;
  const warpaes_status status = warpaes_host_alloc(context, 64, &memory);
  return status == WARPAES_OK ? warpaes_host_free(context, memory) : status;
}

/// The context keeps a list of it, which the parent's threads change all the time.
TEST(ForkOfHostMemory, ChildrenOfABusyProcessHaveSome) {
  warpaes_context_options options = {};
  options.size = sizeof options;
  options.engine = "openssl";
  warpaes_context* context = nullptr;
  ASSERT_EQ(warpaes_context_create(&options, &context), WARPAES_OK);
  std::atomic<bool> ending = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < kWorkers; i++) {
    workers.emplace_back([&] {
      while (!ending) wrong += host_memory_comes_and_goes(context) == WARPAES_OK ? 0 : 1;
    });
  }
  const bool finished = children_finish(200, [context] {
    alarm(30);
    _exit(host_memory_comes_and_goes(context) == WARPAES_OK ? 0 : 1);
  });
  ending = true;
  for (std::thread& worker : workers) worker.join();
  EXPECT_TRUE(finished);
  EXPECT_EQ(wrong, 0);
  warpaes_context_destroy(context);
}

INSTANTIATE_TEST_SUITE_P(Engines, Fork,
                         ::testing::Values(Subject{"openssl", 200}, Subject{"portable/t_tables", 30}),
                         [](const auto& test) {
                           const std::string engine = test.param.engine;
                           return engine.substr(0, engine.find('/'));
                         });

}  // namespace
}  // namespace warpaes::core::testing
