// One state a thread, with T-tables and round keys in constant memory, against one core.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr uint64_t kSizes[] = {1202, 4652, 9302, 18602, 37202, 74402, 148802, 297602, 595202, 1190402};
constexpr Quantity kQuantities[] = {kMilliseconds, kThroughputOverDecades};

constexpr auto kEncrypt = std::to_array<Subject>({
    {.series = "serial T-table", .name = "serial_t_table"},
    {.series = "OpenSSL, one core", .worker = Worker::engine, .name = "openssl"},
    {.series = "constant memory, copies", .name = "t_tables_in_constant_memory", .with_copies = true},
    {.series = "constant memory, in place", .name = "t_tables_in_constant_memory"},
    {.series = "production, copies", .worker = Worker::engine, .name = "cuda", .with_copies = true},
});
constexpr auto kDecrypt = decrypting(kEncrypt);

constexpr Published kEncryptPublished[] = {
    {"theirs, Core i5-7200U", 1202, 0.152, 0.00790789},
    {"theirs, Core i5-7200U", 4652, 0.689, 0.00675181},
    {"theirs, Core i5-7200U", 9302, 1.418, 0.00655994},
    {"theirs, Core i5-7200U", 18602, 2.545, 0.00730923},
    {"theirs, Core i5-7200U", 37202, 4.985, 0.00746279},
    {"theirs, Core i5-7200U", 74402, 10.099, 0.00736726},
    {"theirs, Core i5-7200U", 148802, 20.109, 0.00739977},
    {"theirs, Core i5-7200U", 297602, 39.651, 0.00750554},
    {"theirs, Core i5-7200U", 595202, 79.503, 0.00748654},
    {"theirs, Core i5-7200U", 1190402, 158.507, 0.00751009},
    {"theirs, GeForce 940MX", 1202, 0.732, 0.00164208},
    {"theirs, GeForce 940MX", 4652, 0.77, 0.00604156},
    {"theirs, GeForce 940MX", 9302, 0.784, 0.0118648},
    {"theirs, GeForce 940MX", 18602, 0.807, 0.0230508},
    {"theirs, GeForce 940MX", 37202, 0.886, 0.0419887},
    {"theirs, GeForce 940MX", 74402, 1.048, 0.0709943},
    {"theirs, GeForce 940MX", 148802, 1.302, 0.114287},
    {"theirs, GeForce 940MX", 297602, 1.896, 0.156963},
    {"theirs, GeForce 940MX", 595202, 3.145, 0.189253},
    {"theirs, GeForce 940MX", 1190402, 5.316, 0.223928},
};

constexpr Published kDecryptPublished[] = {
    {"theirs, Core i5-7200U", 1202, 0.264, 0.00455303},
    {"theirs, Core i5-7200U", 4652, 1.168, 0.00398288},
    {"theirs, Core i5-7200U", 9302, 2.081, 0.00446997},
    {"theirs, Core i5-7200U", 18602, 3.889, 0.00478323},
    {"theirs, Core i5-7200U", 37202, 7.196, 0.00516982},
    {"theirs, Core i5-7200U", 74402, 14.296, 0.00520439},
    {"theirs, Core i5-7200U", 148802, 28.493, 0.00522241},
    {"theirs, Core i5-7200U", 297602, 56.839, 0.00523588},
    {"theirs, Core i5-7200U", 595202, 113.61, 0.00523899},
    {"theirs, Core i5-7200U", 1190402, 227.203, 0.00523938},
    {"theirs, GeForce 940MX", 1202, 0.771, 0.00155901},
    {"theirs, GeForce 940MX", 4652, 0.821, 0.00566626},
    {"theirs, GeForce 940MX", 9302, 0.79, 0.0117747},
    {"theirs, GeForce 940MX", 18602, 0.821, 0.0226577},
    {"theirs, GeForce 940MX", 37202, 0.918, 0.0405251},
    {"theirs, GeForce 940MX", 74402, 1.04, 0.0715404},
    {"theirs, GeForce 940MX", 148802, 1.331, 0.111797},
    {"theirs, GeForce 940MX", 297602, 2.018, 0.147474},
    {"theirs, GeForce 940MX", 595202, 3.577, 0.166397},
    {"theirs, GeForce 940MX", 1190402, 5.847, 0.203592},
};

constexpr Panel kPanels[] = {
    {.id = "encrypt",
     .title = "Encryption",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kEncrypt,
     .published = kEncryptPublished},
    {.id = "decrypt",
     .title = "Decryption",
     .sizes = kSizes,
     .quantities = kQuantities,
     .subjects = kDecrypt,
     .published = kDecryptPublished},
};

}  // namespace

extern const Study seed2;
constinit const Study seed2 = {
    .name = "seed2",
    .title = "One state a thread: CPU against GPU",
    .question =
        "From which size of a file on is the GPU faster? Sizes are those of the original; what is encrypted "
        "is filled up to whole blocks.",
    .source =
        "AES-ON-GPU (github.com/Canhui/AES-ON-GPU): GeForce 940MX and Core i5-7200U at 2.5 GHz, CUDA 7.5, "
        "AES-128 ECB; whether copies are in its times is not said.",
    .panels = kPanels,
};

}  // namespace warpaes::core::lab
