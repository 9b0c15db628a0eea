// AES as the standard writes it, one block after the other, on one core of the CPU.
//
// Idea. FIPS 197 describes a block as 4 x 4 bytes and a round as four functions of it: SubBytes, ShiftRows,
// MixColumns and AddRoundKey. This lesson calls them one by one, byte by byte, and nothing else. It is
// where everything else begins, and what everything else is compared with: if another lesson differs from
// it, this one is right. Read src/primitives/fips197_rounds.cpp beside sections 5.1 and 5.3 of the
// standard.
//
// Threads and memory. One thread. The state is 16 bytes, the S-box 256, the round keys 176 to 240.
// MixColumns' factors are known beforehand, so its products stand in tables of 256 bytes, one for each
// factor: 1, 2 and 3 to encrypt, 9, 11, 13 and 14 to decrypt. All of it stays in the first-level cache.
//
// What limits it. The number of instructions. MixColumns makes each of 16 bytes of four products, which are
// 64 look-ups a round beside SubBytes' 16; ShiftRows moves each byte; none of that is done in words, none in
// parallel. Decryption takes the same steps, so it is as fast: it would be slower if its larger factors were
// multiplied out.
//
// Modes. ECB (SP 800-38A 6.1) passes each block through the cipher. CTR (6.5) passes a counter through it
// and XORs the result with the data: so CTR decrypts with the cipher's encryption, and needs no whole last
// block.
//
// Timing class: leaky. The S-box is looked up at addresses that depend on the key, and caches tell.
//
// Source: NIST FIPS 197 and SP 800-38A.
#include "lab/lesson.hpp"
#include "primitives/fips197_rounds.hpp"

namespace warpaes::core::lab::serial_standard {
namespace {

void encrypt_ecb(const Task& task) {
  for (uint64_t i = 0; i < task.bytes; i += 16)
    fips197::encrypt_block(task.schedule, task.input + i, task.output + i);
}

void decrypt_ecb(const Task& task) {
  for (uint64_t i = 0; i < task.bytes; i += 16)
    fips197::decrypt_block(task.schedule, task.input + i, task.output + i);
}

void crypt_ctr(const Task& task) {
  for (uint64_t i = 0; i < task.bytes; i += 16) {
    uint8_t counter[16], stream[16];
    store_counter(counter, add128(task.counter, i / 16));
    fips197::encrypt_block(task.schedule, counter, stream);
    for (uint64_t j = 0; j < 16 && i + j < task.bytes; j++)
      task.output[i + j] = task.input[i + j] ^ stream[j];
  }
}

void run(const Task& task) {
  if (task.variant.mode == Mode::ctr) return crypt_ctr(task);
  task.variant.direction == WARPAES_DIRECTION_ENCRYPT ? encrypt_ecb(task) : decrypt_ecb(task);
}

}  // namespace

extern const Lesson lesson;
constinit const Lesson lesson = {
    .name = "serial_standard",
    .idea = "FIPS 197 as it is written, byte by byte, on one core",
    .source = "FIPS 197; SP 800-38A; the serial program of three of the five studied documents",
    .measured = "AES-128 ECB, 4 MB: 11.7 s (a host with an NVIDIA L4); another: 8.85 MB/s (one core)",
    .machine = Machine::cpu,
    .modes = kEcbAndCtr,
    .key_bits = kAllKeySizes,
    .directions = kBothDirections,
    .run_on_cpu = run,
};

}  // namespace warpaes::core::lab::serial_standard
