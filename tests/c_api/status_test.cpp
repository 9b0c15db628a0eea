// Tests the names and sentences of statuses, and what the library says about its version.
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

TEST(Status, VersionIsTheHeaders) {
  EXPECT_EQ(std::string(warpaes_version()), std::to_string(WARPAES_VERSION_MAJOR) + "." +
                                                std::to_string(WARPAES_VERSION_MINOR) + "." +
                                                std::to_string(WARPAES_VERSION_PATCH));
}

}  // namespace
}  // namespace warpaes::core::testing
