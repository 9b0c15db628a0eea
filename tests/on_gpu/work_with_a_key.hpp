// Does all that can be done with a key on a GPU, for tests that then look for what is left of the key.
#pragma once

#include "../c_api/handles_for_tests.hpp"

namespace warpaes::core::testing {

/// Every kind of call on the device and through it, with a key of 32 bytes that then goes. The caller's own
/// memory is wiped by the caller: the test's, here.
/// @param plaintext some MiB
/// @param engine "cuda", or one of its kernels by name, which may lack modes
void work_with(const Bytes& raw_key, const Bytes& plaintext, const std::string& engine = "cuda");

}  // namespace warpaes::core::testing
