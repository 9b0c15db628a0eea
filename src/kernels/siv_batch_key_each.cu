#include "kernels/siv_batch_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<KeyEachBatch> siv_key_each_encrypt = siv_batch_kernels<Ciphertext::output, KeyEachBatch>();
const ByRounds<KeyEachBatch> siv_key_each_decrypt = siv_batch_kernels<Ciphertext::input, KeyEachBatch>();

}  // namespace warpaes::kernels
