// A program that encrypts files, with the tables of MixColumns in shared memory, against `openssl enc`.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

// 71,264 bytes are the 69.6 KB of the original, in whole blocks.
constexpr uint64_t kSizes[] = {71264, kMiB, 16 * kMiB, 256 * kMiB};
constexpr uint64_t kKeys[] = {16 * kKiB, kMiB, 16 * kMiB};
constexpr Quantity kTimes[] = {kMilliseconds};
constexpr Quantity kResources[] = {kOccupancy, kRegisters, kSharedMemory};

constexpr Subject kFiles[] = {
    {.series = "openssl enc, file to file", .worker = Worker::program, .name = "openssl"},
    {.series = "OpenSSL in memory, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "MixColumns by tables", .name = "mix_columns_by_tables", .with_copies = true},
    {.series = "production, overlapped copies",
     .worker = Worker::engine,
     .name = "cuda",
     .with_copies = true},
};

constexpr Published kFilesPublished[] = {
    {"openssl enc, their CPU", 71264, 11},
    {"their program, GPU not named", 71264, 0.339552},
};

constexpr Subject kKeyExpansion[] = {
    {.series = "one thread", .name = "key_expansion_by_one_thread", .mode = Mode::key_expansion},
    {.series = "a warp", .name = "key_expansion_by_a_warp", .mode = Mode::key_expansion},
    {.series = "a key each thread", .name = "key_expansion_in_batch", .mode = Mode::key_expansion},
};

constexpr Subject kOccupancies[] = {
    {.series = "encrypt", .name = "byte_by_byte", .step = "bytes"},
    {.series = "encrypt", .name = "mix_columns_by_tables", .step = "MixColumns"},
    {.series = "encrypt", .name = "t_tables_in_constant_memory", .step = "constant"},
    {.series = "encrypt", .name = "t_tables_in_shared_memory", .step = "shared"},
    {.series = "encrypt", .name = "round_keys_by_shuffle", .step = "shuffle"},
    {.series = "encrypt", .name = "many_blocks_a_thread", .step = "2 blocks"},
    {.series = "encrypt", .name = "replicated_t_table", .step = "32 copies"},
    {.series = "encrypt", .name = "lane_private_rows", .step = "rows"},
    {.series = "encrypt", .name = "bitsliced_in_one_thread", .step = "bitsliced"},
    {.series = "decrypt", .name = "byte_by_byte", .direction = WARPAES_DIRECTION_DECRYPT, .step = "bytes"},
    {.series = "decrypt",
     .name = "mix_columns_by_tables",
     .direction = WARPAES_DIRECTION_DECRYPT,
     .step = "MixColumns"},
    {.series = "decrypt",
     .name = "t_tables_in_shared_memory",
     .direction = WARPAES_DIRECTION_DECRYPT,
     .step = "shared"},
    {.series = "decrypt",
     .name = "replicated_t_table",
     .direction = WARPAES_DIRECTION_DECRYPT,
     .step = "32 copies"},
};

constexpr Panel kPanels[] = {
    {.id = "file",
     .title = "A file encrypted",
     .sizes = kSizes,
     .quantities = kTimes,
     .subjects = kFiles,
     .published = kFilesPublished},
    {.id = "keys",
     .title = "Keys expanded on the GPU, by their bytes",
     .sizes = kKeys,
     .quantities = kTimes,
     .subjects = kKeyExpansion},
    {.id = "occupancy",
     .title = "What each kernel takes of the GPU",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kResources,
     .subjects = kOccupancies},
};

}  // namespace

extern const Study seed1;
constinit const Study seed1 = {
    .name = "seed1",
    .title = "A file encryptor beside openssl enc",
    .question = "What does a GPU bring to a program that encrypts a file, and what does a kernel take of it?",
    .source =
        "Y. Asseged, Advanced Encryption Standard, University of Minnesota EE 5351, 2022: 11 ms of user and "
        "system time for openssl enc, files included; 0.34 ms on a GPU that is not named; 40 registers a "
        "thread, and 6 blocks of 256 threads a multiprocessor computed for a GTX 1080.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
