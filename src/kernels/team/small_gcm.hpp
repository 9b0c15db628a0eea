// GCM and CTR for messages that are too short for grid/ctr_gcm.hpp: here it matters more to start fast than
// to run fast.
//
//     one message      | J0 | block 0 | 1 | 2 | …      position p is block p - 1 of the data: counter J0 + p
//     thread of grid     0      1      2   3   …       and again from thread 0 on, if need be
//     many messages    thread block m has message m    thread t has the positions t, t + 256, …
//
// There is one table of 32 KiB, as filling four takes longer than a small message. Each thread takes one or
// two blocks of the cipher and multiplies their sum by its own power of H, so that nothing waits for anything
// but the sum at the end. The thread block that has a message makes its tag or, if the tag is wrong, wipes
// the output; of several thread blocks that share a message, the last one does (warp/message_end.hpp). The
// key stream of position 0 masks the tag. The blocks of the additional data are distributed in the same way.
//
// Key stream and powers depend on nothing in device memory, if the nonce comes with the arguments. So GCM's
// are made before the kernel waits for its predecessors (kernel.hpp), beside whose work they cost nothing,
// and data is loaded after that. CTR has no powers: it waits once the table is filled, and its key stream is
// made while its data is on the way. Of many messages, the entries of arrays have to be examined first.
//
// Timing class: conflict-free.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/warp/message_end.hpp"

namespace warpaes::core {

/// H^(d * 16^i) for d = 1 to 15: any power below 2^20 is a product of at most five of these.
struct DigitPowers {
  static constexpr uint32_t kDigits = 5, kExponents = 1u << (4 * kDigits);
  Gf128 power[kDigits][15];
};

struct SmallMessages : MessageBatch {
  RoundKeys keys;
  DigitPowers powers;
  Columns initial;       // J0 of the only message, if `nonces` is null; for CTR, the counter before the first
  SharedMessage shared;  // of the only message
};

inline void fill_digit_powers(DigitPowers& powers, Gf128 h) {
  for (auto& digit : powers.power) {
    digit[0] = h;
    for (int d = 1; d < 15; d++) digit[d] = gf128_multiply(digit[d - 1], h);
    h = gf128_multiply(digit[14], h);
  }
}

/// What a thread block keeps in shared memory behind its table.
struct SmallScratch {
  DigitPowers powers;
  MessageEndScratch end;
};

enum class SmallWork { counter, encrypt, decrypt };

/// One thread block has the only message, or all share it, without arrays in either case (is_regular() of
/// engines/batch.hpp); or each has a message of its own.
enum class SmallCount { one, shared, many };

/// One thread's work on a message.
/// @tparam Threads how many a thread block has
template <int Rounds, SmallWork Work, SmallCount Count, uint32_t Threads, class Thread>
class SmallRunner {
 public:
  using Lane = LanePrivateTables<1>;
  static constexpr bool kOne = Count != SmallCount::many, kShared = Count == SmallCount::shared;

  WARPAES_HOST_DEVICE SmallRunner(Thread& thread, const SmallMessages& batch)
      : thread_(thread),
        batch_(batch),
        tables_(thread.shared(), thread.lane()),
        scratch_(*reinterpret_cast<SmallScratch*>(thread.shared() + kTableBytes)),
        index_(kOne ? 0 : thread.block()),
        step_(kOne ? thread.block_count() * Threads : Threads),
        start_(kOne ? thread.block() * Threads + thread.index() : thread.index()),
        message_(message()) {}

  WARPAES_HOST_DEVICE void operator()(const uint32_t* t0) {
    if (kOne && batch_.nonces != nullptr) thread_.await_predecessors();
    const bool accepted = message_.refused == WARPAES_OK;
    const uint32_t blocks = accepted ? static_cast<uint32_t>((message_.bytes + 15) / 16) : 0;
    if constexpr (kHashes) copy_powers(blocks + 1 + static_cast<uint32_t>((message_.aad_bytes + 15) / 16));
    fill_table(t0);
    Pair in{};
    if constexpr (!kHashes) {
      thread_.await_predecessors();
      in = load(blocks);
    }
    thread_.barrier();
    // A message that is refused may have no nonce to load.
    const uint32_t turns = !accepted ? 0 : blocks < step_ ? 1 : 2;
    const Pair streams = key_streams(turns);
    Gf128 last_power{0, 0}, step_power{0, 0};
    if constexpr (kHashes) {
      const uint32_t last = has_second(blocks) ? second() : start_;
      if (last != 0 && last <= blocks) last_power = power(blocks + 2 - last);
      if (turns == 2) step_power = power(step_);
    }
    if constexpr (kHashes && kOne) thread_.await_predecessors();

    if constexpr (kWipes && kShared) begin_shared_message(thread_, batch_.shared);
    Gf128 sum{0, 0};
    if constexpr (kHashes) in = load(blocks);
    if (accepted) {
      if (has_first(blocks)) sum = crypt(start_, streams.first, in.first);
      if (has_second(blocks)) {
        if constexpr (kHashes) sum = gf128_multiply(sum, step_power);
        sum = sum ^ crypt(second(), streams.second, in.second);
      }
      if constexpr (kHashes) {
        sum = gf128_multiply(sum, last_power) ^ hash_of_aad(blocks);
        if (start_ == 0) sum = sum ^ lengths() ^ to_gf128(streams.first);
      }
    }
    if constexpr (kHashes) end(sum);
  }

 private:
  static constexpr bool kHashes = Work != SmallWork::counter, kWipes = Work == SmallWork::decrypt;

  /// A block for each of the thread's positions.
  struct Pair {
    Columns first, second;
  };

  /// Whether the thread's first position has a block of data, among so many.
  WARPAES_HOST_DEVICE bool has_first(uint32_t blocks) const { return start_ != 0 && start_ <= blocks; }
  WARPAES_HOST_DEVICE bool has_second(uint32_t blocks) const { return second() <= blocks; }
  WARPAES_HOST_DEVICE uint32_t second() const { return start_ + step_; }

  WARPAES_HOST_DEVICE BatchedMessage message() const {
    if constexpr (kOne) {
      return only_message(batch_);
    } else {
      return BatchedMessage(batch_, index_);
    }
  }

  WARPAES_HOST_DEVICE const uint8_t* nonce() const { return kOne ? batch_.nonces : batch_.nonce(index_); }

  /// Fills the table as Lane::fill() does, but each thread writes a whole row, so that it loads one word
  /// only. At any time neighbouring lanes are at different places of their rows, which are different banks.
  WARPAES_HOST_DEVICE void fill_table(const uint32_t* t0) const {
    constexpr uint32_t kRows = 256, kPlaces = kTableBytes / kRows / sizeof(AlignedBlock);
    AlignedBlock* const table = reinterpret_cast<AlignedBlock*>(thread_.shared());
    for (uint32_t row = thread_.index(); row < kRows; row += Threads) {
      const uint32_t word = t0[row];
      const AlignedBlock copies{word, word, word, word};
      WARPAES_UNROLL
      for (uint32_t k = 0; k < kPlaces; k++) {
        table[row * kPlaces + (row % kPlaces ^ k)] = copies;
      }
    }
  }

  /// Copies the powers of H that the message needs to shared memory.
  /// @param highest the highest exponent
  WARPAES_HOST_DEVICE void copy_powers(uint32_t highest) {
    constexpr uint32_t kDigitValues = 15, kPowers = DigitPowers::kDigits * kDigitValues;
    // All rows of the array, which lie one behind the other.
    const auto* const from = reinterpret_cast<const Gf128*>(&batch_.powers);
    auto* const to = reinterpret_cast<Gf128*>(&scratch_.powers);
    WARPAES_UNROLL
    for (uint32_t turn = 0; turn < (kPowers + Threads - 1) / Threads; turn++) {
      const uint32_t i = turn * Threads + thread_.index();
      if (i < kPowers && highest >> (4 * (i / kDigitValues)) != 0) to[i] = thread_.parameter(from + i);
    }
  }

  /// value * H^exponent. The exponent is no secret.
  WARPAES_HOST_DEVICE Gf128 times_power(Gf128 value, uint32_t exponent) const {
    WARPAES_KEEP_ROLLED
    for (uint32_t i = 0; exponent != 0; i++, exponent >>= 4) {
      const uint32_t digit = exponent & 15;
      if (digit != 0) value = gf128_multiply(value, scratch_.powers.power[i][digit - 1]);
    }
    return value;
  }

  WARPAES_HOST_DEVICE Columns counter(uint32_t position) const {
    Columns block = batch_.initial;
    if (kHashes && (kOne ? batch_.nonces != nullptr : batch_.has_nonces())) {
      block = load_bytes(nonce(), 12);
      block.d = reverse_bytes(1);
    }
    block.d = reverse_bytes(reverse_bytes(block.d) + position);
    return block;
  }

  /// H^exponent, of an exponent above 0 that copy_powers() was told of.
  WARPAES_HOST_DEVICE Gf128 power(uint32_t exponent) const {
    Gf128 product = gf128_one();
    bool is_one = true;
    WARPAES_KEEP_ROLLED
    for (uint32_t i = 0; exponent != 0; i++, exponent >>= 4) {
      const uint32_t digit = exponent & 15;
      if (digit == 0) continue;
      const Gf128 factor = scratch_.powers.power[i][digit - 1];
      product = is_one ? factor : gf128_multiply(product, factor);
      is_one = false;
    }
    return product;
  }

  /// E_K of the counters of the thread's positions.
  /// @param turns how many there are, the same number in all threads
  WARPAES_HOST_DEVICE Pair key_streams(uint32_t turns) const {
    Pair made{};
    WARPAES_KEEP_ROLLED
    for (uint32_t turn = 0; turn < turns; turn++) {
      const Columns keyed = Lane::add_round_key(counter(start_ + turn * step_), batch_.keys, 0);
      made = {made.second, tables_.template encrypt<Rounds, 1>(keyed, batch_.keys)};
    }
    if (turns == 1) made.first = made.second;
    return made;
  }

  /// The data of the thread's positions. Both loads are on their way before the first one is waited for.
  WARPAES_HOST_DEVICE Pair load(uint32_t blocks) const {
    Pair in{};
    if (has_first(blocks)) in.first = load_block(message_.input, message_.bytes, start_ - 1);
    if (has_second(blocks)) in.second = load_block(message_.input, message_.bytes, second() - 1);
    return in;
  }

  /// @return the ciphertext of this position, behind the message's end filled up with zeros
  WARPAES_HOST_DEVICE Gf128 crypt(uint32_t position, Columns stream, Columns in) const {
    const Columns out = in ^ stream;
    store_block(message_.output, message_.bytes, position - 1, out);
    const uint64_t left = message_.bytes - uint64_t{16} * (position - 1);
    const Columns ciphertext = kWipes ? in : out;
    return to_gf128(left < 16 ? keep_bytes(ciphertext, static_cast<uint32_t>(left)) : ciphertext);
  }

  /// What the last block of GHASH's input contributes to the tag.
  WARPAES_HOST_DEVICE Gf128 lengths() const {
    return gf128_multiply(ghash_lengths(message_.aad_bytes, message_.bytes), scratch_.powers.power[0][0]);
  }

  WARPAES_HOST_DEVICE Gf128 hash_of_aad(uint32_t blocks) const {
    const uint32_t aad_blocks = static_cast<uint32_t>((message_.aad_bytes + 15) / 16);
    Gf128 sum{0, 0};
    for (uint32_t i = start_; i < aad_blocks; i += step_) {
      const Gf128 block = to_gf128(load_block(message_.aad, message_.aad_bytes, i));
      sum = sum ^ times_power(block, blocks + 1 + aad_blocks - i);
    }
    return sum;
  }

  WARPAES_HOST_DEVICE void end(Gf128 sum) {
    bool ends = true;
    if constexpr (kShared) {
      Gf128 total;
      ends = sum_of_blocks(thread_, sum, batch_.shared, kWipes, scratch_.end, total);
      sum = total;
    } else {
      sum = sum_of_block(thread_, sum, scratch_.end.sums);
    }
    // All threads have passed the barrier in the sum above, and need the powers no longer.
    volatile uint32_t* powers = reinterpret_cast<uint32_t*>(&scratch_.powers);
    for (uint32_t i = thread_.index(); i < sizeof(DigitPowers) / sizeof(uint32_t); i += Threads) {
      powers[i] = 0;
    }
    if (!ends) return;
    uint8_t* const stored = kOne ? batch_.tags : batch_.tag(index_);
    constexpr Ciphertext kSide = kWipes ? Ciphertext::input : Ciphertext::output;
    end_message<kSide>(thread_, batch_, message_, index_, stored, sum, &scratch_.end.status, [this] {
      if constexpr (kShared) await_stores(thread_, batch_.shared);
    });
  }

  Thread& thread_;
  const SmallMessages& batch_;
  const Lane tables_;
  SmallScratch& scratch_;
  const uint32_t index_, step_, start_;
  const BatchedMessage message_;
};

namespace kernels::team {

/// The kernel of CTR or GCM. Of CTR it takes one message only, which any number of thread blocks share, as
/// nothing is to be added up.
template <SmallWork Work, SmallCount Count = SmallCount::one>
struct SmallGcm : ForEveryKeySize {
  static constexpr const char* kName = "team/small_gcm";
  using Arguments = SmallMessages;

  WARPAES_HOST_DEVICE static constexpr KernelPolicy policy(const LaunchPolicy& on, int) {
    return {.threads = static_cast<uint32_t>(on.small_threads),
            .shared_bytes = kTableBytes + static_cast<uint32_t>(sizeof(SmallScratch)),
            .tables = 1,
            .blocks = 0};
  }

  template <KernelPolicy kPolicy, int Rounds, class Thread>
  WARPAES_HOST_DEVICE static void run(Thread& thread, const Arguments& arguments) {
    // The message of a thread block may be described in arrays.
    if constexpr (Count == SmallCount::many) thread.await_predecessors();
    SmallRunner<Rounds, Work, Count, kPolicy.threads, Thread> run(thread, arguments);
    run(thread.t0());
  }
};

}  // namespace kernels::team

}  // namespace warpaes::core
