// From the naive kernel to production, one idea a step.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr Quantity kQuantities[] = {kThroughput, kOccupancy, kRegisters, kSharedMemory};
constexpr Quantity kSpeeds[] = {kThroughput};
constexpr uint64_t kLarge[] = {kGiB, 256 * kMiB, 64 * kMiB, kMiB};
constexpr uint64_t kHashed[] = {64 * kMiB, kMiB};

constexpr Subject kCtr[] = {
    {.series = "this GPU", .name = "byte_by_byte", .mode = Mode::ctr, .step = "bytes"},
    {.series = "this GPU", .name = "mix_columns_by_tables", .mode = Mode::ctr, .step = "MixColumns"},
    {.series = "this GPU", .name = "t_tables_in_constant_memory", .mode = Mode::ctr, .step = "constant"},
    {.series = "this GPU", .name = "t_tables_in_shared_memory", .mode = Mode::ctr, .step = "shared"},
    {.series = "this GPU", .name = "round_keys_by_shuffle", .mode = Mode::ctr, .step = "shuffle"},
    {.series = "this GPU", .name = "many_blocks_a_thread", .mode = Mode::ctr, .step = "2 blocks"},
    {.series = "this GPU", .name = "replicated_t_table", .mode = Mode::ctr, .step = "32 copies"},
    {.series = "this GPU", .name = "lane_private_rows", .mode = Mode::ctr, .step = "rows"},
    {.series = "this GPU", .name = "counter_caching", .mode = Mode::ctr, .step = "counters"},
    {.series = "this GPU", .name = "bitsliced_in_one_thread", .mode = Mode::ctr, .step = "bitsliced"},
    {.series = "this GPU", .worker = Worker::engine, .name = "cuda", .mode = Mode::ctr, .step = "production"},
};

constexpr Subject kGhash[] = {
    {.series = "this GPU", .name = "ghash_bit_by_bit", .mode = Mode::ghash, .step = "bit by bit"},
    {.series = "this GPU", .name = "ghash_4_bit_table", .mode = Mode::ghash, .step = "4 bits"},
    {.series = "this GPU", .name = "ghash_8_bit_table", .mode = Mode::ghash, .step = "8 bits"},
    {.series = "this GPU", .name = "ghash_multiply_with_holes", .mode = Mode::ghash, .step = "holes"},
    {.series = "this GPU", .name = "ghash_clmad", .mode = Mode::ghash, .step = "clmad"},
    {.series = "this GPU", .name = "ghash_binary_tensor_cores", .mode = Mode::ghash, .step = "tensor"},
};

constexpr Subject kProduction[] = {
    {.series = "this GPU",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .mode = Mode::ctr,
     .step = "tables"},
    {.series = "this GPU",
     .worker = Worker::engine,
     .name = "cuda/bitsliced",
     .mode = Mode::ctr,
     .step = "bit planes"},
};

// In the order of their speed: Iwai and others; Q. Li and others, HPCC 2012, 60 Gbit/s; Abdelrahman and
// others 2017; Tezcan, IEEE Access 2021; Hajihassani and others, TPDS 2019; one public run. The figures are
// Gbit/s divided by 8.
constexpr Published kLiterature[] = {
    {.series = "published", .gb_per_s = 4.375, .step = "GTX 285"},
    {.series = "published", .gb_per_s = 7.5, .step = "C2050"},
    {.series = "published", .gb_per_s = 25.875, .step = "Titan X"},
    {.series = "published", .gb_per_s = 35, .step = "GTX 1080"},
    {.series = "published", .gb_per_s = 109.825, .step = "2070 Super"},
    {.series = "published", .gb_per_s = 183.75, .step = "V100"},
    {.series = "published", .gb_per_s = 382.5, .step = "RTX 4090"},
};

// Public code, all measured in one run on an NVIDIA H200.
constexpr Published kPublicCode[] = {
    {.series = "public code, H200", .gb_per_s = 161, .step = "bytes"},
    {.series = "public code, H200", .gb_per_s = 459, .step = "32 copies"},
    {.series = "public code, H200", .gb_per_s = 400, .step = "bitsliced"},
};

constexpr Panel kPanels[] = {
    {.id = "ctr",
     .title = "AES-128 CTR, data in the GPU's memory",
     .across = Across::steps,
     .sizes = kLarge,
     .quantities = kQuantities,
     .subjects = kCtr,
     .published = kPublicCode},
    {.id = "ghash",
     .title = "GHASH, data in the GPU's memory",
     .across = Across::steps,
     .sizes = kHashed,
     .quantities = kQuantities,
     .subjects = kGhash},
    {.id = "literature",
     .title = "AES-128 in the literature, and production's two engines here",
     .across = Across::steps,
     .sizes = kLarge,
     .quantities = kSpeeds,
     .subjects = kProduction,
     .published = kLiterature},
};

}  // namespace

extern const Study ladder;
constinit const Study ladder = {
    .name = "ladder",
    .title = "The ladder: one idea a step",
    .question =
        "What does each idea bring, from the standard byte by byte to the kernel that production has, and "
        "what does it take of the GPU?",
    .source =
        "Each lesson names its source. In the literature: 35 Gbit/s (GTX 285), 60 Gbit/s (C2050), 207 Gbit/s "
        "(Titan X), 280 Gbit/s (GTX 1080), 878.6 Gbit/s (RTX 2070 Super, IEEE Access 2021), 1.47 Tbit/s "
        "(V100, bitsliced, TPDS 2019), 3.06 Tbit/s (RTX 4090, one public run). Public code, run once on an "
        "NVIDIA H200: 161 GB/s (byte by byte, CTR), 459 GB/s (CTR, layout of its own), 400 GB/s (bitsliced, "
        "key stream only).",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
