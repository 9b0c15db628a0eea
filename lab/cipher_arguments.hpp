// The arguments of a lesson's kernel, taken by value: everything but the data itself.
#pragma once

#include "lab/lesson.hpp"
#include "primitives/columns.hpp"

namespace warpaes::core::lab {

struct CipherArguments {
  RoundKeys keys;  // to decrypt ECB, those of the equivalent inverse cipher (FIPS 197 section 5.3.5)
  int rounds;
  CounterBlock counter;
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;

  CipherArguments() = default;
  explicit CipherArguments(const Task& task)
      : keys(task.variant.mode == Mode::ecb && task.variant.direction == WARPAES_DIRECTION_DECRYPT
                 ? task.schedule.decryption()
                 : task.schedule.encryption()),
        rounds(task.variant.rounds()),
        counter(task.counter),
        input(task.input),
        output(task.output),
        bytes(task.bytes) {}

  /// How many blocks the message has; the last may be a part of a block.
  WARPAES_HOST_DEVICE uint64_t blocks() const { return bytes / 16 + (bytes % 16 != 0 ? 1 : 0); }
};

/// What the cipher is used for. It is known when a kernel is compiled.
enum class Use { ecb_encrypt, ecb_decrypt, ctr };

template <Use Wanted>
inline constexpr bool kInverts = Wanted == Use::ecb_decrypt;

}  // namespace warpaes::core::lab
