// Lets OpenSSL's random generator fail after it has written half of what it was asked for. Functions of this
// program stand in its place.
#include <gtest/gtest.h>
#include <openssl/rand.h>

#include <algorithm>
#include <vector>

#include "derivation/derivation.hpp"
#include "failure.hpp"

namespace {

int fail_halfway(unsigned char* to, int bytes) {
  std::fill_n(to, bytes / 2, static_cast<unsigned char>(0xa5));
  return 0;
}

}  // namespace

extern "C" int RAND_bytes(unsigned char* to, int bytes) { return fail_halfway(to, bytes); }
extern "C" int RAND_priv_bytes(unsigned char* to, int bytes) { return fail_halfway(to, bytes); }

namespace warpaes::core {
namespace {

TEST(RandomFailure, LeavesZeros) {
  for (const auto generate : {random_secret, random_public}) {
    std::vector<uint8_t> out(100, 0x5a);
    try {
      generate(std::span(out).first(90));
      ADD_FAILURE() << "no failure";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), WARPAES_ERROR_INTERNAL);
    }
    EXPECT_EQ(std::count(out.begin(), out.begin() + 90, 0), 90);
    EXPECT_EQ(std::count(out.begin() + 90, out.end(), 0x5a), 10);
  }
}

}  // namespace
}  // namespace warpaes::core
