// Tests libwarpaes.so as other programs meet it: it is opened at run time and called from C, and the names
// that it exports are compared.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <span>

#include "handles_for_tests.hpp"
#include "header_in_c99.h"
#include "public_headers.hpp"

namespace warpaes::core::testing {
namespace {

/// What `tool` prints about the library, line by line.
std::vector<std::string> told_by(const std::string& tool) {
  const std::string command = tool + " '" + library_path().string() + "' 2>&1";
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
  const auto get = reinterpret_cast<decltype(&warpaes_engine_get)>(dlsym(library, "warpaes_engine_get"));
  const auto device = reinterpret_cast<decltype(&warpaes_device_get)>(dlsym(library, "warpaes_device_get"));
  ASSERT_TRUE(get && device);
  const bool has_gpu = device(0, nullptr) == WARPAES_OK;
  bool cuda_listed = false;
  auto info = sized<warpaes_engine_info>();
  for (size_t i = 0; get(i, &info) == WARPAES_OK; i++) {
    if (info.name != std::string("cuda")) continue;
    cuda_listed = true;
    EXPECT_TRUE(has_gpu || info.reason[0] != '\0');
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

/// The functions of the public headers, with the number of their parameters.
std::map<std::string, size_t> declared_functions() {
  constexpr const char* kFunction =
      "WARPAES_API[^;(]*[^a-z_0-9](warpaes_[a-z_0-9]+)[[:space:]]*\\(([^;]*)\\)[[:space:]]*;";
  std::map<std::string, size_t> found;
  for (const std::filesystem::path& header : public_headers()) {
    for (const Match& each : matches(without_comments(text_of(header)), kFunction)) {
      const std::string& parameters = each[2];
      found[each[1]] = parameters == "void"
                           ? 0
                           : 1 + static_cast<size_t>(std::count(parameters.begin(), parameters.end(), ','));
    }
  }
  return found;
}

/// `nm` writes a name with its version: name@@VERSION. The versions are names as well.
bool is_version(std::string_view name) { return name.starts_with("WARPAES_"); }
bool is_private(std::string_view name) { return name.find("@@WARPAES_PRIVATE_") != std::string_view::npos; }

/// Beside the C interface, the kernels for the project's own programs, under a version of their own
/// (docs/design/packaging.md).
TEST(SharedLibrary, ExportsTheFunctionsOfTheHeadersAndKernelsOfThisVersion) {
  // NOLINTNEXTLINE(bugprone-command-processor)
  if (std::system("command -v nm > /dev/null") != 0) GTEST_SKIP() << "no nm here";
  std::vector<std::string> exported, declared;
  for (const std::string& line : told_by("nm --dynamic --defined-only --format=posix")) {
    const std::string name = line.substr(0, line.find(' '));
    if (is_version(name)) continue;
    if (is_private(name)) {
      EXPECT_NE(name.find("7warpaes4core7kernels"), std::string::npos) << name;
    } else {
      exported.push_back(name.substr(0, name.find('@')));
    }
  }
  for (const auto& [name, parameters] : declared_functions()) declared.push_back(name);
  std::sort(exported.begin(), exported.end());
  EXPECT_EQ(exported, declared);
}

/// The interface is to be learnt in an hour.
TEST(SharedLibrary, HasFewFunctionsOfFewParameters) {
  const std::map<std::string, size_t> functions = declared_functions();
  EXPECT_GE(functions.size(), 40u) << "declarations that this test does not recognise";
  EXPECT_LE(functions.size(), 50u);
  for (const auto& [name, parameters] : functions) EXPECT_LE(parameters, 8u) << name;
  ASSERT_TRUE(functions.contains("warpaes_seal") && functions.contains("warpaes_version"));
  EXPECT_EQ(functions.at("warpaes_seal"), 6u);
  EXPECT_EQ(functions.at("warpaes_version"), 0u);
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
}  // namespace warpaes::core::testing
