// FIPS 197 on one core and on a GPU, ECB with all key sizes.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kSizes[] = {kKiB, 10 * kKiB, 100 * kKiB, kMiB, 10 * kMiB, 100 * kMiB};
constexpr Quantity kQuantities[] = {kMilliseconds, kThroughputOverDecades};
constexpr Quantity kSpeeds[] = {kThroughputOverDecades};
constexpr Setting kAsTheirs[] = {{&kKeysIn, kGlobal}, {&kTablesIn, kConstant}};

constexpr Subject kEncrypt[] = {
    {.series = "serial standard", .name = "serial_standard"},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "OpenSSL, all cores", .worker = Worker::engine, .name = "openssl", .threads = 0},
    {.series = "byte by byte, copies",
     .name = "byte_by_byte",
     .with_copies = true,
     .settings = {kAsTheirs[0], kAsTheirs[1]}},
    {.series = "byte by byte, in place", .name = "byte_by_byte", .settings = {kAsTheirs[0], kAsTheirs[1]}},
    {.series = "production, copies", .worker = Worker::engine, .name = "cuda", .with_copies = true},
    {.series = "production, in place", .worker = Worker::engine, .name = "cuda"},
};

constexpr Published kPublished[] = {
    {"theirs, one core", 1 * kKiB, 0.11},        {"theirs, one core", 10 * kKiB, 1.1},
    {"theirs, one core", 100 * kKiB, 11},        {"theirs, one core", 1024 * kKiB, 115},
    {"theirs, one core", 10240 * kKiB, 1150},    {"theirs, one core", 102400 * kKiB, 11300},
    {"theirs, GPU not named", 1 * kKiB, 0.01},   {"theirs, GPU not named", 10 * kKiB, 0.008},
    {"theirs, GPU not named", 100 * kKiB, 0.1},  {"theirs, GPU not named", 1024 * kKiB, 1.0},
    {"theirs, GPU not named", 10240 * kKiB, 10}, {"theirs, GPU not named", 102400 * kKiB, 296},
};

constexpr auto kKeySizes = with_all_key_sizes(std::to_array<Subject>({
    {.series = "serial standard", .name = "serial_standard"},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "byte by byte", .name = "byte_by_byte"},
    {.series = "byte by byte, decrypt", .name = "byte_by_byte", .direction = WARPAES_DIRECTION_DECRYPT},
    {.series = "production", .worker = Worker::engine, .name = "cuda"},
}));

constexpr Panel kPanels[] = {
    {.id = "encrypt",
     .title = "AES-128 ECB, encryption",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kEncrypt,
     .published = kPublished},
    {.id = "keys",
     .title = "Key sizes",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kSpeeds,
     .subjects = kKeySizes},
};

}  // namespace

extern const Study seed4;
constinit const Study seed4 = {
    .name = "seed4",
    .title = "FIPS 197 on a CPU and a GPU",
    .question = "How much faster is the standard, taken word by word, on a GPU, from 1 KB to 100 MB?",
    .source =
        "S. Das, Advanced Encryption Standard (AES) Implementation, IIT Jodhpur, 2025: neither CPU nor GPU "
        "are named; its times are shown, as its rates do not follow from them.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
