// libwarpaes.so as others meet it: opened at run time, called from C, its names looked at.
#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

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
  std::ostringstream needed;
  const std::string command = "ldd '" + library_path() + "' 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(pipe, nullptr);
  for (int each = fgetc(pipe.get()); each != EOF; each = fgetc(pipe.get())) needed << static_cast<char>(each);
  EXPECT_NE(needed.str().find("libcrypto"), std::string::npos) << needed.str();
  EXPECT_EQ(needed.str().find("libcuda"), std::string::npos) << needed.str();
  EXPECT_EQ(needed.str().find("not found"), std::string::npos) << needed.str();
}

TEST(SharedLibrary, ExportsNothingButTheCAbi) {
  const std::string command = "nm --dynamic --defined-only --format=posix '" + library_path() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  ASSERT_NE(pipe, nullptr);
  char line[512];
  int names = 0;
  while (fgets(line, sizeof line, pipe.get())) {
    names++;
    EXPECT_TRUE(std::string(line).starts_with("warpaes_")) << line;
  }
  if (names == 0) GTEST_SKIP() << "no nm here";
  EXPECT_EQ(names, 26) << "functions declared in warpaes.h";
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
