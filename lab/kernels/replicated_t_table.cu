// One T-table, 1 to 32 copies of it in shared memory.
//
// Idea. What makes look-ups in shared memory slow is that lanes meet in a bank. With n copies of the table,
// entry v of copy c at word n v + c, only 32 / n lanes use the same copy, and only those can meet: copy c
// lies in the banks whose number is c modulo n. With 32 copies each lane has a copy and a bank of its own,
// and no two can meet.
//
// Threads and memory. T1, T2 and T3 are T0 with its bytes rotated, so that one table is enough, 1 KiB a
// copy: 32 copies are 32 KiB, where four tables would be 128. The rotation is an instruction more for three
// of four look-ups, on units that have room. The S-box of the last round is in T0 as well: byte 1 of an
// entry, where MixColumns' factor is 1. Decrypting, no factor is 1, but 14 + 9 + 13 + 11 = 1 in GF(2^8), so
// the sum of an entry's four bytes is the inverse S-box. Filling 32 KiB takes time, so blocks of threads
// stay and stride over the message.
//
// What limits it. With 1 to 8 copies: bank conflicts, about 3 passes through shared memory for each look-up;
// 2 and 4 copies are no better than 1, since lanes that share a copy also share fewer banks. With 16 copies 2
// passes, with 32 one; then the instructions that compute addresses and rotate entries limit it instead.
// Against copies: with 32 KiB a thread block, fewer of them fit on a multiprocessor.
//
// Timing class: leaky. Not with 32 copies, where the number of conflicts does not depend on data any more.
//
// Source: C. Tezcan, IEEE Access 2021, "Optimization of Advanced Encryption Standard on Graphics Processing
// Units".
#include "lab/gpu_lesson.cuh"
#include "lab/message_blocks.hpp"
#include "lab/t_table_rounds.hpp"
#include "lab/table_words.hpp"

namespace warpaes::core::lab::replicated_t_table {
namespace {

struct ReplicatedArguments : CipherArguments {
  uint32_t copies;

  explicit ReplicatedArguments(const Task& task)
      : CipherArguments(task), copies(task.variant.shape.table_copies) {}
};

template <bool Inverse>
class ReplicatedTable {
 public:
  WARPAES_HOST_DEVICE ReplicatedTable(const uint8_t* shared, uint32_t copies, uint32_t lane)
      : copy_(reinterpret_cast<const uint32_t*>(shared) + lane % copies), copies_(copies) {}

  /// This thread's share of the filling; a barrier must follow.
  template <class Thread>
  WARPAES_HOST_DEVICE static void fill(const Thread& thread, uint32_t copies) {
    auto* const words = reinterpret_cast<uint32_t*>(thread.shared());
    for (uint32_t i = thread.index(); i < 256 * copies; i += thread.count()) {
      words[i] = constant_t<Inverse>(0, i / copies);
    }
  }

  template <int Row>
  WARPAES_HOST_DEVICE uint32_t t(uint32_t column) const {
    return rotate_left(t0(byte_of<Row>(column)), 8 * Row);
  }
  template <int Row>
  WARPAES_HOST_DEVICE uint32_t box(uint32_t column) const {
    const uint32_t entry = t0(byte_of<Row>(column));
    return Inverse ? sum_of_bytes(entry) : byte_of<1>(entry);
  }

 private:
  WARPAES_HOST_DEVICE uint32_t t0(uint32_t byte) const { return copy_[copies_ * byte]; }
  WARPAES_HOST_DEVICE static uint32_t sum_of_bytes(uint32_t word) {
    const uint32_t half = word ^ word >> 16;
    return (half ^ half >> 8) & 0xff;
  }

  const uint32_t* copy_;
  uint32_t copies_;
};

template <Use Wanted>
struct Kernel : CipherKernel {
  using Arguments = ReplicatedArguments;
  static constexpr bool kStays = true;
  static uint32_t shared_bytes(const Variant& variant) { return 1024 * variant.shape.table_copies; }

  template <class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const ReplicatedArguments& message) {
    using Table = ReplicatedTable<kInverts<Wanted>>;
    Table::fill(thread, message.copies);
    thread.barrier();

    const Table table(thread.shared(), message.copies, thread.lane());
    const auto key = [&](int word) { return message.keys.word[word]; };
    crypt_message<Wanted>(thread, message, [&](Columns block) {
      return t_table_block<kInverts<Wanted>>(table, key, message.rounds, block);
    });
  }
};

struct Kernels {
  template <class Visit>
  static void choose(const Variant& variant, const Visit& visit) {
    choose_use<Kernel>(variant, visit);
  }
};

constexpr const Axis* kAxes[] = {&kThreads, &kTableCopies};

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = gpu_lesson<Kernels>({
    .name = "replicated_t_table",
    .idea = "1 to 32 copies of one T-table; with 32 each lane has a bank of its own",
    .source = "C. Tezcan, IEEE Access 2021",
    .measured = "AES-128: 878.6 Gbps (RTX 2070 Super)",
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .axes = kAxes,
    .shape = {.threads = 1024, .table_copies = 32},
});

}  // namespace warpaes::core::lab::replicated_t_table
