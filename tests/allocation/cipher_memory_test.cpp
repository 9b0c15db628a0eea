// Lets every allocation of OpenSSL's fail once in a message's call. It must be told as a lack of memory,
// which passes, and not as a defect, for which an engine's self-test would take the engine out; and no half
// output may stay.
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include "../c_api/container_for_tests.hpp"
#include "failing_openssl.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kLength = 1024;  // OCB3 wants more memory behind 32 blocks

/// A message of one mode, and where its output and its tag go.
struct Call {
  explicit Call(warpaes_mode its_mode) : mode(its_mode) {
    EXPECT_EQ(warpaes_mode_get(mode, &info), WARPAES_OK);
    EXPECT_EQ(warpaes_output_size(mode, WARPAES_DIRECTION_ENCRYPT, kLength, &message.output_capacity),
              WARPAES_OK);
    message.input = input.data();
    message.length = kLength;
    if (message.output_capacity != 0) message.output = output.data();
    if (info.recommended_nonce != 0) message.nonce = input.data();
    message.nonce_length = static_cast<size_t>(info.recommended_nonce);
    if (info.tag_lengths != 0) message.tag = tag.data();
  }
  Bytes key() const { return counting(16 * size_t{info.key_count}); }

  const warpaes_mode mode;
  warpaes_mode_info info = sized<warpaes_mode_info>();
  const Bytes input = counting(kLength);
  Bytes output = Bytes(kLength + 16, kUntouched), tag = Bytes(16, kUntouched);
  warpaes_message message = sized<warpaes_message>();
};

/// A context of OCB3 that lacked memory cannot be freed (engines/openssl/openssl_aead.cpp).
class LeaksOfOcb3 {
 public:
  explicit LeaksOfOcb3(warpaes_mode mode) : allowed_(mode == WARPAES_MODE_OCB3) {
#if defined(__SANITIZE_ADDRESS__)
    if (allowed_) __lsan_disable();
#endif
  }
  ~LeaksOfOcb3() {
#if defined(__SANITIZE_ADDRESS__)
    if (allowed_) __lsan_enable();
#endif
  }
  LeaksOfOcb3(const LeaksOfOcb3&) = delete;
  LeaksOfOcb3& operator=(const LeaksOfOcb3&) = delete;

 private:
  [[maybe_unused]] const bool allowed_;
};

/// @return how often memory was lacking, with a new key each time
int failures_of(const TestContext& context, warpaes_mode mode) {
  for (int64_t n = 0, failures = 0;; n++) {
    Call call(mode);
    const TestCipher cipher(context, mode, call.key());
    FailingOpenSsl::fail_at(n);
    const warpaes_status status = warpaes_encrypt(cipher.get(), &call.message);
    if (!FailingOpenSsl::stop()) {
      EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
      return static_cast<int>(failures);
    }
    if (status == WARPAES_OK) continue;  // it can do without
    failures++;
    EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << "allocation " << n << ": " << warpaes_last_error();
    const Bytes written = slice(call.output, 0, static_cast<size_t>(call.message.output_capacity));
    EXPECT_TRUE(written == Bytes(written.size()) || written == Bytes(written.size(), kUntouched));
    EXPECT_TRUE(call.tag == Bytes(16) || call.tag == Bytes(16, kUntouched));
  }
}

warpaes_status cipher_comes_and_goes(const TestContext& context) {
  const Bytes key(16, 1);
  warpaes_cipher* cipher = nullptr;
  const warpaes_status status =
      warpaes_cipher_create(context.get(), WARPAES_MODE_CBC, key.data(), key.size(), &cipher);
  warpaes_cipher_destroy(cipher);
  return status;
}

/// Run in a child, in which no engine has been checked yet. @return what was wrong, 0 if nothing
int first_cipher_fails_at(int64_t n, bool& failed) {
  const TestContext context("openssl", 1);
  FailingOpenSsl::fail_at(n);
  const warpaes_status first = cipher_comes_and_goes(context);
  failed = FailingOpenSsl::stop();
  if (first != WARPAES_OK && first != WARPAES_ERROR_HOST_MEMORY) return 1;
  // OpenSSL itself may have lost an algorithm for good.
  const warpaes_status second = cipher_comes_and_goes(context);
  return second == WARPAES_OK || second == WARPAES_ERROR_HOST_MEMORY ? 0 : 2;
}

std::string why_not_openssl() {
  auto info = sized<warpaes_engine_info>();
  for (size_t i = 0; warpaes_engine_get(i, &info) == WARPAES_OK; i++) {
    if (info.name == std::string("openssl")) return info.reason;
  }
  return "no such engine";
}

/// Is a context made, and is it of OpenSSL's engine? Or is it told that memory was lacking?
bool is_openssl_or_lacks_memory() {
  const warpaes_context_options wanted = options("auto", 1);
  warpaes_context* context = nullptr;
  const warpaes_status status = warpaes_context_create(&wanted, &context);
  const char* engine = "";
  if (status == WARPAES_OK) {
    EXPECT_EQ(warpaes_context_engine(context, 100, &engine), WARPAES_OK);
  }
  const bool is_right =
      status == WARPAES_OK ? std::string(engine).starts_with("openssl") : status == WARPAES_ERROR_HOST_MEMORY;
  if (!is_right)
    std::fprintf(stderr, "%s: %s; %s\n", warpaes_status_name(status), engine, why_not_openssl().c_str());
  warpaes_context_destroy(context);
  return is_right;
}

/// Run in a child, in which OpenSSL has not been used yet. No slower engine, of a weaker timing class, takes
/// the place of OpenSSL's for a moment without memory.
int first_context_fails_at(int64_t n, bool& failed) {
  FailingOpenSsl::fail_at(n);
  const bool first = is_openssl_or_lacks_memory();
  failed = FailingOpenSsl::stop();
  if (!first) return 1;
  return is_openssl_or_lacks_memory() ? 0 : 2;
}

/// @param check says what was wrong, 0 if nothing, when allocation n fails
void expect_right_in_children(int (*check)(int64_t n, bool& failed)) {
  ASSERT_TRUE(FailingOpenSsl::planted) << "OpenSSL had allocated before";
  bool failed = true;
  for (int64_t n = 0; failed; n = n < 60 ? n + 6 : n + n / 20) {
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
      alarm(60);
      const int wrong = check(n, failed);
      _exit(wrong != 0 ? wrong : failed ? 10 : 0);
    }
    int result = 0;
    ASSERT_EQ(waitpid(child, &result, 0), child);
    ASSERT_TRUE(WIFEXITED(result)) << "allocation " << n;
    EXPECT_TRUE(WEXITSTATUS(result) == 0 || WEXITSTATUS(result) == 10)
        << "allocation " << n << ": " << WEXITSTATUS(result);
    failed = WEXITSTATUS(result) != 0;
  }
}

/// These two come first in this program.
TEST(CipherMemory, AtTheFirstContextOfAProcess) { expect_right_in_children(first_context_fails_at); }

/// That OpenSSL had no memory while an engine was checked says nothing against it.
TEST(CipherMemory, AnEngineOutlivesALackOfMemoryInItsSelfTest) {
  expect_right_in_children(first_cipher_fails_at);
}

TEST(CipherMemory, OpenSslRunsOut) {
  ASSERT_TRUE(FailingOpenSsl::planted) << "OpenSSL had allocated before";
  const TestContext context("openssl", 1);
  auto info = sized<warpaes_mode_info>();
  for (warpaes_mode mode = 1; warpaes_mode_get(mode, &info) == WARPAES_OK; mode++) {
    SCOPED_TRACE(info.name);
    const LeaksOfOcb3 allowed(mode);
    EXPECT_GE(failures_of(context, mode), 1);
  }
}

/// A piece fails when others have been written, by the same thread or by another one.
TEST(CipherMemory, WhatThreadsShareIsWholeOrZero) {
  const TestContext context("openssl", 2);
  const Bytes key = counting(16), nonce = counting(16), input = counting(3 * (128 << 10));
  for (const warpaes_mode mode : {WARPAES_MODE_CBC, WARPAES_MODE_CFB, WARPAES_MODE_CFB8, WARPAES_MODE_CFB1}) {
    SCOPED_TRACE(mode);
    int failures = 0, half_done = 0;
    for (int64_t n = 0, failed = 1; failed != 0; n++) {
      const TestCipher cipher(context, mode, key);
      Bytes output(input.size(), kUntouched);
      auto message = sized<warpaes_message>();
      message.input = input.data();
      message.length = input.size();
      message.output = output.data();
      message.output_capacity = output.size();
      message.nonce = nonce.data();
      message.nonce_length = nonce.size();
      FailingOpenSsl::fail_at(n);
      const warpaes_status status = warpaes_decrypt(cipher.get(), &message);
      failed = FailingOpenSsl::stop() ? 1 : 0;
      if (status == WARPAES_OK) continue;
      failures++;
      EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << warpaes_last_error();
      half_done += output == Bytes(output.size()) ? 1 : 0;
      EXPECT_TRUE(output == Bytes(output.size()) || output == Bytes(output.size(), kUntouched))
          << "allocation " << n;
    }
    EXPECT_GE(failures, 1);
    EXPECT_GE(half_done, 1);
  }
}

/// Opens a container of three chunks with every allocation failing by turns: the call says `with_memory`
/// where none failed, or leaves nothing open.
void expect_it_or_nothing(const TestContext& context, const Made& made, warpaes_status with_memory) {
  const Bytes sealed(made.container.begin() + kHeader, made.container.end());
  int failures = 0;
  for (int64_t n = 0, failed = 1; failed != 0; n++) {
    ContainerHandle container;
    ASSERT_EQ(warpaes_container_open(context.get(), made.key.data(), 32, nullptr, made.container.data(),
                                     &container.handle),
              WARPAES_OK);
    Bytes opened(2 * kChunk + 100, kUntouched);
    std::vector<int32_t> statuses(3, -1);
    uint64_t length = 77;
    warpaes_chunks chunks = range(0, sealed.data(), sealed.size(), opened.data(), opened.size(), true);
    chunks.statuses = statuses.data();
    chunks.output_length = &length;
    FailingOpenSsl::fail_at(n);
    const warpaes_status status = warpaes_container_decrypt(container.handle, &chunks);
    failed = FailingOpenSsl::stop() ? 1 : 0;
    if (status == with_memory) continue;
    failures++;
    EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << warpaes_last_error();
    EXPECT_EQ(statuses, std::vector<int32_t>(3, WARPAES_ERROR_HOST_MEMORY)) << "allocation " << n;
    EXPECT_EQ(opened, Bytes(opened.size())) << "allocation " << n;
    EXPECT_EQ(length, 0u) << "allocation " << n;
  }
  EXPECT_GE(failures, 1);
}

/// Whole chunks first and the last, shorter one then: what was opened of the former does not stay.
TEST(CipherMemory, AContainerIsOpenedOrNot) {
  const TestContext context("openssl", 1);
  expect_it_or_nothing(context, make(context, 2 * kChunk + 100, 1), WARPAES_OK);
}

/// To find out what is wrong with a chunk takes memory, too, after all chunks have been opened.
TEST(CipherMemory, AChunkIsToldToBeDamagedOrNothingIsOpened) {
  const TestContext context("openssl", 1);
  Made made = make(context, 2 * kChunk + 100, 1);
  made.container[kHeader + kSealed] ^= 1;
  expect_it_or_nothing(context, made, WARPAES_ERROR_AUTHENTICATION);
}

}  // namespace
}  // namespace warpaes::core::testing
