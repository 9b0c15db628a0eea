#include "kernels/s2v_ctr_kernel.cuh"

namespace warpaes::kernels {

const ByRounds<S2vCtrArguments> s2v_ctr_encrypt = s2v_ctr_kernels<LaneKeys::one, Ciphertext::output>();
const ByRounds<S2vCtrArguments> s2v_ctr_decrypt = s2v_ctr_kernels<LaneKeys::one, Ciphertext::input>();

}  // namespace warpaes::kernels
