// What the tests of staging share: keys on the CPU and on memory that poses as a GPU's, and batches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "memory_posing_as_device.hpp"
#include "modes/mode_table.hpp"
#include "pipeline/context.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {

using Bytes = std::vector<uint8_t>;
constexpr size_t kMiB = 1 << 20;

inline Bytes random_bytes(size_t count, uint64_t seed) {
  std::mt19937_64 generator(seed);
  Bytes made(count + 8);
  for (size_t i = 0; i < count; i += 8) {
    const uint64_t word = generator();
    std::copy_n(reinterpret_cast<const uint8_t*>(&word), 8, made.data() + i);
  }
  made.resize(count);
  return made;
}

class Staging : public ::testing::Test {
 protected:
  Staging() { posing::device() = {}; }

  const Bytes raw_key_ = random_bytes(32, 1);
  Context cpu_{{.engine = "openssl"}}, gpu_{{.engine = "cuda"}};
  Key cpu_key_{cpu_, raw_key_}, gpu_key_{gpu_, raw_key_};
  const Bytes counter_ = Bytes(16, 0xff);

  Bytes ctr_by(const Key& key, const Bytes& input) {
    Bytes output(input.size());
    ctr_host(key, {counter_.data(), input.data(), output.data(), input.size()});
    return output;
  }
};

/// A batch of messages, the tag of each behind it.
struct SealedMessages {
  uint64_t messages, bytes, gap;
  Bytes nonces, aad, plaintext, sealed;
  std::vector<int32_t> statuses;

  SealedMessages(uint64_t count, uint64_t length, uint64_t between)
      : messages(count),
        bytes(length),
        gap(between),
        nonces(random_bytes(12 * count, 2)),
        aad(random_bytes(20 * count, 3)),
        plaintext(random_bytes(length * count, 4)),
        sealed(count * (length + 16 + between)),
        statuses(count, -1) {}

  Batch arguments(Direction direction) {
    const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
    const uint64_t stride = bytes + 16 + gap;
    return {.direction = direction,
            .messages = messages,
            .bytes = bytes,
            .input = encrypting ? plaintext.data() : sealed.data(),
            .input_stride = encrypting ? bytes : stride,
            .output = encrypting ? sealed.data() : plaintext.data(),
            .output_stride = encrypting ? stride : bytes,
            .host_nonce = nullptr,
            .host_nonce_bytes = 0,
            .nonces = nonces.data(),
            .nonce_stride = 12,
            .aad = aad.data(),
            .aad_bytes = 20,
            .aad_stride = 20,
            .tags = sealed.data() + bytes,
            .tag_stride = stride,
            .tag_bytes = 16,
            .statuses = statuses.data()};
  }
};

struct Work {
  warpaes_mode mode;
  Direction direction;
};
constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

/// Messages of a mode that authenticates nothing, of a MAC or of key wrap: in rows, or ragged and scattered.
struct CipherMessages {
  uint64_t count, bytes, gap;
  Bytes ivs = random_bytes(16 * count, 12), memory = random_bytes(count * (bytes + gap), 13);
  Bytes tags = Bytes(20 * count, 0x5a);
  std::vector<int32_t> statuses = std::vector<int32_t>(count, -1);
  std::vector<uint64_t> output_lengths = std::vector<uint64_t>(count, 5);
  std::vector<uint64_t> lengths = {};
  std::vector<const uint8_t*> inputs = {};
  std::vector<uint8_t*> outputs = {};

  Batch arguments(const Work& work, bool scattered) {
    const uint64_t stride = bytes + gap;
    const ModeRow& mode = mode_row(work.mode);
    Batch batch{.mode = work.mode,
                .direction = work.direction,
                .messages = count,
                .bytes = bytes,
                .input = memory.data(),
                .input_stride = stride,
                .output = mode.has_output ? memory.data() : nullptr,
                .output_stride = stride,
                .nonces = ivs.data(),
                .nonce_stride = 16,
                .nonce_bytes = mode.recommended_nonce,
                .tags = tags.data(),
                .tag_stride = 20,
                .tag_bytes = 16,
                .statuses = statuses.data()};
    if (mode.changes_length()) batch.output_lengths = output_lengths.data();
    if (!scattered) return batch;
    for (uint64_t m = 0; m < count; m++) {
      lengths.push_back(m * 37 % (bytes + 1));
      inputs.push_back(memory.data() + (count - 1 - m) * stride);
      outputs.push_back(memory.data() + (count - 1 - m) * stride);
    }
    batch.lengths = lengths.data();
    batch.inputs = inputs.data();
    batch.outputs = mode.has_output ? outputs.data() : nullptr;
    return batch;
  }
};

}  // namespace warpaes::core
