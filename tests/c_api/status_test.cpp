// Tests the names and sentences of statuses, and what the library says about its version.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <set>
#include <thread>

#include "handles_for_tests.hpp"
#include "public_headers.hpp"

namespace warpaes::core::testing {
namespace {

/// The constants of status.h, read from the header: none can be forgotten here.
std::vector<std::pair<std::string, warpaes_status>> all_statuses() {
  const std::string source = text_of(public_header_folder() / "status.h");
  std::vector<std::pair<std::string, warpaes_status>> found;
  for (const Match& each :
       matches(source, "(WARPAES_OK|WARPAES_ERROR_[A-Z0-9_]+)[[:space:]]*=[[:space:]]*([0-9]+)")) {
    found.emplace_back(each[1], std::stoi(each[2]));
  }
  return found;
}

TEST(Status, EachHasItsNameAndASentenceOfItsOwn) {
  const auto all = all_statuses();
  ASSERT_GE(all.size(), 29u);
  std::set<warpaes_status> numbers;
  std::set<std::string> sentences;
  for (const auto& [name, status] : all) {
    EXPECT_EQ(warpaes_status_name(status), name);
    const std::string sentence = warpaes_status_string(status);
    EXPECT_EQ(sentence.back(), '.') << sentence;
    sentences.insert(sentence);
    numbers.insert(status);
  }
  EXPECT_EQ(numbers.size(), all.size());
  EXPECT_EQ(sentences.size(), all.size());
  EXPECT_STREQ(warpaes_status_name(77), "unknown status");
  EXPECT_STRNE(warpaes_status_string(-1), "");
}

TEST(Status, TheLastErrorIsTheThreadsOwn) {
  warpaes_context* context = nullptr;
  const warpaes_context_options wanted = options("quantum");
  EXPECT_EQ(warpaes_context_create(&wanted, &context), WARPAES_ERROR_UNKNOWN_ENGINE);
  const std::string told = warpaes_last_error();
  EXPECT_NE(told.find("quantum"), std::string::npos);
  std::thread([] { EXPECT_STREQ(warpaes_last_error(), ""); }).join();
  EXPECT_EQ(told, warpaes_last_error());
}

TEST(Status, AnErrorTellsTheHashThatTheCallerGave) {
  auto kdf = sized<warpaes_kdf>();
  kdf.algorithm = WARPAES_KDF_HKDF;
  kdf.hash = 0x80000100;
  kdf.secret = "secret";
  kdf.secret_length = 6;
  Bytes key(32);
  EXPECT_EQ(warpaes_derive_key(&kdf, key.data(), key.size()), WARPAES_ERROR_OPTION);
  EXPECT_STREQ(warpaes_last_error(), "2147483904 is no warpaes_hash");
}

/// Lets calls fail with sentences of both kinds: those of all lengths are told in full.
/// @return what was told of the long one
std::string fail_shortly_and_at_length() {
  EXPECT_EQ(warpaes_encrypt(nullptr, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_STREQ(warpaes_last_error(), "message is null");
  warpaes_context* context = nullptr;
  const std::string name(600, 'q');
  const warpaes_context_options wanted = options(name.c_str());
  EXPECT_EQ(warpaes_context_create(&wanted, &context), WARPAES_ERROR_UNKNOWN_ENGINE);
  return warpaes_last_error();
}

TEST(Status, ALongSentenceIsToldInFull) {
  const std::string told = fail_shortly_and_at_length();
  EXPECT_NE(told.find("qqq\"; there are "), std::string::npos) << told;
  EXPECT_GT(told.size(), 600u);
  EXPECT_EQ(told, fail_shortly_and_at_length());
}

/// These functions run when the objects that are a thread's own have been destroyed. The sanitizers look on.
TEST(Status, CallsMayFailWhileAThreadEnds) {
  pthread_key_t key = 0;
  ASSERT_EQ(pthread_key_create(&key,
                               [](void*) {
                                 for (int i = 0; i < 2; i++) {
                                   const std::string told = fail_shortly_and_at_length();
                                   EXPECT_EQ(told.rfind("there is no engine \"qqq", 0), 0u) << told;
                                 }
                               }),
            0);
  std::thread([key] {
    fail_shortly_and_at_length();
    ASSERT_EQ(pthread_setspecific(key, &kUntouched), 0);
  }).join();
  EXPECT_EQ(pthread_key_delete(key), 0);
}

/// An object of the program that is destroyed when everything has been that was made after the start of
/// main().
class WorksWhileTheProcessEnds {
 public:
  WorksWhileTheProcessEnds() = default;
  WorksWhileTheProcessEnds(const WorksWhileTheProcessEnds&) = delete;
  ~WorksWhileTheProcessEnds() {
    if (name_ == nullptr || (name_ == expected_ && is_engine_of_new_cipher(expected_))) return;
    std::fputs("a call of the library while the process ended went wrong\n", stderr);
    _exit(1);
  }

  /// From here on the library knows what its self-tests found, and has made the names of engines.
  void begin() {
    const TestContext context("portable/t_tables", 1);
    const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16));
    auto info = sized<warpaes_cipher_info>();
    EXPECT_EQ(warpaes_cipher_get(cipher.get(), &info), WARPAES_OK);
    name_ = info.engine;
    EXPECT_EQ(name_, expected_);
  }

 private:
  static bool is_engine_of_new_cipher(const std::string& expected) {
    const TestContext context("portable/t_tables", 1);
    const TestCipher cipher(context, WARPAES_MODE_CTR, Bytes(16));
    auto info = sized<warpaes_cipher_info>();
    return warpaes_cipher_get(cipher.get(), &info) == WARPAES_OK && info.engine == expected;
  }

  const std::string expected_ = "portable/t_tables";
  const char* name_ = nullptr;  // valid as long as the library is loaded
} works_while_the_process_ends;

TEST(Status, CallsMayBeMadeWhileTheProcessEnds) { works_while_the_process_ends.begin(); }

TEST(Status, VersionIsTheHeaders) {
  EXPECT_EQ(std::string(warpaes_version()), std::to_string(WARPAES_VERSION_MAJOR) + "." +
                                                std::to_string(WARPAES_VERSION_MINOR) + "." +
                                                std::to_string(WARPAES_VERSION_PATCH));
}

}  // namespace
}  // namespace warpaes::core::testing
