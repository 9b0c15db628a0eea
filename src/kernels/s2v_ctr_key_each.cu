#include "kernels/s2v_ctr_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<S2vCtrArguments> s2v_ctr_key_each_encrypt =
    s2v_ctr_kernels<LaneKeys::each, Ciphertext::output>();
const ByRounds<S2vCtrArguments> s2v_ctr_key_each_decrypt =
    s2v_ctr_kernels<LaneKeys::each, Ciphertext::input>();

}  // namespace warpaes::kernels
