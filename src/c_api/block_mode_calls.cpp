// The rarer forms of CBC, CFB and CTR of the C ABI.
#include "c_api/handles.hpp"
#include "operations/operation.hpp"
#include "pipeline/block_mode_forms.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

Stealing stealing_of(warpaes_stealing variant) {
  if (variant < WARPAES_CS1 || variant > WARPAES_CS3) {
    throw Failure(WARPAES_ERROR_OPTION, "no variant of ciphertext stealing has this number");
  }
  return static_cast<Stealing>(variant);
}

}  // namespace

warpaes_status warpaes_cbc_pkcs7_encrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                         void* output, uint64_t bytes) {
  return guarded(
      [&] { cbc_pkcs7_encrypt_host(key_of(key), {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cbc_pkcs7_decrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                         void* output, uint64_t bytes, uint64_t* message_bytes) {
  return guarded([&] {
    require(message_bytes, "message_bytes");
    *message_bytes = 0;
    *message_bytes = cbc_pkcs7_decrypt_host(key_of(key), {iv, bytes_at(input), bytes_at(output), bytes});
  });
}

warpaes_status warpaes_cbc_cts_encrypt(const warpaes_key* key, warpaes_stealing variant, const uint8_t iv[16],
                                       const void* input, void* output, uint64_t bytes) {
  return guarded([&] {
    cbc_cts_host(key_of(key), WARPAES_ENCRYPT, stealing_of(variant),
                 {iv, bytes_at(input), bytes_at(output), bytes});
  });
}

warpaes_status warpaes_cbc_cts_decrypt(const warpaes_key* key, warpaes_stealing variant, const uint8_t iv[16],
                                       const void* input, void* output, uint64_t bytes) {
  return guarded([&] {
    cbc_cts_host(key_of(key), WARPAES_DECRYPT, stealing_of(variant),
                 {iv, bytes_at(input), bytes_at(output), bytes});
  });
}

warpaes_status warpaes_cfb8_encrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                    void* output, uint64_t bytes) {
  return guarded(
      [&] { cfb8_host(key_of(key), WARPAES_ENCRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cfb8_decrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                    void* output, uint64_t bytes) {
  return guarded(
      [&] { cfb8_host(key_of(key), WARPAES_DECRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cfb1_encrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                    void* output, uint64_t bits) {
  return guarded(
      [&] { cfb1_bits_host(key_of(key), WARPAES_ENCRYPT, {iv, bytes_at(input), bytes_at(output), bits}); });
}

warpaes_status warpaes_cfb1_decrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                    void* output, uint64_t bits) {
  return guarded(
      [&] { cfb1_bits_host(key_of(key), WARPAES_DECRYPT, {iv, bytes_at(input), bytes_at(output), bits}); });
}

warpaes_status warpaes_ctr_rfc3686_counter(const uint8_t nonce[4], const uint8_t iv[8], uint8_t counter[16]) {
  return guarded([&] {
    require(nonce, "nonce");
    require(iv, "iv");
    require(counter, "counter");
    rfc3686_counter(nonce, iv, counter);
  });
}
