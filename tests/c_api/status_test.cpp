#include <set>
#include <thread>

#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr warpaes_status kAll[] = {
    WARPAES_OK,
    WARPAES_ERROR_NULL_POINTER,
    WARPAES_ERROR_KEY_LENGTH,
    WARPAES_ERROR_LENGTH,
    WARPAES_ERROR_NONCE_LENGTH,
    WARPAES_ERROR_TAG_LENGTH,
    WARPAES_ERROR_OVERLAP,
    WARPAES_ERROR_WORKSPACE,
    WARPAES_ERROR_OPTION,
    WARPAES_ERROR_MEMORY_SPACE,
    WARPAES_ERROR_STRIDE,
    WARPAES_ERROR_AUTHENTICATION,
    WARPAES_ERROR_CUDA,
    WARPAES_ERROR_DEVICE_MEMORY,
    WARPAES_ERROR_NO_DEVICE,
    WARPAES_ERROR_UNKNOWN_ENGINE,
    WARPAES_ERROR_ENGINE_UNAVAILABLE,
    WARPAES_ERROR_SELF_TEST,
    WARPAES_ERROR_UNSUPPORTED,
    WARPAES_ERROR_CAPTURE,
    WARPAES_ERROR_HOST_MEMORY,
    WARPAES_ERROR_FORKED,
    WARPAES_ERROR_INTERNAL,
};

TEST(Status, EachHasANameAndASentenceOfItsOwn) {
  std::set<std::string> names, sentences;
  for (const warpaes_status status : kAll) {
    names.insert(warpaes_status_name(status));
    const std::string sentence = warpaes_status_string(status);
    sentences.insert(sentence);
    EXPECT_EQ(sentence.back(), '.') << sentence;
  }
  EXPECT_EQ(names.size(), std::size(kAll));
  EXPECT_EQ(sentences.size(), std::size(kAll));
  EXPECT_STREQ(warpaes_status_name(WARPAES_ERROR_OVERLAP), "WARPAES_ERROR_OVERLAP");
  EXPECT_STREQ(warpaes_status_name(static_cast<warpaes_status>(77)), "unknown status");
  EXPECT_STRNE(warpaes_status_string(static_cast<warpaes_status>(-1)), "");
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

TEST(Status, VersionIsTheHeaders) {
  EXPECT_EQ(std::string(warpaes_version()), std::to_string(WARPAES_VERSION_MAJOR) + "." +
                                                std::to_string(WARPAES_VERSION_MINOR) + "." +
                                                std::to_string(WARPAES_VERSION_PATCH));
}

}  // namespace
}  // namespace warpaes::testing
