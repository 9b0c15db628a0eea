// ECB and CTR on host memory.
#include "c_api/handles.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

warpaes_status warpaes_ecb_encrypt(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded([&] { ecb_host(key_of(key), WARPAES_ENCRYPT, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_ecb_decrypt(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded([&] { ecb_host(key_of(key), WARPAES_DECRYPT, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_ctr_crypt(const warpaes_key* key, const uint8_t counter[16], const void* input,
                                 void* output, uint64_t bytes) {
  return guarded([&] { ctr_host(key_of(key), {counter, bytes_at(input), bytes_at(output), bytes}); });
}
