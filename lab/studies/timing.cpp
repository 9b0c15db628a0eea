// Does the time of a kernel depend on its data? If blocks are equal, all lanes of a warp look up the same
// entries, so that constant memory serves them at once and no two lanes wait for the same bank. If blocks are
// random, the entries differ. A kernel whose times differ leaks.
#include "lab/studies/study.hpp"

namespace warpaes::core::lab {
namespace {

constexpr Quantity kQuantities[] = {kThroughput};

constexpr Subject kSubjects[] = {
    {.series = "random blocks",
     .name = "t_tables_in_constant_memory",
     .step = "constant",
     .input = Input::random},
    {.series = "random blocks",
     .name = "t_tables_in_shared_memory",
     .step = "shared",
     .input = Input::random},
    {.series = "random blocks", .name = "replicated_t_table", .step = "32 copies", .input = Input::random},
    {.series = "random blocks", .name = "lane_private_rows", .step = "rows", .input = Input::random},
    {.series = "random blocks",
     .name = "bitsliced_in_one_thread",
     .step = "bitsliced",
     .input = Input::random},
    {.series = "random blocks",
     .worker = Worker::engine,
     .name = "cuda",
     .step = "production",
     .input = Input::random},
    {.series = "equal blocks",
     .name = "t_tables_in_constant_memory",
     .step = "constant",
     .input = Input::equal_blocks},
    {.series = "equal blocks",
     .name = "t_tables_in_shared_memory",
     .step = "shared",
     .input = Input::equal_blocks},
    {.series = "equal blocks",
     .name = "replicated_t_table",
     .step = "32 copies",
     .input = Input::equal_blocks},
    {.series = "equal blocks", .name = "lane_private_rows", .step = "rows", .input = Input::equal_blocks},
    {.series = "equal blocks",
     .name = "bitsliced_in_one_thread",
     .step = "bitsliced",
     .input = Input::equal_blocks},
    {.series = "equal blocks",
     .worker = Worker::engine,
     .name = "cuda",
     .step = "production",
     .input = Input::equal_blocks},
};

constexpr Panel kPanels[] = {
    {.id = "inputs",
     .title = "Equal blocks against random blocks, AES-128 ECB",
     .across = Across::steps,
     .sizes = kBulk,
     .quantities = kQuantities,
     .subjects = kSubjects},
};

}  // namespace

extern const Study timing;
constinit const Study timing = {
    .name = "timing",
    .title = "Time that depends on the data",
    .question =
        "Which kernels take longer for random blocks than for equal ones, so that their time tells of the "
        "data and the key? The two lines of a kernel without that signal meet.",
    .source =
        "Z. H. Jiang and others, HPCA 2016 (coalescing) and GLSVLSI 2017 (bank conflicts, 900,000 samples on "
        "a K40). The statistical test of production's kernels is in docs/side-channels.md.",
    .panels = kPanels,
    .attacks_key_byte = true,
};

}  // namespace warpaes::core::lab
