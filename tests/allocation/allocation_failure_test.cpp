// Lets every allocation of host memory fail once. Each time the call must return HOST_MEMORY or do without
// that memory, nothing may leak, and the next call must work as if nothing had happened.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "../c_api/container_for_tests.hpp"
#include "batch_image.hpp"
#include "failing_memory.hpp"

namespace warpaes::core::testing {
namespace {

/// Does what the library allocates come from FailingMemory? It needs memory for a sentence about an error.
bool library_allocates_here() {
  FailingMemory::fail_at(0);
  EXPECT_NE(warpaes_context_create(nullptr, nullptr), WARPAES_OK);
  return FailingMemory::stop();
}

class AllocationFailure : public ::testing::Test {
 protected:
  void SetUp() override {
    const bool can_fail = library_allocates_here();
#if defined(__SANITIZE_ADDRESS__)
    ASSERT_TRUE(can_fail);
#endif
    if (!can_fail) GTEST_SKIP() << "the library has the C++ library, and with it operator new, inside";
  }
};

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
TEST_F(AllocationFailure, TheFirstContextOfAProcess) {
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

TEST_F(AllocationFailure, Contexts) {
  for (const char* engine : {"auto", "openssl", "portable"}) {
    SCOPED_TRACE(engine);
    EXPECT_GE(fail_each([engine] { return context_comes_and_goes(engine); }).failures, 3);
  }
}

TEST_F(AllocationFailure, Keys) {
  for (const std::string& engine : usable_engines()) {
    SCOPED_TRACE(engine);
    const TestContext context(engine.c_str());
    for (const ListedMode& mode : all_modes()) {
      SCOPED_TRACE(mode.info.name);
      const Bytes key = key_from(1, mode);
      if (TestCipher(context, mode.mode, key).status() != WARPAES_OK) continue;  // not of this engine
      const auto key_comes_and_goes = [&] {
        warpaes_cipher* cipher = nullptr;
        const warpaes_status status =
            warpaes_cipher_create(context.get(), mode.mode, key.data(), key.size(), &cipher);
        EXPECT_EQ(status == WARPAES_OK, cipher != nullptr);
        warpaes_cipher_destroy(cipher);
        return status;
      };
      EXPECT_GE(fail_each(key_comes_and_goes).failures, 2);
    }
  }
}

/// With a new key each time: what an engine makes for a key, and threads, are made in its first call.
template <class Call>
void fail_each_with_a_new_key(const TestContext& context, const ModeMessage& message, const Bytes& key,
                              const Call& call) {
  const warpaes_mode mode = message.row->mode;
  {
    const TestCipher cipher(context, mode, key);
    // An engine that lacks the mode says so here or when it is called.
    if (cipher.status() != WARPAES_OK || call(cipher.get()) == WARPAES_ERROR_UNSUPPORTED) return;
  }
  fail_each([&] {
    warpaes_cipher* cipher = nullptr;
    warpaes_status status =
        warpaes_cipher_create(context.get(), mode, key.empty() ? nullptr : key.data(), key.size(), &cipher);
    if (status == WARPAES_OK) status = call(cipher);
    warpaes_cipher_destroy(cipher);
    return status;
  });
}

/// Long enough to be shared between threads, or too short for that.
TEST_F(AllocationFailure, HostCalls) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    for (const ListedMode& mode : all_modes()) {
      const bool is_long =
          mode.mode == WARPAES_MODE_CTR || mode.mode == WARPAES_MODE_ECB || mode.mode == WARPAES_MODE_GCM;
      const ModeMessage message = message_of(mode, {.length = is_long ? 600'000u : 1'000u});
      for (const warpaes_direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
        SCOPED_TRACE(engine + ", " + mode.info.name + ", direction " + std::to_string(direction));
        const MessageImage image(message, direction, {});
        const auto run = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
        // What the test itself needs is allocated before anything fails.
        Bytes memory(image.before().size());
        const Bytes after = image.after();
        const MessageCall arguments = image.arguments(memory.data());
        fail_each_with_a_new_key(context, message, message.key, [&](const warpaes_cipher* cipher) {
          std::copy(image.before().begin(), image.before().end(), memory.begin());
          const warpaes_status status = run(cipher, &arguments.message);
          EXPECT_TRUE(status != WARPAES_OK || memory == after);
          return status;
        });
      }
    }
  }
}

/// Under one key, and with a key for each message.
TEST_F(AllocationFailure, HostBatches) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    for (const ListedMode& mode : all_modes()) {
      for (const bool key_each : {false, true}) {
        SCOPED_TRACE(engine + ", " + mode.info.name + (key_each ? ", a key each" : ""));
        const BatchShape shape = {Layout::kPointers, false, key_each};
        const std::vector<ModeMessage> messages = messages_for(mode, shape, 9, {.length = 70});
        BatchImage image(messages, WARPAES_DIRECTION_DECRYPT, shape);
        Bytes memory(image.size());
        const warpaes_batch batch = image.place_at(memory.data());
        const Bytes after = image.after();
        const Bytes key = key_each ? Bytes() : messages.front().key;
        fail_each_with_a_new_key(context, messages.front(), key, [&](const warpaes_cipher* cipher) {
          std::copy(image.before().begin(), image.before().end(), memory.begin());
          const warpaes_status status = warpaes_decrypt_batch(cipher, &batch);
          EXPECT_TRUE(status != WARPAES_OK || memory == after);
          return status;
        });
      }
    }
  }
}

TEST_F(AllocationFailure, ReadsOfAContainer) {
  const TestContext context("openssl", 2);
  const Made made = make(context, 5 * kChunk, 1);
  ContainerHandle container;
  ASSERT_EQ(warpaes_container_open(context.get(), made.key.data(), 32, nullptr, made.container.data(),
                                   &container.handle),
            WARPAES_OK);
  auto source = sized<warpaes_container_source>();
  source.length = made.container.size();
  source.user = const_cast<uint8_t*>(made.container.data());
  source.read = [](void* user, uint64_t offset, void* into, uint64_t length) {
    std::copy_n(static_cast<const uint8_t*>(user) + offset, length, static_cast<uint8_t*>(into));
    return int32_t{0};
  };
  Bytes into(4 * kChunk);
  const Bytes zeros(into.size()), expected = slice(made.plaintext, 100, into.size());
  fail_each([&] {
    std::fill(into.begin(), into.end(), kUntouched);
    const warpaes_status status =
        warpaes_container_read(container.handle, &source, 100, into.data(), into.size(), nullptr);
    EXPECT_TRUE(into == (status == WARPAES_OK ? expected : zeros));
    return status;
  });
}

/// The status BATCH has a sentence, which takes memory when all messages have been done.
TEST_F(AllocationFailure, ABatchWithAWrongMessageIsToldOrNothingIsDone) {
  const TestContext context("openssl", 1);
  const TestCipher cipher(context, WARPAES_MODE_GCM, Bytes(32, 9));
  Bytes text(80, 1), tags(32, 2);
  const Bytes nonces = counting(24);
  auto batch = sized<warpaes_batch>();
  batch.count = 2;
  batch.length = 40;
  batch.input = {text.data(), 40, nullptr};
  batch.nonces = {nonces.data(), 12, nullptr};
  batch.tags = {tags.data(), 16, nullptr};
  Bytes sealed(text.size());
  batch.output = {sealed.data(), 40, nullptr};
  ASSERT_EQ(warpaes_encrypt_batch(cipher.get(), &batch), WARPAES_OK);
  tags[16] ^= 1;
  batch.input = {sealed.data(), 40, nullptr};
  for (int64_t n = 0, failed = 1; failed != 0; n++) {
    Bytes opened(text.size(), kUntouched);
    std::vector<int32_t> statuses(2, -1);
    batch.output = {opened.data(), 40, nullptr};
    batch.statuses = statuses.data();
    FailingMemory::fail_at(n);
    const warpaes_status status = warpaes_decrypt_batch(cipher.get(), &batch);
    failed = FailingMemory::stop() ? 1 : 0;
    if (status == WARPAES_ERROR_BATCH) continue;
    EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << warpaes_last_error();
    EXPECT_EQ(std::count(statuses.begin(), statuses.end(), WARPAES_OK), 0) << "allocation " << n;
    EXPECT_TRUE(opened == Bytes(opened.size()) || opened == Bytes(opened.size(), kUntouched))
        << "allocation " << n;
  }
}

/// The proof that a leak would be seen, and a failure happen.
TEST(AllocationCount, IsRight) {
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
}  // namespace warpaes::core::testing
