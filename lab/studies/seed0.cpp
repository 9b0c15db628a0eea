// Five implementations of AES-128 in ECB on an NVIDIA L4, with all copies in the time of the GPU's.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kSizes[] = {kKiB,     4 * kKiB,  16 * kKiB, 64 * kKiB,  256 * kKiB, kMiB,
                               4 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB, kGiB};
constexpr Quantity kQuantities[] = {kMilliseconds};
constexpr Quantity kBoth[] = {kMilliseconds, kThroughputOverDecades};

constexpr auto kEncrypt = std::to_array<Subject>({
    {.series = "serial standard", .name = "serial_standard"},
    {.series = "serial T-table", .name = "serial_t_table"},
    {.series = "constant memory", .name = "t_tables_in_constant_memory", .with_copies = true},
    {.series = "shared memory", .name = "t_tables_in_shared_memory", .with_copies = true},
    {.series = "shuffle", .name = "round_keys_by_shuffle", .with_copies = true},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "production, GPU", .worker = Worker::engine, .name = "cuda", .with_copies = true},
});
constexpr auto kDecrypt = decrypting(kEncrypt);

constexpr auto kEncryptInPlace = std::to_array<Subject>({
    {.series = "serial T-table", .name = "serial_t_table"},
    {.series = "constant memory", .name = "t_tables_in_constant_memory"},
    {.series = "shared memory", .name = "t_tables_in_shared_memory"},
    {.series = "shuffle", .name = "round_keys_by_shuffle"},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "production, GPU", .worker = Worker::engine, .name = "cuda"},
});
constexpr auto kDecryptInPlace = decrypting(kEncryptInPlace);

constexpr Published kEncryptPublished[] = {
    {"serial standard, their CPU", 1 * kKiB, 3.07919},
    {"serial standard, their CPU", 4 * kKiB, 11.97104},
    {"serial standard, their CPU", 16 * kKiB, 45.90691},
    {"serial standard, their CPU", 64 * kKiB, 188.7841},
    {"serial standard, their CPU", 256 * kKiB, 732.32587},
    {"serial standard, their CPU", 1024 * kKiB, 2931.22437},
    {"serial standard, their CPU", 4096 * kKiB, 11711.59668},
    {"serial T-table, their CPU", 1 * kKiB, 0.01576},
    {"serial T-table, their CPU", 4 * kKiB, 0.06718},
    {"serial T-table, their CPU", 16 * kKiB, 0.3458},
    {"serial T-table, their CPU", 64 * kKiB, 0.96462},
    {"serial T-table, their CPU", 256 * kKiB, 3.87155},
    {"serial T-table, their CPU", 1024 * kKiB, 15.48738},
    {"serial T-table, their CPU", 4096 * kKiB, 62.01337},
    {"serial T-table, their CPU", 16384 * kKiB, 257.34875},
    {"serial T-table, their CPU", 65536 * kKiB, 1027.41748},
    {"serial T-table, their CPU", 262144 * kKiB, 4117.96191},
    {"constant memory, L4", 1 * kKiB, 0.96115},
    {"constant memory, L4", 4 * kKiB, 0.15987},
    {"constant memory, L4", 16 * kKiB, 0.28224},
    {"constant memory, L4", 64 * kKiB, 0.73933},
    {"constant memory, L4", 256 * kKiB, 2.67312},
    {"constant memory, L4", 1024 * kKiB, 10.76221},
    {"constant memory, L4", 4096 * kKiB, 41.97616},
    {"constant memory, L4", 16384 * kKiB, 164.95532},
    {"constant memory, L4", 65536 * kKiB, 658.29834},
    {"constant memory, L4", 262144 * kKiB, 2629.70996},
    {"constant memory, L4", 1048576 * kKiB, 11108.06055},
    {"shared memory, L4", 1 * kKiB, 0.09824},
    {"shared memory, L4", 4 * kKiB, 0.07869},
    {"shared memory, L4", 16 * kKiB, 0.10202},
    {"shared memory, L4", 64 * kKiB, 0.12486},
    {"shared memory, L4", 256 * kKiB, 0.50253},
    {"shared memory, L4", 1024 * kKiB, 1.1664},
    {"shared memory, L4", 4096 * kKiB, 3.78426},
    {"shared memory, L4", 16384 * kKiB, 13.79946},
    {"shared memory, L4", 65536 * kKiB, 53.60067},
    {"shared memory, L4", 262144 * kKiB, 211.45465},
    {"shared memory, L4", 1048576 * kKiB, 840.46783},
    {"shuffle, L4", 1 * kKiB, 0.11373},
    {"shuffle, L4", 4 * kKiB, 0.08547},
    {"shuffle, L4", 16 * kKiB, 0.11066},
    {"shuffle, L4", 64 * kKiB, 0.12029},
    {"shuffle, L4", 256 * kKiB, 0.33994},
    {"shuffle, L4", 1024 * kKiB, 1.19392},
    {"shuffle, L4", 4096 * kKiB, 3.69482},
    {"shuffle, L4", 16384 * kKiB, 14.03952},
    {"shuffle, L4", 65536 * kKiB, 54.616},
    {"shuffle, L4", 262144 * kKiB, 216.68985},
    {"shuffle, L4", 1048576 * kKiB, 869.37262},
};

constexpr Published kDecryptPublished[] = {
    {"serial standard, their CPU", 1 * kKiB, 3.10825},
    {"serial standard, their CPU", 4 * kKiB, 12.07829},
    {"serial standard, their CPU", 16 * kKiB, 52.21043},
    {"serial standard, their CPU", 64 * kKiB, 193.43338},
    {"serial standard, their CPU", 256 * kKiB, 772.5567},
    {"serial standard, their CPU", 1024 * kKiB, 3068.2168},
    {"serial standard, their CPU", 4096 * kKiB, 12334.28516},
    {"serial T-table, their CPU", 1 * kKiB, 0.01631},
    {"serial T-table, their CPU", 4 * kKiB, 0.06357},
    {"serial T-table, their CPU", 16 * kKiB, 0.35697},
    {"serial T-table, their CPU", 64 * kKiB, 1.01128},
    {"serial T-table, their CPU", 256 * kKiB, 4.06097},
    {"serial T-table, their CPU", 1024 * kKiB, 16.38016},
    {"serial T-table, their CPU", 4096 * kKiB, 65.1907},
    {"serial T-table, their CPU", 16384 * kKiB, 268.84918},
    {"serial T-table, their CPU", 65536 * kKiB, 1078.15833},
    {"serial T-table, their CPU", 262144 * kKiB, 4356.8335},
    {"constant memory, L4", 1 * kKiB, 0.13136},
    {"constant memory, L4", 4 * kKiB, 0.14298},
    {"constant memory, L4", 16 * kKiB, 0.24646},
    {"constant memory, L4", 64 * kKiB, 0.71846},
    {"constant memory, L4", 256 * kKiB, 2.76986},
    {"constant memory, L4", 1024 * kKiB, 11.13709},
    {"constant memory, L4", 4096 * kKiB, 43.76183},
    {"constant memory, L4", 16384 * kKiB, 173.1078},
    {"constant memory, L4", 65536 * kKiB, 690.63916},
    {"constant memory, L4", 262144 * kKiB, 2758.26123},
    {"constant memory, L4", 1048576 * kKiB, 11626.77637},
    {"shared memory, L4", 1 * kKiB, 0.10714},
    {"shared memory, L4", 4 * kKiB, 0.08662},
    {"shared memory, L4", 16 * kKiB, 0.09795},
    {"shared memory, L4", 64 * kKiB, 0.11632},
    {"shared memory, L4", 256 * kKiB, 0.3111},
    {"shared memory, L4", 1024 * kKiB, 1.15152},
    {"shared memory, L4", 4096 * kKiB, 3.70528},
    {"shared memory, L4", 16384 * kKiB, 13.84352},
    {"shared memory, L4", 65536 * kKiB, 53.91034},
    {"shared memory, L4", 262144 * kKiB, 213.32719},
    {"shared memory, L4", 1048576 * kKiB, 848.47613},
    {"shuffle, L4", 1 * kKiB, 0.11037},
    {"shuffle, L4", 4 * kKiB, 0.08179},
    {"shuffle, L4", 16 * kKiB, 0.10275},
    {"shuffle, L4", 64 * kKiB, 0.12342},
    {"shuffle, L4", 256 * kKiB, 0.30829},
    {"shuffle, L4", 1024 * kKiB, 1.17562},
    {"shuffle, L4", 4096 * kKiB, 3.76592},
    {"shuffle, L4", 16384 * kKiB, 14.17328},
    {"shuffle, L4", 65536 * kKiB, 55.63277},
    {"shuffle, L4", 262144 * kKiB, 218.60226},
    {"shuffle, L4", 1048576 * kKiB, 872.73163},
};

constexpr Panel kPanels[] = {
    {.id = "encrypt",
     .title = "Encryption, copies included",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kEncrypt,
     .published = kEncryptPublished},
    {.id = "decrypt",
     .title = "Decryption, copies included",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kDecrypt,
     .published = kDecryptPublished},
    {.id = "encrypt-in-place",
     .title = "Encryption, data in the GPU's memory",
     .sizes = kSizes,
     .quantities = kBoth,
     .subjects = kEncryptInPlace},
    {.id = "decrypt-in-place",
     .title = "Decryption, data in the GPU's memory",
     .sizes = kSizes,
     .quantities = kBoth,
     .subjects = kDecryptInPlace},
};

}  // namespace

extern const Study seed0;
constinit const Study seed0 = {
    .name = "seed0",
    .title = "Five implementations of AES-128 ECB",
    .question =
        "What do T-tables, constant memory, shared memory and warp shuffles each bring, from 1 KiB to 1 GiB?",
    .source =
        "Q. Chen, GPU-Accelerated AES Algorithm, course report, Columbia University, 2024: NVIDIA L4, CUDA "
        "12.6, copies included in the GPU's times; the CPU is not named.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
