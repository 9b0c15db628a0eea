#include "kernels/siv_batch_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<SivBatch> siv_batch_encrypt = siv_batch_kernels<Ciphertext::output, SivBatch>();
const ByRounds<SivBatch> siv_batch_decrypt = siv_batch_kernels<Ciphertext::input, SivBatch>();

}  // namespace warpaes::kernels
