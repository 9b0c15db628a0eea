// What the tables of wrong batches have in common.
#pragma once

#include "arranged_batch.hpp"
#include "modes_of_misuse.hpp"

namespace warpaes::core::testing {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
constexpr uint64_t kMax64 = ~uint64_t{0};
constexpr auto kNull = WARPAES_ERROR_NULL_POINTER, kWrongLength = WARPAES_ERROR_LENGTH,
               kStride = WARPAES_ERROR_STRIDE, kOverlap = WARPAES_ERROR_OVERLAP,
               kOption = WARPAES_ERROR_OPTION;

/// Engines are alike in what they refuse.
class BatchMisuse : public ::testing::Test {
 protected:
  /// @param check (row, cipher with a key, cipher without, direction)
  void for_each_mode(const auto& check) {
    for (const ModeRow& row : mode_rows()) {
      const TestCipher cipher(context_, row.mode, counting(row.longest_key(), 9)),
          keyless(context_, row.mode, {});
      for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
        SCOPED_TRACE(row.name + std::string(direction == kEncrypt ? ", encrypt" : ", decrypt"));
        check(row, cipher.get(), keyless.get(), direction);
      }
    }
  }
  const TestContext context_{"openssl"};
};

}  // namespace warpaes::core::testing
