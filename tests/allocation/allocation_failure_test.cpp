// Every allocation of host memory fails once: each time the call says HOST_MEMORY (or does without), nothing
// leaks, and the next call is as if nothing had been.
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"
#include "failing_memory.hpp"

namespace warpaes::testing {
namespace {

const Bytes kKey(32, 7);

/// Creates and destroys; one call as far as failures go.
warpaes_status context_comes_and_goes(const char* engine) {
  const warpaes_context_options wanted = options(engine, 2);
  warpaes_context* context = nullptr;
  const warpaes_status status = warpaes_context_create(&wanted, &context);
  EXPECT_EQ(status == WARPAES_OK, context != nullptr);
  warpaes_context_destroy(context);
  return status;
}

struct Tally {
  int failures = 0, done_without = 0;
};

/// Lets allocation 0, 1, 2… fail, until the call makes fewer than that.
Tally fail_each(const std::function<warpaes_status()>& call) {
  EXPECT_EQ(call(), WARPAES_OK) << warpaes_last_error();  // what is set up once, is
  static_cast<void>(warpaes_last_error());                // so is the thread's message
  Tally tally;
  for (int64_t n = 0;; n++) {
    const int64_t before = FailingMemory::living();
    FailingMemory::fail_at(n);
    const warpaes_status status = call();
    const bool failed = FailingMemory::stop();
    if (!failed) {
      EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
      return tally;
    }
    if (status == WARPAES_OK) {
      tally.done_without++;
    } else {
      tally.failures++;
      EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << "allocation " << n << ": " << warpaes_last_error();
      EXPECT_LE(FailingMemory::living(), before) << "allocation " << n << " leaks";
      EXPECT_EQ(call(), WARPAES_OK) << "after allocation " << n << " failed: " << warpaes_last_error();
    }
  }
}

/// Run in a child, in which no engine has been checked yet. @return what was wrong, 0 if nothing
int first_context_fails_at(int64_t n, bool* failed) {
  FailingMemory::fail_at(n);
  const warpaes_status status = context_comes_and_goes("auto");
  *failed = FailingMemory::stop();
  if (status != WARPAES_OK && (status != WARPAES_ERROR_HOST_MEMORY || !*failed)) return 1;
  if (context_comes_and_goes("openssl") != WARPAES_OK) return 2;  // not taken out for a lack of memory
  return 0;
}

/// Comes first in this file: after a GPU was used, children would be refused.
TEST(AllocationFailure, TheFirstContextOfAProcess) {
  int64_t n = 0, failures = 0;
  for (bool failed = true; failed; n = n < 40 ? n + 1 : n + n / 7) {
    int report[2];
    ASSERT_EQ(pipe(report), 0);
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(60);
      const int wrong = first_context_fails_at(n, &failed);
      const char answer = failed ? 'f' : '-';
      _exit(write(report[1], &answer, 1) == 1 ? wrong : 3);
    }
    close(report[1]);
    char answer = '?';
    ASSERT_EQ(read(report[0], &answer, 1), 1) << "allocation " << n << ": the child died";
    close(report[0]);
    int result = 0;
    ASSERT_EQ(waitpid(child, &result, 0), child);
    EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << "allocation " << n << ": " << result;
    failed = answer == 'f';
    failures += failed;
  }
  EXPECT_GT(failures, 50) << "a self-test allocates more than that";
}

TEST(AllocationFailure, Contexts) {
  for (const char* engine : {"auto", "openssl", "portable"}) {
    SCOPED_TRACE(engine);
    EXPECT_GE(fail_each([engine] { return context_comes_and_goes(engine); }).failures, 3);
  }
}

TEST(AllocationFailure, Keys) {
  for (const std::string& engine : usable_engines()) {
    SCOPED_TRACE(engine);
    const TestContext context(engine.c_str());
    const auto key_comes_and_goes = [&context] {
      warpaes_key* key = nullptr;
      const warpaes_status status = warpaes_key_create(context.get(), kKey.data(), kKey.size(), &key);
      EXPECT_EQ(status == WARPAES_OK, key != nullptr);
      warpaes_key_destroy(key);
      return status;
    };
    EXPECT_GE(fail_each(key_comes_and_goes).failures, 2);
  }
}

/// With a new key each time: cipher contexts and threads are made in its first call.
TEST(AllocationFailure, HostCalls) {
  const Bytes input(600'000, 1), counter(16, 2), nonce(12, 3);
  const Bytes counted = reference::ctr(kKey, counter, input), blocks = reference::ecb(kKey, true, input);
  const reference::Sealed sealed = reference::gcm(kKey, nonce, {}, input, 16);
  for (const std::string& engine : usable_engines()) {
    SCOPED_TRACE(engine);
    Bytes output(input.size()), tag(16);
    using HostCall = std::function<warpaes_status(const warpaes_key*)>;
    const HostCall calls[] = {
        [&](const warpaes_key* key) {
          const warpaes_status status =
              warpaes_ctr_crypt(key, counter.data(), input.data(), output.data(), input.size());
          EXPECT_TRUE(status != WARPAES_OK || output == counted);
          return status;
        },
        [&](const warpaes_key* key) {
          const warpaes_status status = warpaes_ecb_encrypt(key, input.data(), output.data(), input.size());
          EXPECT_TRUE(status != WARPAES_OK || output == blocks);
          return status;
        },
        [&](const warpaes_key* key) {
          const warpaes_status status =
              warpaes_aead_encrypt(key, WARPAES_AEAD_GCM, nonce.data(), nonce.size(), nullptr, 0,
                                   input.data(), output.data(), input.size(), tag.data(), tag.size());
          EXPECT_TRUE(status != WARPAES_OK || (output == sealed.ciphertext && tag == sealed.tag));
          return status;
        }};
    for (const HostCall& call : calls) {
      const TestContext context(engine.c_str(), 2);
      {
        const TestKey key(context, kKey);
        if (call(key.get()) == WARPAES_ERROR_UNSUPPORTED) continue;  // an engine that has not all modes
      }
      fail_each([&] {
        warpaes_key* key = nullptr;
        warpaes_status status = warpaes_key_create(context.get(), kKey.data(), kKey.size(), &key);
        if (status == WARPAES_OK) status = call(key);
        warpaes_key_destroy(key);
        return status;
      });
    }
  }
}

/// The proof that a leak would be seen, and a failure happen.
TEST(AllocationFailure, IsCountedRight) {
  const int64_t before = FailingMemory::living();
  void* const kept = ::operator new(1);  // as a function, which no compiler leaves out
  EXPECT_EQ(FailingMemory::living(), before + 1);
  ::operator delete(kept);
  EXPECT_EQ(FailingMemory::living(), before);
  FailingMemory::fail_at(1);
  ::operator delete(::operator new(1));
  EXPECT_THROW(::operator delete(::operator new(1)), std::bad_alloc);
  ::operator delete(::operator new(1));
  EXPECT_TRUE(FailingMemory::stop());
}

}  // namespace
}  // namespace warpaes::testing
