// Owners of C handles, so that a failed expectation leaks nothing. Shared by the tests of the C ABI.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "warpaes/warpaes.h"

namespace warpaes::testing {

using Bytes = std::vector<uint8_t>;

inline warpaes_context_options options(const char* engine, unsigned threads = 0) {
  warpaes_context_options made = {};
  made.size = sizeof made;
  made.engine = engine;
  made.threads = threads;
  return made;
}

class TestContext {
 public:
  explicit TestContext(const char* engine, unsigned threads = 0) {
    const warpaes_context_options wanted = options(engine, threads);
    EXPECT_EQ(warpaes_context_create(&wanted, &handle_), WARPAES_OK)
        << engine << ": " << warpaes_last_error();
  }
  ~TestContext() { warpaes_context_destroy(handle_); }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;
  warpaes_context* get() const { return handle_; }

 private:
  warpaes_context* handle_ = nullptr;
};

class TestKey {
 public:
  TestKey(const TestContext& context, const Bytes& key) {
    EXPECT_EQ(warpaes_key_create(context.get(), key.data(), key.size(), &handle_), WARPAES_OK)
        << warpaes_last_error();
  }
  ~TestKey() { warpaes_key_destroy(handle_); }
  TestKey(const TestKey&) = delete;
  TestKey& operator=(const TestKey&) = delete;
  const warpaes_key* get() const { return handle_; }

 private:
  warpaes_key* handle_ = nullptr;
};

/// Names of the engines that can run here.
inline std::vector<std::string> usable_engines() {
  std::vector<std::string> names;
  for (size_t i = 0; i < warpaes_engine_count(); i++) {
    warpaes_engine_info info = {};
    EXPECT_EQ(warpaes_engine_get(i, &info), WARPAES_OK);
    if (info.available) names.push_back(std::string(info.name) + "/" + info.kernel);
  }
  return names;
}

}  // namespace warpaes::testing
