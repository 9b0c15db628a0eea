// AES by T-tables on one core of the CPU.
//
// Idea. SubBytes maps a byte to a byte, MixColumns multiplies it with the four numbers of a column of its
// matrix: together they map a byte to a word, and there are 256 bytes. So a table of 256 words (1 KiB)
// holds both. ShiftRows only says which byte is taken. A column of the new state is four look-ups and four
// XORs with the round key, and a round of AES is 16 look-ups: no multiplication is left. Tables for the
// other three rows are the first one with its words rotated.
//
// Decryption works the same way if its steps are put into the same order, which needs InvMixColumns of the
// round keys: the equivalent inverse cipher, FIPS 197 section 5.3.5. Then it is as fast as encryption.
//
// Threads and memory. One thread, one block after the other. The table stays in the first-level cache, 1
// KiB of some 32 or 48.
//
// What limits it. The look-ups: 160 for a block of AES-128, of which a core can start two or three a clock,
// each waiting for the round before. Instructions that do a round in hardware (AES-NI) made this obsolete
// on CPUs; a GPU has none, so there this idea lives on.
//
// Timing class: leaky. Bernstein (2005) and Osvik, Shamir and Tromer (2006) took keys from the cache lines
// that T-tables touch.
//
// Source: Daemen and Rijmen, AES proposal, section 5.2.1; code in src/primitives/t_table_rounds.hpp.
#include "lab/lesson.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core::lab::serial_t_table {
namespace {

void crypt_ecb(const Task& task) {
  const bool encrypts = task.variant.direction == WARPAES_DIRECTION_ENCRYPT;
  const TTableDirection& direction = encrypts ? kTTableEncryption : kTTableDecryption;
  const RoundKeys& keys = encrypts ? task.schedule.encryption() : task.schedule.decryption();
  for (uint64_t i = 0; i < task.bytes; i += 16)
    t_table_block(direction, keys, task.schedule.rounds(), task.input + i, task.output + i);
}

void crypt_ctr(const Task& task) {
  const RoundKeys& keys = task.schedule.encryption();
  for (uint64_t i = 0; i < task.bytes; i += 16) {
    uint8_t counter[16], stream[16];
    store_counter(counter, add128(task.counter, i / 16));
    t_table_block(kTTableEncryption, keys, task.schedule.rounds(), counter, stream);
    for (uint64_t j = 0; j < 16 && i + j < task.bytes; j++)
      task.output[i + j] = task.input[i + j] ^ stream[j];
  }
}

void run(const Task& task) { task.variant.mode == Mode::ctr ? crypt_ctr(task) : crypt_ecb(task); }

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = {
    .name = "serial_t_table",
    .idea = "SubBytes and MixColumns of a byte are one look-up in a table of 256 words",
    .source = "Daemen and Rijmen, AES proposal 5.2.1; Q. Chen, course report, Columbia 2024: cpu_fast",
    .measured =
        "AES-128 ECB, 256 MB: 4.12 s encrypting, 4.36 s decrypting (one core of a host with an NVIDIA L4)",
    .machine = Machine::cpu,
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .run_on_cpu = run,
};

}  // namespace warpaes::core::lab::serial_t_table
