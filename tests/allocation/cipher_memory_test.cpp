// Lets every allocation of OpenSSL's fail once in a message's call. It must be told as a lack of memory,
// which passes, and not as a defect, for which an engine's self-test would take the engine out; and no half
// output may stay.
#include "../c_api/handles_for_tests.hpp"
#include "failing_openssl.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kLength = 48;

/// A message of one mode, and where its output and its tag go.
struct Call {
  explicit Call(warpaes_mode its_mode) : mode(its_mode) {
    EXPECT_EQ(warpaes_mode_get(mode, &info), WARPAES_OK);
    EXPECT_EQ(warpaes_output_size(mode, WARPAES_DIRECTION_ENCRYPT, kLength, &message.output_capacity),
              WARPAES_OK);
    message.input = input.data();
    message.length = kLength;
    if (message.output_capacity != 0) message.output = output.data();
    if (info.recommended_nonce != 0) message.nonce = input.data();
    message.nonce_length = static_cast<size_t>(info.recommended_nonce);
    if (info.tag_lengths != 0) message.tag = tag.data();
  }
  Bytes key() const { return counting(16 * size_t{info.key_count}); }

  const warpaes_mode mode;
  warpaes_mode_info info = sized<warpaes_mode_info>();
  const Bytes input = counting(kLength);
  Bytes output = Bytes(kLength + 16, kUntouched), tag = Bytes(16, kUntouched);
  warpaes_message message = sized<warpaes_message>();
};

/// @return how often memory was lacking, with a new key each time
int failures_of(const TestContext& context, warpaes_mode mode) {
  for (int64_t n = 0, failures = 0;; n++) {
    Call call(mode);
    const TestCipher cipher(context, mode, call.key());
    FailingOpenSsl::fail_at(n);
    const warpaes_status status = warpaes_encrypt(cipher.get(), &call.message);
    if (!FailingOpenSsl::stop()) {
      EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
      return static_cast<int>(failures);
    }
    if (status == WARPAES_OK) continue;  // it can do without
    failures++;
    EXPECT_EQ(status, WARPAES_ERROR_HOST_MEMORY) << "allocation " << n << ": " << warpaes_last_error();
    const Bytes written = slice(call.output, 0, static_cast<size_t>(call.message.output_capacity));
    EXPECT_TRUE(written == Bytes(written.size()) || written == Bytes(written.size(), kUntouched));
    EXPECT_TRUE(call.tag == Bytes(16) || call.tag == Bytes(16, kUntouched));
  }
}

TEST(CipherMemory, OpenSslRunsOut) {
  ASSERT_TRUE(FailingOpenSsl::planted) << "OpenSSL had allocated before";
  const TestContext context("openssl", 1);
  auto info = sized<warpaes_mode_info>();
  for (warpaes_mode mode = 1; warpaes_mode_get(mode, &info) == WARPAES_OK; mode++) {
    // OpenSSL 3.0's OCB writes behind its memory when it could not have more (CRYPTO_ocb128_cleanup).
    if (mode == WARPAES_MODE_OCB3) continue;
    SCOPED_TRACE(info.name);
    EXPECT_GE(failures_of(context, mode), 1);
  }
}

}  // namespace
}  // namespace warpaes::core::testing
