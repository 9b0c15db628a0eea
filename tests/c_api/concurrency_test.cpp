// Contexts and keys shared between threads, and a fork in the midst of it. Made to be run under the
// thread sanitizer as well.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kBytes = 300'001;

Bytes encrypted(const warpaes_key* key, uint8_t nonce_byte, warpaes_status* status) {
  const Bytes nonce(12, nonce_byte);
  Bytes data(kBytes + 16, nonce_byte);
  *status = warpaes_aead_encrypt(key, WARPAES_AEAD_GCM, nonce.data(), nonce.size(), nullptr, 0, data.data(),
                                 data.data(), kBytes, data.data() + kBytes, 16);
  return data;
}

Bytes counted(const warpaes_key* key, uint8_t first, warpaes_status* status) {
  const Bytes counter(16, first);
  Bytes data(kBytes, first);
  *status = warpaes_ctr_crypt(key, counter.data(), data.data(), data.data(), kBytes);
  return data;
}

TEST(Concurrency, EightThreadsShareAKey) {
  for (const char* engine : {"auto", "openssl"}) {
    const TestContext context(engine, 3);
    const TestKey key(context, Bytes(32, 9));
    warpaes_status status = WARPAES_OK;
    const Bytes sealed = encrypted(key.get(), 1, &status), counter_output = counted(key.get(), 2, &status);
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; thread++) {
      threads.emplace_back([&, thread] {
        for (int round = 0; round < 6; round++) {
          warpaes_status mine = WARPAES_ERROR_INTERNAL;
          wrong[static_cast<size_t>(thread)] +=
              encrypted(key.get(), 1, &mine) != sealed || mine != WARPAES_OK;
          wrong[static_cast<size_t>(thread)] +=
              counted(key.get(), 2, &mine) != counter_output || mine != WARPAES_OK;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0)) << engine;
  }
}

TEST(Concurrency, ContextsAndKeysComeAndGoInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> done(4, 0);
  for (size_t thread = 0; thread < done.size(); thread++) {
    threads.emplace_back([&done, thread] {
      for (int round = 0; round < 5; round++) {
        const TestContext context("auto", 2);
        const TestKey key(context, Bytes(16, static_cast<uint8_t>(thread)));
        warpaes_status status = WARPAES_ERROR_INTERNAL;
        counted(key.get(), 3, &status);
        done[thread] += status == WARPAES_OK;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, std::vector<int>(4, 5));
}

/// The child has none of the context's threads, and must do their work itself.
TEST(Concurrency, AForkedChildWorksOnTheCpu) {
  const TestContext context("openssl", 3);
  const TestKey key(context, Bytes(32, 9));
  warpaes_status status = WARPAES_OK;
  const Bytes expected = counted(key.get(), 2, &status);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    _exit(counted(key.get(), 2, &status) == expected && status == WARPAES_OK ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
}

}  // namespace
}  // namespace warpaes::testing
