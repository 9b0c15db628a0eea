// The round keys and the S-box in each of a GPU's memory spaces, for the lesson that compares them.
#pragma once

#include <type_traits>

#include "lab/cipher_arguments.hpp"
#include "lab/table_words.hpp"

#if defined(__CUDACC__)
#include "device/cuda_error.hpp"
#endif

namespace warpaes::core::lab {

/// What travels as kernel parameters: the round keys, and the S-box if it is wanted there.
struct PlacedArguments : CipherArguments {
  uint8_t box[256];

  explicit PlacedArguments(const Task& task) : CipherArguments(task), box{} {
    const bool inverts =
        task.variant.mode == Mode::ecb && task.variant.direction == WARPAES_DIRECTION_DECRYPT;
    const TableWords& words = inverts ? table_words::kInverseOnHost : table_words::kOnHost;
    for (int i = 0; i < 256; i++) box[i] = words.box[i];
  }
};

struct SharedPlace {
  RoundKeys keys;
  uint8_t box[256];
};

#if defined(__CUDACC__)
namespace placed {
static __device__ const TableWords global_words = table_words::of(kT0, kSBox),
                                   inverse_global_words = table_words::of(kInverseT0, kInverseSBox);
static __device__ RoundKeys global_keys;
static __constant__ RoundKeys constant_keys;

/// To be called before a launch, on its stream. Only one task may run at a time, as the next one's keys go to
/// the same place.
template <Space KeysIn>
void copy_keys(const RoundKeys& keys, Stream stream) {
  if constexpr (KeysIn == kGlobal) {
    check(cudaMemcpyToSymbolAsync(global_keys, &keys, sizeof keys, 0, cudaMemcpyHostToDevice, stream),
          "copying round keys to global memory");
  } else if constexpr (KeysIn == kConstant) {
    check(cudaMemcpyToSymbolAsync(constant_keys, &keys, sizeof keys, 0, cudaMemcpyHostToDevice, stream),
          "copying round keys to constant memory");
  }
}
}  // namespace placed
#endif

/// The emulation has one kind of memory only. There the parameter stands for global and constant memory.
template <Space In>
WARPAES_HOST_DEVICE uint32_t placed_key(const PlacedArguments& arguments, const SharedPlace& shared,
                                        int word) {
#if defined(__CUDA_ARCH__)
  if constexpr (In == kGlobal) return placed::global_keys.word[word];
  if constexpr (In == kConstant) return placed::constant_keys.word[word];
#endif
  return In == kShared ? shared.keys.word[word] : arguments.keys.word[word];
}

template <Space In, bool Inverse>
WARPAES_HOST_DEVICE uint32_t placed_box(const PlacedArguments& arguments, const SharedPlace& shared,
                                        uint32_t byte) {
#if defined(__CUDA_ARCH__)
  if constexpr (In == kGlobal)
    return Inverse ? placed::inverse_global_words.box[byte] : placed::global_words.box[byte];
#endif
  if constexpr (In == kConstant || In == kGlobal) return constant_box<Inverse>(byte);
  return In == kShared ? shared.box[byte] : arguments.box[byte];
}

/// Calls visit with the Space as a compile-time constant. Without nvcc there are two: what is not shared is a
/// parameter. That spares the compiler three quarters of the kernels.
template <class Visit>
void with_space(uint32_t space, const Visit& visit) {
  if (space == kShared) return visit(std::integral_constant<Space, kShared>{});
#if defined(__CUDACC__)
  if (space == kGlobal) return visit(std::integral_constant<Space, kGlobal>{});
  if (space == kConstant) return visit(std::integral_constant<Space, kConstant>{});
#endif
  return visit(std::integral_constant<Space, kParameter>{});
}

}  // namespace warpaes::core::lab
