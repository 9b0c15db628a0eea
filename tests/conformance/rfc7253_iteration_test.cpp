// RFC 7253 appendix A's last test, which runs 385 messages of all lengths up to 127 through OCB3 and has one
// answer for each size of keys and tags.
#include <gtest/gtest.h>

#include "conformance_case.hpp"
#include "engines_under_test.hpp"
#include "modes/batch.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::conformance {
namespace {

struct Answer {
  int key_bits;
  size_t tag_bytes;
  const char* tag;
};

constexpr Answer kAnswers[] = {
    {128, 16, "67e944d23256c5e0b6c61fa22fdf1ea2"},
    {192, 16, "f673f2c3e7174aae7bae986ca9f29e17"},
    {256, 16, "d90eb8e9c977c88b79dd793d7ffa161c"},
    {128, 12, "77a3d8e73589158d25d01209"},
    {192, 12, "05d56ead2752c86be6932c5e"},
    {256, 12, "5458359ac23b0cba9e6330dd"},
    {128, 8, "192c9b7bd90ba06a"},
    {192, 8, "0066bc6e0ef34e24"},
    {256, 8, "7d4ea5d445501cbe"},
};

class Ocb3 {
 public:
  Ocb3(const Engine& engine, const Answer& answer) : engine_(engine), answer_(answer) {
    Bytes key(static_cast<size_t>(answer.key_bits / 8));
    key.back() = static_cast<uint8_t>(8 * answer.tag_bytes);
    key_ = engine.prepare(KeySchedule(key), 0);
  }

  /// Ciphertext and tag.
  Bytes sealed(uint32_t nonce_number, const Bytes& aad, const Bytes& plaintext) const {
    const Bytes nonce = {0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         0,
                         static_cast<uint8_t>(nonce_number >> 8),
                         static_cast<uint8_t>(nonce_number)};
    Bytes made(plaintext.size() + answer_.tag_bytes);
    Batch batch{};
    batch.direction = WARPAES_DIRECTION_ENCRYPT;
    batch.mode = WARPAES_MODE_OCB3;
    batch.messages = 1;
    batch.bytes = plaintext.size();
    batch.input = plaintext.data();
    batch.output = made.data();
    batch.host_nonce = nonce.data();
    batch.host_nonce_bytes = nonce.size();
    batch.aad = aad.data();
    batch.aad_bytes = aad.size();
    batch.tags = made.data() + plaintext.size();
    batch.tag_bytes = answer_.tag_bytes;
    run_batch(engine_, {*key_, answer_.key_bits}, batch, nullptr, 0, nullptr);
    return made;
  }

 private:
  const Engine& engine_;
  const Answer& answer_;
  std::unique_ptr<EngineKey> key_;
};

Bytes iterated(const Ocb3& ocb3) {
  Bytes all;
  const auto append = [&all](const Bytes& more) { all.insert(all.end(), more.begin(), more.end()); };
  for (uint32_t i = 0; i < 128; i++) {
    const Bytes zeros(i);
    append(ocb3.sealed(3 * i + 1, zeros, zeros));
    append(ocb3.sealed(3 * i + 2, {}, zeros));
    append(ocb3.sealed(3 * i + 3, zeros, {}));
  }
  return ocb3.sealed(385, all, {});
}

TEST(Rfc7253, Iteration) {
  for (const EngineUnderTest& under_test : engines_under_test()) {
    if (!under_test.composes) continue;
    for (const Answer& answer : kAnswers) {
      EXPECT_EQ(iterated(Ocb3(*under_test.engine, answer)), bytes_of_hex(answer.tag))
          << under_test.name() << ", keys of " << answer.key_bits << ", tags of " << answer.tag_bytes;
    }
  }
}

}  // namespace
}  // namespace warpaes::core::conformance
