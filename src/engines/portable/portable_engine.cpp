#include "engines/portable/portable_engine.hpp"

#include "primitives/fips197_rounds.hpp"
#include "primitives/t_table_rounds.hpp"

namespace warpaes::core {
namespace {

struct PortableKey : EngineKey {
  explicit PortableKey(const KeySchedule& key_schedule) : schedule(key_schedule) {}
  const KeySchedule schedule;
};

std::unique_ptr<EngineKey> prepare(const KeySchedule& schedule, int) {
  return std::make_unique<PortableKey>(schedule);
}

Availability available(int) { return {true, ""}; }

using BlockFunction = void (*)(const KeySchedule& schedule, const uint8_t* input, uint8_t* output);

template <BlockFunction kBlock>
void run_blocks(const EngineKey& key, const BlockRun& run, Stream) {
  const KeySchedule& schedule = static_cast<const PortableKey&>(key).schedule;
  for (uint64_t at = 0; at < run.bytes; at += 16) kBlock(schedule, run.input + at, run.output + at);
}

void t_table_encrypt(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  t_table_block(kTTableEncryption, schedule.encryption(), schedule.rounds(), input, output);
}

void t_table_decrypt(const KeySchedule& schedule, const uint8_t* input, uint8_t* output) {
  t_table_block(kTTableDecryption, schedule.decryption(), schedule.rounds(), input, output);
}

}  // namespace

const Engine portable_t_tables = {
    .name = "portable",
    .kernel = "t_tables",
    .description = "CPU, one 1 KiB T-table a direction, in plain C++",
    .timing = WARPAES_TIMING_LEAKY,
    .memory = Memory::host,
    .available = available,
    .prepare = prepare,
    .encrypt_blocks = run_blocks<t_table_encrypt>,
    .decrypt_blocks = run_blocks<t_table_decrypt>,
};

const Engine portable_fips197 = {
    .name = "portable",
    .kernel = "fips197",
    .description = "CPU, FIPS 197 as it is written, byte by byte",
    .timing = WARPAES_TIMING_LEAKY,
    .memory = Memory::host,
    .available = available,
    .prepare = prepare,
    .encrypt_blocks = run_blocks<fips197::encrypt_block>,
    .decrypt_blocks = run_blocks<fips197::decrypt_block>,
};

}  // namespace warpaes::core
