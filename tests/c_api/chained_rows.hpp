// Messages of the modes that chain, one stride apart, and what OpenSSL's EVP makes of them: for the tests of
// the C ABI's batches.
#pragma once

#include <algorithm>

#include "evp_reference.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {

using Arguments = warpaes_chained_batch_arguments;
using HostCall = warpaes_status (*)(const warpaes_key*, const Arguments*);
using DeviceCall = warpaes_status (*)(const warpaes_key*, const Arguments*, warpaes_stream);

struct Operation {
  const char* name;  // EVP's
  HostCall host;
  DeviceCall device;
};

constexpr Operation kOperations[] = {
    {"CBC", warpaes_cbc_encrypt_batch, warpaes_cbc_encrypt_batch_device},
    {"CFB", warpaes_cfb_encrypt_batch, warpaes_cfb_encrypt_batch_device},
    {"OFB", warpaes_ofb_crypt_batch, warpaes_ofb_crypt_batch_device},
    {"CMAC", warpaes_cmac_batch, warpaes_cmac_batch_device},
};

inline bool makes_tags(const Operation& operation) { return operation.name == std::string("CMAC"); }

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
  Bytes key = counting(24, 3), input = counting(messages * stride), ivs = counting(16 * messages, 5);

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
  Bytes expected(const Operation& operation, const Bytes& before) const {
    Bytes answer = makes_tags(operation) ? Bytes() : before;
    for (size_t m = 0; m < messages; m++) {
      const Bytes message = slice(input, m * stride, bytes);
      if (makes_tags(operation)) {
        const Bytes tag = reference::cmac(key, message);
        answer.insert(answer.end(), tag.begin(), tag.end());
      } else {
        const Bytes output = reference::crypt(operation.name, key, slice(ivs, 16 * m, 16), message);
        std::copy(output.begin(), output.end(), answer.begin() + static_cast<ptrdiff_t>(m * stride));
      }
    }
    return answer;
  }
};

}  // namespace warpaes::testing
