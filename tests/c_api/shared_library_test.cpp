// libwarpaes.so as others meet it: opened at run time, called from C, its names looked at.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "handles_for_tests.hpp"
#include "header_in_c99.h"

namespace warpaes::testing {
namespace {

/// Where the library lies that this program was started with.
std::string library_path() {
  Dl_info found = {};
  EXPECT_NE(dladdr(reinterpret_cast<const void*>(&warpaes_version), &found), 0);
  return std::filesystem::canonical(found.dli_fname);
}

/// What `tool` prints about the library, line by line.
std::vector<std::string> told_by(const std::string& tool) {
  const std::string command = tool + " '" + library_path() + "' 2>&1";
  // NOLINTNEXTLINE(bugprone-command-processor): the command is written here, the path is our own
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::vector<std::string> lines;
  char line[512];
  while (pipe && fgets(line, sizeof line, pipe.get())) lines.emplace_back(line);
  return lines;
}

TEST(SharedLibrary, OpensAtRunTimeAndListsItsEngines) {
  void* const library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto count =
      reinterpret_cast<decltype(&warpaes_engine_count)>(dlsym(library, "warpaes_engine_count"));
  const auto get = reinterpret_cast<decltype(&warpaes_engine_get)>(dlsym(library, "warpaes_engine_get"));
  const auto devices =
      reinterpret_cast<decltype(&warpaes_device_count)>(dlsym(library, "warpaes_device_count"));
  ASSERT_TRUE(count && get && devices);
  bool cuda_listed = false;
  for (size_t i = 0; i < count(); i++) {
    warpaes_engine_info info = {};
    ASSERT_EQ(get(i, &info), WARPAES_OK);
    if (info.name != std::string("cuda")) continue;
    cuda_listed = true;
    EXPECT_TRUE(devices() > 0 || info.reason[0] != '\0');
  }
  EXPECT_TRUE(cuda_listed);
  dlclose(library);
}

TEST(SharedLibrary, NeedsNoDriverToBeLoaded) {
  bool needs_libcrypto = false;
  for (const std::string& line : told_by("ldd")) {
    needs_libcrypto |= line.find("libcrypto") != std::string::npos;
    EXPECT_EQ(line.find("libcuda"), std::string::npos) << line;
    EXPECT_EQ(line.find("not found"), std::string::npos) << line;
  }
  EXPECT_TRUE(needs_libcrypto);
}

TEST(SharedLibrary, ExportsNothingButTheCAbi) {
  // NOLINTNEXTLINE(bugprone-command-processor)
  if (std::system("command -v nm > /dev/null") != 0) GTEST_SKIP() << "no nm here";
  const std::vector<std::string> names = told_by("nm --dynamic --defined-only --format=posix");
  for (const std::string& name : names) EXPECT_TRUE(name.starts_with("warpaes_")) << name;
  EXPECT_EQ(names.size(), 82u) << "the functions of warpaes.h and its parts";
}

TEST(SharedLibrary, IsCalledFromC) {
  // FIPS 197 says nothing of a key of zeros; this is the first block of NIST's GFSbox-like vectors, and
  // H of the GCM specification's test case 1.
  const Bytes expected = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                          0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
  Bytes block(16);
  EXPECT_EQ(key_stream_in_c99(block.data()), WARPAES_OK);
  EXPECT_EQ(block, expected);
}

}  // namespace
}  // namespace warpaes::testing
