// A fuzz target is a function of bytes that ends the program if the code under it breaks a promise. It has
// libFuzzer's name, so that clang's -fsanitize=fuzzer can drive it as well as fuzz_driver.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);

namespace warpaes::core::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// Takes values off the front of the input; zeros when there is no more.
class Choices {
 public:
  Choices(const uint8_t* data, size_t bytes) : data_(data), bytes_(bytes) {}
  bool empty() const { return bytes_ == 0; }
  uint8_t byte() {
    if (bytes_ == 0) return 0;
    bytes_--;
    return *data_++;
  }
  /// Below `limit`, which is under 2^16.
  unsigned below(unsigned limit) {
    const unsigned high = byte();
    return (high << 8 | byte()) % limit;
  }

 private:
  const uint8_t* data_;
  size_t bytes_;
};

}  // namespace warpaes::core::fuzz
