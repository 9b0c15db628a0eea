// The file of warpaes_context_calibrate(): what is stored is found again, and whatever else lies there is as
// good as nothing.
#include "pipeline/speed_store.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

#include "failure.hpp"
#include "pipeline/context_state.hpp"
#include "staging_fixture.hpp"

namespace warpaes::core {
namespace {

namespace fs = std::filesystem;

class SpeedStore : public Staging {
 protected:
  SpeedStore() {
    char name[] = "/tmp/warpaes-speeds-XXXXXX";
    if (mkdtemp(name) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp");
    folder_ = name;
    setenv("XDG_CACHE_HOME", name, 1);
  }
  ~SpeedStore() override {
    unsetenv("XDG_CACHE_HOME");
    fs::remove_all(folder_);
  }

  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  static bool is_loaded(const Context& context) {
    const auto speeds = load_speeds(context);
    return speeds.has_value();
  }

  /// The failure's words, which is a failure of a file's.
  std::string why_not_stored() const {
    try {
      store_speeds(automatic_, speeds_);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_FILE);
      return failure.what();
    }
    return "stored";
  }

  fs::path folder_;
  const Context automatic_{{.threads = 2}};
  /// The GPU helps long calls only.
  static constexpr HostSpeed kShort{1e9, 8e9, 0, 4e9};
  const AllHostSpeeds speeds_{{{kShort, {1e9, 2.5e9, 0, 4e9}, {1e9, 2e9, 0, 4e9}, {1e9, 2e9, 3e9, 5e9}},
                               {kShort, kShort, {1e9, 2e9, 3e9, 5e9}, {1e9, 2e9, 3e9, 5e9}},
                               {kShort, kShort, kShort, {1e8, 2e8, 0, 0}}}};
};

TEST_F(SpeedStore, IsFoundByContextsThatAreLikeTheOneItIsFrom) {
  EXPECT_FALSE(is_loaded(automatic_)) << "there is none yet";
  store_speeds(automatic_, speeds_);
  store_speeds(automatic_, speeds_);  // in place of the first one
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "warpaes"), {}), 1) << "nothing unfinished stays";
  const Context same({.threads = 2}), other({.threads = 3}), two({.devices = {0, 1}, .threads = 2});
  EXPECT_FALSE(is_loaded(other));
  EXPECT_FALSE(is_loaded(two));
  const auto found = load_speeds(same);
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)[0][1].all_threads, 2.5e9);
  EXPECT_EQ((*found)[2][3].one_thread, 1e8);

  const auto memory_for = [&](uint64_t mib, bool pinned, WorkKind kind = WorkKind::stream) {
    return same.engine_for({.bytes = mib * kMiB, .pinned = pinned, .kind = kind}).memory;
  };
  EXPECT_EQ(memory_for(15, true), Memory::host);
  EXPECT_EQ(memory_for(16, true), Memory::device);
  EXPECT_EQ(memory_for(255, false), Memory::host);
  EXPECT_EQ(memory_for(256, false), Memory::device);
  EXPECT_EQ(memory_for(63, true, WorkKind::gcm), Memory::host);
  EXPECT_EQ(memory_for(64, true, WorkKind::gcm), Memory::device);
  EXPECT_EQ(memory_for(100'000, true, WorkKind::chained), Memory::host);
  EXPECT_EQ(posing::device().engine_calls, 0) << "so nothing is measured";
}

TEST_F(SpeedStore, AFileThatIsCutOrChangedIsNone) {
  store_speeds(automatic_, speeds_);
  const fs::path path = speed_file(automatic_);
  const std::string right = text_of(path);
  const size_t last_line = right.find("chained");
  for (size_t length = 0; length < last_line; length++) {
    write(path, right.substr(0, length));
    EXPECT_FALSE(is_loaded(automatic_)) << length;
  }
  for (const char* const wrong : {"nan", "inf", "-1", "0", "1e5000", "1e14", "1", "x", "", "1e9 1e9"}) {
    std::string text = right;
    const size_t at = text.find("gcm ") + 4;
    text.replace(at, text.find(' ', at) - at, wrong);
    write(path, text);
    EXPECT_FALSE(is_loaded(automatic_)) << wrong;
  }
  for (const std::string& text : {right + "more", "a" + right, std::string(20'000, 'a')}) {
    write(path, text);
    EXPECT_FALSE(is_loaded(automatic_));
  }
  write(path, right);
  EXPECT_TRUE(is_loaded(automatic_));
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_FALSE(is_loaded(automatic_));
  EXPECT_EQ(why_not_stored(), "the speeds cannot be stored in " + path.string() + ": Is a directory");
}

TEST_F(SpeedStore, WithoutAFolderThereIsNone) {
  const char* const home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  unsetenv("XDG_CACHE_HOME");
  for (const char* const folder : {"", "relative"}) {
    setenv("HOME", folder, 1);
    EXPECT_TRUE(speed_file(automatic_).empty());
    EXPECT_FALSE(is_loaded(automatic_));
    EXPECT_EQ(why_not_stored(), "neither $XDG_CACHE_HOME nor $HOME names a folder");
  }
  setenv("HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace warpaes::core
