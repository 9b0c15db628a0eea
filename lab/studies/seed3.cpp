// Where tables and keys lie, how many threads a block has, how many blocks a thread; ECB against CTR; key
// sizes.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kSizes[] = {256 * kKiB, kMiB, 4 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB};
constexpr Quantity kTimes[] = {kMilliseconds};
constexpr Quantity kSpeeds[] = {kThroughput};

constexpr Subject kBaseline[] = {
    {.series = "serial standard, encrypt", .name = "serial_standard"},
    {.series = "serial standard, decrypt", .name = "serial_standard", .direction = WARPAES_DIRECTION_DECRYPT},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "byte by byte, ECB encrypt", .name = "byte_by_byte"},
    {.series = "byte by byte, ECB decrypt", .name = "byte_by_byte", .direction = WARPAES_DIRECTION_DECRYPT},
    {.series = "byte by byte, CTR", .name = "byte_by_byte", .mode = Mode::ctr},
    {.series = "production, CTR", .worker = Worker::engine, .name = "cuda", .mode = Mode::ctr},
};

constexpr auto kKeySizes = with_all_key_sizes(std::to_array<Subject>({
    {.series = "serial, encrypt", .name = "serial_standard"},
    {.series = "serial, decrypt", .name = "serial_standard", .direction = WARPAES_DIRECTION_DECRYPT},
    {.series = "GPU, CTR", .name = "byte_by_byte", .mode = Mode::ctr},
}));

constexpr Subject kPlacements[] = {
    {.series = "keys in global memory", .name = "byte_by_byte", .settings = {{&kKeysIn, kGlobal}}},
    {.series = "keys in constant memory", .name = "byte_by_byte", .settings = {{&kKeysIn, kConstant}}},
    {.series = "keys in shared memory", .name = "byte_by_byte", .settings = {{&kKeysIn, kShared}}},
    {.series = "keys as a parameter", .name = "byte_by_byte", .settings = {{&kKeysIn, kParameter}}},
};

constexpr Subject kThreadSweep[] = {
    {.series = "byte by byte", .name = "byte_by_byte"},
    {.series = "T-tables, 1 block", .name = "many_blocks_a_thread", .settings = {{&kBlocksPerThread, 1}}},
    {.series = "T-tables, 2 blocks", .name = "many_blocks_a_thread", .settings = {{&kBlocksPerThread, 2}}},
    {.series = "T-tables, 4 blocks", .name = "many_blocks_a_thread", .settings = {{&kBlocksPerThread, 4}}},
    {.series = "T-tables, 8 blocks", .name = "many_blocks_a_thread", .settings = {{&kBlocksPerThread, 8}}},
    {.series = "32 copies of a table", .name = "replicated_t_table"},
};

constexpr Subject kCopySweep[] = {
    {.series = "ECB, encrypt", .name = "replicated_t_table"},
    {.series = "ECB, decrypt", .name = "replicated_t_table", .direction = WARPAES_DIRECTION_DECRYPT},
    {.series = "CTR", .name = "replicated_t_table", .mode = Mode::ctr},
};

constexpr Panel kPanels[] = {
    {.id = "baseline",
     .title = "CPU and GPU, by size",
     .sizes = kSizes,
     .quantities = kTimes,
     .subjects = kBaseline},
    {.id = "keys",
     .title = "Key sizes",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kSpeeds,
     .subjects = kKeySizes},
    {.id = "placement",
     .title = "The memory that the S-box is in",
     .across = Across::axis,
     .axis = &kTablesIn,
     .sizes = kBulk,
     .quantities = kSpeeds,
     .subjects = kPlacements},
    {.id = "threads",
     .title = "Threads in a block",
     .across = Across::axis,
     .axis = &kThreads,
     .sizes = kBulk,
     .quantities = kSpeeds,
     .subjects = kThreadSweep},
    {.id = "copies",
     .title = "Copies of the T-table",
     .across = Across::axis,
     .axis = &kTableCopies,
     .sizes = kBulk,
     .quantities = kSpeeds,
     .subjects = kCopySweep},
};

}  // namespace

extern const Study seed3;
constinit const Study seed3 = {
    .name = "seed3",
    .title = "Placement of tables and keys, threads and blocks",
    .question =
        "Does it matter in which memory the S-box and the round keys are, how many threads a block has, and "
        "how many blocks of AES a thread? And why is ECB slower to decrypt?",
    .source =
        "T. Nelms, CUDA AES Encryption, University of Pennsylvania CIS 565, 2019: GeForce GTX 1650, charts "
        "without figures; the text tells of some 150 times the CPU's speed between 250 KB and 250 MB, of "
        "parameters as the worst place, and of no difference between the others.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
