// How long does one call take, from the host and back, and how much longer now and then?
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kSizes[] = {16, 256, kKiB, 4 * kKiB, 16 * kKiB, 64 * kKiB, 256 * kKiB, kMiB, 64 * kMiB};
constexpr Quantity kQuantities[] = {kMedianLatency, kTailLatency};

constexpr Subject kGcm[] = {
    {.series = "GCM, a call",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .production_mode = "gcm"},
    {.series = "GCM, in a graph",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .production_mode = "gcm",
     .in_graph = true},
    {.series = "GCM decryption, a call",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .direction = WARPAES_DIRECTION_DECRYPT,
     .production_mode = "gcm"},
    {.series = "GCM, bit planes, a call",
     .worker = Worker::engine,
     .name = "cuda/bitsliced",
     .production_mode = "gcm"},
    {.series = "OpenSSL GCM, one core",
     .worker = Worker::engine,
     .name = "openssl",
     .production_mode = "gcm"},
};

constexpr Subject kCtr[] = {
    {.series = "CTR, a call",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .mode = Mode::ctr},
    {.series = "CTR, in a graph",
     .worker = Worker::engine,
     .name = "cuda/lane_private_tables",
     .mode = Mode::ctr,
     .in_graph = true},
    {.series = "CTR, bit planes, a call",
     .worker = Worker::engine,
     .name = "cuda/bitsliced",
     .mode = Mode::ctr},
    {.series = "OpenSSL CTR, one core", .worker = Worker::engine, .name = "openssl", .mode = Mode::ctr},
};

constexpr Subject kLessons[] = {
    {.series = "byte by byte", .name = "byte_by_byte", .mode = Mode::ctr},
    {.series = "T-tables, constant", .name = "t_tables_in_constant_memory", .mode = Mode::ctr},
    {.series = "T-tables, shared", .name = "t_tables_in_shared_memory", .mode = Mode::ctr},
    {.series = "32 copies", .name = "replicated_t_table", .mode = Mode::ctr},
    {.series = "lane-private rows", .name = "lane_private_rows", .mode = Mode::ctr},
    {.series = "bitsliced", .name = "bitsliced_in_one_thread", .mode = Mode::ctr},
};

constexpr Panel kPanels[] = {
    {.id = "gcm",
     .title = "AES-128 GCM, one message",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kGcm,
     .measure = Measure::latency},
    {.id = "ctr",
     .title = "AES-128 CTR, one message",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kCtr,
     .measure = Measure::latency},
    {.id = "lessons",
     .title = "AES-128 CTR by the ladder's kernels, one message",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kLessons,
     .measure = Measure::latency},
};

}  // namespace

extern const Study latency;
constinit const Study latency = {
    .name = "latency",
    .title = "Latency of a single call",
    .question =
        "How long does one call take, from 16 bytes to 64 MiB, and how much longer does one in a hundred "
        "take?",
    .source =
        "A sample is one call: by the host's clock, from the call until the host knows that the GPU has "
        "ended (cudaStreamSynchronize), with the data in the GPU's memory; 200 to 2,000 of them, one "
        "after the other. Percentiles by nearest rank. OpenSSL works in host memory.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
