// Threads that share contexts and ciphers, and a fork while they work. This program is made to be run under
// the thread sanitizer as well.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "handles_for_tests.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kLength = 300'001;

/// Text and, in modes that have one, the tag behind it.
Bytes encrypted(const warpaes_cipher* cipher, warpaes_mode mode, uint8_t first, warpaes_status* status) {
  const Bytes nonce(mode == WARPAES_MODE_GCM ? 12 : 16, first);
  Bytes data(kLength + 16, first);
  auto message = sized<warpaes_message>();
  message.input = message.output = data.data();
  message.length = message.output_capacity = kLength;
  message.nonce = nonce.data();
  message.nonce_length = nonce.size();
  message.tag = mode == WARPAES_MODE_GCM ? data.data() + kLength : nullptr;
  *status = warpaes_encrypt(cipher, &message);
  return data;
}

TEST(Concurrency, EightThreadsShareCiphers) {
  for (const char* engine : {"auto", "openssl"}) {
    const TestContext context(engine, 3);
    const TestCipher gcm(context, WARPAES_MODE_GCM, Bytes(32, 9)),
        ctr(context, WARPAES_MODE_CTR, Bytes(32, 9));
    warpaes_status status = WARPAES_OK;
    const Bytes sealed = encrypted(gcm.get(), WARPAES_MODE_GCM, 1, &status),
                counted = encrypted(ctr.get(), WARPAES_MODE_CTR, 2, &status);
    std::vector<int> wrong(8, 0);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; thread++) {
      threads.emplace_back([&, thread] {
        for (int round = 0; round < 6; round++) {
          warpaes_status mine = WARPAES_ERROR_INTERNAL;
          int& found = wrong[static_cast<size_t>(thread)];
          found += encrypted(gcm.get(), WARPAES_MODE_GCM, 1, &mine) != sealed || mine != WARPAES_OK;
          found += encrypted(ctr.get(), WARPAES_MODE_CTR, 2, &mine) != counted || mine != WARPAES_OK;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(8, 0)) << engine;
  }
}

TEST(Concurrency, ContextsAndCiphersComeAndGoInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> done(4, 0);
  for (size_t thread = 0; thread < done.size(); thread++) {
    threads.emplace_back([&done, thread] {
      for (int round = 0; round < 5; round++) {
        const TestContext context("auto", 2);
        const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16, static_cast<uint8_t>(thread)));
        warpaes_status status = WARPAES_ERROR_INTERNAL;
        encrypted(cipher.get(), WARPAES_MODE_CTR, 3, &status);
        done[thread] += status == WARPAES_OK;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, std::vector<int>(4, 5));
}

/// What a thread is cancelled in.
struct EndlessCalls {
  const warpaes_cipher* cipher;
  const warpaes_message message;
  std::atomic<int> made = 0;

  static void* make(void* calls) {
    auto& self = *static_cast<EndlessCalls*>(calls);
    for (;;) {
      self.made += warpaes_encrypt(self.cipher, &self.message) == WARPAES_OK;
      pthread_testcancel();
    }
  }
};

/// Such a thread waits for the context's threads most of the time. Its calls come to their end, and others'
/// too.
TEST(Concurrency, AThreadThatIsCancelledEndsItsCall) {
  const TestContext context("openssl", 4);
  const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(32, 9));
  Bytes memory(4 << 20);
  const Bytes nonce(16, 2);
  auto message = sized<warpaes_message>();
  message.input = message.output = memory.data();
  message.length = message.output_capacity = memory.size();
  message.nonce = nonce.data();
  message.nonce_length = nonce.size();
  for (int round = 0; round < 30; round++) {
    EndlessCalls calls{cipher.get(), message};
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, nullptr, EndlessCalls::make, &calls), 0);
    while (calls.made <= round % 5) std::this_thread::yield();
    ASSERT_EQ(pthread_cancel(thread), 0);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }
  EXPECT_EQ(warpaes_encrypt(cipher.get(), &message), WARPAES_OK);
}

/// In a child, which waits for the signal as a service does, and must not be ended by it.
TEST(Concurrency, SignalsAreForTheProgramsThreads) {
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const TestContext context("openssl", 3);
    const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(32, 9));
    warpaes_status status = WARPAES_OK;
    encrypted(cipher.get(), WARPAES_MODE_CTR, 2, &status);  // from here on the context has threads
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
    int got = 0;
    kill(getpid(), SIGTERM);
    sigwait(&awaited, &got);
    _exit(got == SIGTERM && status == WARPAES_OK ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
}

/// The child has none of the context's threads, and must do their work itself.
TEST(Concurrency, AForkedChildWorksOnTheCpu) {
  const TestContext context("openssl", 3);
  const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(32, 9));
  warpaes_status status = WARPAES_OK;
  const Bytes expected = encrypted(cipher.get(), WARPAES_MODE_CTR, 2, &status);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const Bytes found = encrypted(cipher.get(), WARPAES_MODE_CTR, 2, &status);
    _exit(found == expected && status == WARPAES_OK ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
}

}  // namespace
}  // namespace warpaes::core::testing
