// Messages one stride apart, and what OpenSSL's EVP makes of them: for the tests of the C ABI's batches.
#pragma once

#include <algorithm>

#include "evp_reference.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {

using Arguments = warpaes_cipher_batch_arguments;
struct Operation {
  const char* name;  // EVP's
  warpaes_mode mode;
  warpaes_direction direction;

  bool makes_tags() const { return mode == WARPAES_MODE_CMAC; }
};

constexpr Operation kOperations[] = {
    {"ECB", WARPAES_MODE_ECB, WARPAES_ENCRYPT},   {"ECB", WARPAES_MODE_ECB, WARPAES_DECRYPT},
    {"CBC", WARPAES_MODE_CBC, WARPAES_ENCRYPT},   {"CBC", WARPAES_MODE_CBC, WARPAES_DECRYPT},
    {"CFB", WARPAES_MODE_CFB, WARPAES_ENCRYPT},   {"CFB", WARPAES_MODE_CFB, WARPAES_DECRYPT},
    {"OFB", WARPAES_MODE_OFB, WARPAES_ENCRYPT},   {"OFB", WARPAES_MODE_OFB, WARPAES_DECRYPT},
    {"CTR", WARPAES_MODE_CTR, WARPAES_ENCRYPT},   {"CTR", WARPAES_MODE_CTR, WARPAES_DECRYPT},
    {"CMAC", WARPAES_MODE_CMAC, WARPAES_ENCRYPT},
};

inline Bytes counting(size_t bytes, size_t seed = 0) {
  Bytes made(bytes);
  for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(i * 7 + i / 256 + seed);
  return made;
}

inline Bytes slice(const Bytes& bytes, size_t at, size_t count) {
  return {bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + count)};
}

/// Rows of one length, in memory that the caller gives.
struct Rows {
  size_t messages, bytes, stride;
  /// 24 bytes each; the first is what all messages have where they have one.
  Bytes keys = counting(24 * std::max<size_t>(messages, 1), 3), key = slice(keys, 0, 24);
  Bytes input = counting(messages * stride), ivs = counting(16 * messages, 5);

  Arguments arguments(const void* from, void* to, const void* iv, void* tags, int32_t* statuses) const {
    Arguments made = {};
    made.size = sizeof made;
    made.messages = messages;
    made.bytes = bytes;
    made.input = from;
    made.output = to;
    made.input_stride = made.output_stride = stride;
    made.ivs = iv;
    made.iv_stride = 16;
    made.tags = tags;
    made.tag_stride = made.tag_bytes = 16;
    made.statuses = statuses;
    return made;
  }

  /// What output (beginning as `before`) or tags have to be.
  Bytes expected(const Operation& operation, const Bytes& before, bool key_each = false) const {
    Bytes answer = operation.makes_tags() ? Bytes() : before;
    for (size_t m = 0; m < messages; m++) {
      const Bytes message = slice(input, m * stride, bytes),
                  its_key = key_each ? slice(keys, 24 * m, 24) : key;
      if (operation.makes_tags()) {
        const Bytes tag = reference::cmac(its_key, message);
        answer.insert(answer.end(), tag.begin(), tag.end());
      } else {
        const Bytes output = reference::crypt(operation.name, its_key, slice(ivs, 16 * m, 16), message,
                                              operation.direction == WARPAES_ENCRYPT);
        std::copy(output.begin(), output.end(), answer.begin() + static_cast<ptrdiff_t>(m * stride));
      }
    }
    return answer;
  }
};

}  // namespace warpaes::testing
