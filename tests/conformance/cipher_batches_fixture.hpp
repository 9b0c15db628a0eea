// What the tests of batches in modes that do not authenticate have in common: every engine that can run here,
// and what is expected of it.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "cipher_batch_trial.hpp"
#include "cipher_examples.hpp"
#include "cipher_modes.hpp"
#include "engines_under_test.hpp"

namespace warpaes::core::conformance {

class CipherBatches : public testing::TestWithParam<EngineUnderTest> {
 protected:
  const Engine& engine() const { return *GetParam().engine; }
  bool is_slow() const { return GetParam().sample > 1; }
  /// Emulated, or FIPS 197 as it is written, whose batches are those of a quicker engine but for the block.
  bool has_small_batches() const { return is_slow() || engine().kernel == std::string_view("fips197"); }
  bool has_key_each(CipherMode mode) const { return has_cipher_key_each(engine(), mode); }
  bool expands_keys() const { return engine().modes[WARPAES_MODE_CBC].run_key_each != nullptr; }
  /// Emulated, keys are wrapped by the kernel that is for it, or it takes long.
  bool has(CipherMode mode) const {
    const bool takes_long = is_slow() && !has_own_batches(engine(), mode) && wraps_keys(mode);
    return has_cipher_batch(engine(), mode) && !takes_long;
  }

  /// Composed for a CPU, a mode does the same for every engine: once is enough for one that takes long.
  bool has_in_its_own_way(CipherMode mode) const {
    return has(mode) && (!is_slow() || has_own_batches(engine(), mode));
  }

  /// Right, and on a GPU by its own kernel.
  void expect_right(const CipherExamples& examples) const;
};

}  // namespace warpaes::core::conformance
