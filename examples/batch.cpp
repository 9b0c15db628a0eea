// Many small messages in one call: frames of nonce, ciphertext and tag, as formats and protocols keep them.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "warpaes/warpaes.hpp"

int main() try {
  constexpr size_t kMessages = 10'000, kLength = 1000, kFrame = 12 + kLength + 16;
  std::vector<uint8_t> key(32), plaintext(kMessages * kLength, 7), opened(plaintext.size());
  std::vector<uint8_t> memory(kMessages * kFrame);
  warpaes::random(key);
  const warpaes::Cipher gcm(warpaes::Context(), warpaes::Mode::gcm, key);

  const std::span frames(memory);
  for (size_t m = 0; m < kMessages; m++) warpaes::random(frames.subspan(m * kFrame, 12));
  gcm.encrypt_batch({.count = kMessages,
                     .input = {plaintext, kLength},  // message m at plaintext + m * kLength
                     .length = kLength,
                     .output = {frames.subspan(12), kFrame},
                     .nonces = {frames, kFrame},
                     .tags = {frames.subspan(12 + kLength), kFrame}});

  frames[3 * kFrame + 500] ^= 1;  // one message is damaged on the way
  std::vector<int32_t> statuses(kMessages);
  const warpaes::Verdict verdict = gcm.decrypt_batch({.count = kMessages,
                                                      .input = {frames.subspan(12), kFrame},
                                                      .length = kLength,
                                                      .output = {opened, kLength},
                                                      .nonces = {frames, kFrame},
                                                      .tags = {frames.subspan(12 + kLength), kFrame},
                                                      .statuses = statuses});
  const auto genuine = std::count(statuses.begin(), statuses.end(), WARPAES_OK);
  std::printf("genuine: %s (%td of %zu)\n", verdict ? "all" : "not all", genuine, kMessages);
} catch (const warpaes::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.name(), error.what());
  return 1;
}
