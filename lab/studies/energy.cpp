// What does a gigabyte cost in energy?
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr Quantity kAccuracy = {"accuracy_percent", "Accuracy", "% of the energy, by the counter's steps",
                                "linear"};
constexpr Quantity kQuantities[] = {kEnergy, kPower, kAccuracy};

constexpr Subject kGpu[] = {
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
    {.series = "this GPU",
     .worker = Worker::engine,
     .name = "cuda/bitsliced",
     .mode = Mode::ctr,
     .step = "CTR planes"},
    {.series = "this GPU",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .mode = Mode::ctr,
     .step = "CTR"},
    {.series = "this GPU",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .step = "GCM",
     .production_mode = "gcm"},
    {.series = "this GPU", .worker = Worker::engine, .name = "cuda/lane_private_tables", .step = "ECB"},
};

constexpr Subject kCpu[] = {
    {.series = "OpenSSL CTR",
     .worker = Worker::engine,
     .name = "openssl",
     .mode = Mode::ctr,
     .step = "one core"},
    {.series = "OpenSSL CTR",
     .worker = Worker::engine,
     .name = "openssl",
     .mode = Mode::ctr,
     .threads = 0,
     .step = "all cores"},
};

constexpr Panel kPanels[] = {
    {.id = "gpu",
     .title = "AES-128, data in the GPU's memory: the ladder in CTR, and production",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kQuantities,
     .subjects = kGpu,
     .measure = Measure::energy},
    {.id = "cpu",
     .title = "AES-128 CTR on the CPU",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kQuantities,
     .subjects = kCpu,
     .measure = Measure::energy},
};

}  // namespace

extern const Study energy;
constinit const Study energy = {
    .name = "energy",
    .title = "Energy",
    .question = "How many joules does a gigabyte take, and does a faster kernel also take less of them?",
    .source =
        "The GPU's: NVML's counter of the whole board, in steps. Calls follow each other for 2 s, from "
        "one step of the counter to another, and what the GPU uses with nothing at work is taken off. The "
        "accuracy that is told is what those steps allow: one of them, under load and at rest. The "
        "sensor's own error, which NVML does not document, comes on top. The CPU's: its packages, by "
        "RAPL, likewise.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
