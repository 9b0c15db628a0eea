// T-tables in constant memory, one block of AES a thread.
//
// Idea. Tables never change, so they seem to belong into the memory that is for constants: 64 KiB, cached
// on each multiprocessor, filled before the kernel begins, read without any copying. It is the shortest way
// from a serial T-table program to a GPU, and the one that many first programs took.
//
// Threads and memory. One state a thread: 100 blocks of AES need 100 threads, which never have to wait for
// each other. The four tables (4 KiB), the S-box and the round keys are all in constant memory (a kernel's
// parameters, where the round keys are here, are constant memory as well). Only data goes through global
// memory.
//
// What limits it. The constant cache answers one address at a time. It was made for words that all lanes of
// a warp want at once, as round keys are, and gives those to all 32 in one go. Look-ups in tables have up
// to 32 different addresses, which it serves one after the other. So a round's 16 look-ups take as long as
// some 16 x 30, and neither more threads nor more bandwidth help. Compare with t_tables_in_shared_memory:
// the same code but for the memory.
//
// Timing class: leaky. How many different addresses a warp has depends on key and data, and so does its
// time.
//
// Source: AES-ON-GPU (one state a thread, tables and round keys in constant memory); a course report (Q.
// Chen, Columbia 2024) has it as the first of its three kernels.
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab::t_tables_in_constant_memory {
namespace {

template <bool Inverse>
struct ConstantTables {
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return constant_t<Inverse>(Row, byte_of<Row>(column));
  }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return constant_box<Inverse>(byte_of<Row>(column));
  }
};

template <Use Wanted>
struct Kernel : CipherKernel {
  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    const ConstantTables<kInverse> tables;
    const auto key = [&](int word) { return message.keys.word[word]; };
    crypt_message<Wanted>(thread, message, [&](Columns block) {
      return t_table_block<kInverse>(tables, key, message.rounds, block);
    });
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    choose_use<Kernel>(variant, visit);
  }
};

constexpr const Axis* kAxes[] = {&kThreads};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "t_tables_in_constant_memory",
    .idea = "a round is 16 look-ups in constant memory, which serves one address at a time",
    .source = "AES-ON-GPU; Q. Chen, course report, Columbia 2024: gpu_all_constant",
    .measured = "1.19 MB: 224 MB/s encrypting, 204 MB/s decrypting, copies not mentioned (GeForce 940MX); "
                "AES-128 ECB, 1 GB: "
                "11.1 s, copies included (NVIDIA L4)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::t_tables_in_constant_memory
