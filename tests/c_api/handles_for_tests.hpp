// Owners of C handles, so that a failed expectation leaks nothing. All tests of the C interface share them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "warpaes/warpaes.h"

namespace warpaes::core::testing {

using Bytes = std::vector<uint8_t>;

/// What memory holds that a call must not touch.
constexpr uint8_t kUntouched = 0x5a;

inline Bytes counting(size_t count, size_t seed = 0) {
  Bytes made(count);
  for (size_t i = 0; i < count; i++) made[i] = static_cast<uint8_t>(i * 7 + i / 256 + seed);
  return made;
}

inline Bytes slice(const Bytes& bytes, size_t at, size_t count) {
  return {bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + count)};
}

/// A structure of the C interface, all zero but for its size.
template <class Structure>
Structure sized() {
  Structure made = {};
  made.size = sizeof made;
  return made;
}

inline warpaes_context_options options(const char* engine, uint32_t threads = 0) {
  auto made = sized<warpaes_context_options>();
  made.engine = engine;
  made.threads = threads;
  return made;
}

class TestContext {
 public:
  explicit TestContext(const char* engine, uint32_t threads = 0) : TestContext(options(engine, threads)) {}
  explicit TestContext(const warpaes_context_options& wanted) {
    EXPECT_EQ(warpaes_context_create(&wanted, &handle_), WARPAES_OK)
        << wanted.engine << ": " << warpaes_last_error();
  }
  ~TestContext() { warpaes_context_destroy(handle_); }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;
  warpaes_context* get() const { return handle_; }

 private:
  warpaes_context* handle_ = nullptr;
};

/// A key with its mode. An empty key: for batches whose messages bring their own.
class TestCipher {
 public:
  TestCipher(const TestContext& context, warpaes_mode mode, const Bytes& key)
      : status_(warpaes_cipher_create(context.get(), mode, key.empty() ? nullptr : key.data(), key.size(),
                                      &handle_)) {
    EXPECT_TRUE(status_ == WARPAES_OK || status_ == WARPAES_ERROR_UNSUPPORTED)
        << "mode " << mode << ": " << warpaes_last_error();
  }
  ~TestCipher() { warpaes_cipher_destroy(handle_); }
  TestCipher(const TestCipher&) = delete;
  TestCipher& operator=(const TestCipher&) = delete;
  warpaes_cipher* get() const { return handle_; }
  /// OK, or UNSUPPORTED in a context whose only engine does not have the mode.
  warpaes_status status() const { return status_; }

 private:
  warpaes_cipher* handle_ = nullptr;
  warpaes_status status_;
};

/// A message in parts.
class TestOperation {
 public:
  TestOperation(const warpaes_cipher* cipher, warpaes_direction direction, const warpaes_message& message)
      : status_(warpaes_operation_create(cipher, direction, &message, &handle_)) {}
  /// One that decrypts, and that warpaes_operation_verify() ends.
  TestOperation(const warpaes_cipher* cipher, const warpaes_message& message)
      : TestOperation(cipher, WARPAES_DIRECTION_DECRYPT_UNVERIFIED, message) {}
  ~TestOperation() { warpaes_operation_destroy(handle_); }
  TestOperation(const TestOperation&) = delete;
  TestOperation& operator=(const TestOperation&) = delete;
  warpaes_operation* get() const { return handle_; }
  warpaes_status status() const { return status_; }

 private:
  warpaes_operation* handle_ = nullptr;
  warpaes_status status_;
};

struct ContainerHandle {
  ~ContainerHandle() { warpaes_container_destroy(handle); }
  warpaes_container* handle = nullptr;
};

/// All engines that the library knows, the best first.
inline std::vector<warpaes_engine_info> all_engines() {
  std::vector<warpaes_engine_info> engines;
  for (;;) {
    auto info = sized<warpaes_engine_info>();
    const warpaes_status status = warpaes_engine_get(engines.size(), &info);
    if (status != WARPAES_OK) {
      EXPECT_EQ(status, WARPAES_ERROR_OPTION) << warpaes_last_error();
      return engines;
    }
    engines.push_back(info);
  }
}

/// Names of the engines that can run here.
inline std::vector<std::string> usable_engines() {
  std::vector<std::string> names;
  for (const warpaes_engine_info& info : all_engines()) {
    if (info.available) names.push_back(std::string(info.name) + "/" + info.kernel);
  }
  return names;
}

inline uint32_t number_of_devices() {
  uint32_t count = 0;
  while (warpaes_device_get(count, nullptr) == WARPAES_OK) count++;
  return count;
}

}  // namespace warpaes::core::testing
