// T-tables in shared memory, one block of AES a thread.
//
// Idea. SubBytes, ShiftRows and MixColumns of a byte are one look-up in a table of 256 words. Four tables,
// one for each row, make a column of 4 look-ups and 4 XORs. Look-ups of a warp go to 32 different
// addresses, and shared memory serves 32 addresses at a time, where constant memory serves one.
//
// Threads and memory. Each thread takes one block of 16 bytes, so that a warp's loads and stores of data
// are contiguous. A thread block first copies the four tables (4 KiB) and the S-box of the last round into
// shared memory, and its threads meet at a barrier. Round keys are a kernel parameter: all lanes want the
// same word, which the constant cache broadcasts.
//
// What limits it. Bank conflicts. Shared memory has 32 banks of 4 bytes; a table's entry v is in bank v mod
// 32. 32 lanes with random bytes meet in some banks, and the fullest bank says how long the access takes:
// about 3 times as long as without conflicts, on average. A block is 160 look-ups (AES-128). And each block
// of threads copies its tables before it does anything else, which a short message feels.
//
// Timing class: leaky. Addresses depend on key and data, and how many conflicts a warp has is seen in its
// time: Jiang, Fei and Kaeli recovered keys from that (2017, Tesla K40).
//
// Source: Di Biagio and others (IPDPS 2009) found tables in shared memory faster than in constant memory. A
// course report (Q. Chen, Columbia 2024) has this kernel with the round keys in shared memory too, blocks of
// 512 threads, and several blocks of AES a thread.
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab::t_tables_in_shared_memory {
namespace {

/// The tables of one direction, as they lie in shared memory.
struct SharedTables {
  uint32_t table[4][256];
  uint8_t last[256];

  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return table[Row][byte_of<Row>(column)];
  }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    return last[byte_of<Row>(column)];
  }
};

template <Use Wanted>
struct Kernel : CipherKernel {
  static uint32_t shared_bytes(const Variant& /*variant*/) { return sizeof(SharedTables); }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const CipherArguments& message) {
    constexpr bool kInverse = kInverts<Wanted>;
    auto& tables = *reinterpret_cast<SharedTables*>(thread.shared());
    for (uint32_t i = thread.index(); i < 256; i += thread.count()) {
      for (int row = 0; row < 4; row++) tables.table[row][i] = constant_t<kInverse>(row, i);
      tables.last[i] = constant_box<kInverse>(i);
    }
    thread.barrier();

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
    .name = "t_tables_in_shared_memory",
    .idea = "a round is 16 look-ups in tables that each block of threads copies into shared memory",
    .source = "Q. Chen, course report, Columbia 2024: gpu_all_shared",
    .measured = "AES-128 ECB, 1 GB: 840 ms encrypting, 848 ms decrypting, copies included (NVIDIA L4)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
});

}  // namespace warpaes::core::lab::t_tables_in_shared_memory
