// Tests the kernel that carries a few bytes to device memory in the parameters of its launch.
#include "kernels/grid/store_parameters.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "emulated_engines.hpp"
#include "failure.hpp"

namespace warpaes::core {
namespace {

TEST(StoreParameters, StoresSoManyBytesAndNoOthers) {
  for (const Engine* const engine : emulated_engines()) {
    ASSERT_NE(engine->store, nullptr) << engine->kernel;
    for (size_t bytes = 0; bytes <= StoreArguments::kMost; bytes++) {
      std::vector<uint8_t> given(bytes), memory(StoreArguments::kMost + 32, 0xa5), expected = memory;
      for (size_t i = 0; i < bytes; i++) expected[16 + i] = given[i] = static_cast<uint8_t>(i + 1);
      engine->store(0, memory.data() + 16, given, nullptr);
      ASSERT_EQ(memory, expected) << bytes;
    }
  }
}

TEST(StoreParameters, RefusesMoreThanParametersHold) {
  const std::vector<uint8_t> given(StoreArguments::kMost + 1);
  std::vector<uint8_t> memory(given.size());
  EXPECT_THROW(emulated_engines()[0]->store(0, memory.data(), given, nullptr), Failure);
}

}  // namespace
}  // namespace warpaes::core
