// SIV of the C ABI.
#include "c_api/handles.hpp"
#include "pipeline/siv_host.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

const Key& mac_key_of(const warpaes_key* handle) {
  require(handle, "mac_key");
  return handle->key;
}

}  // namespace

warpaes_status warpaes_siv_encrypt(const warpaes_key* mac_key, const warpaes_key* key,
                                   const void* const* aads, const uint64_t* aad_lengths, size_t aad_count,
                                   const void* input, void* output, uint64_t bytes, uint8_t tag[16]) {
  return guarded([&] {
    siv_host(mac_key_of(mac_key), key_of(key),
             {WARPAES_ENCRYPT, reinterpret_cast<const uint8_t* const*>(aads), aad_lengths, aad_count,
              bytes_at(input), bytes_at(output), bytes, tag});
  });
}

warpaes_status warpaes_siv_decrypt(const warpaes_key* mac_key, const warpaes_key* key,
                                   const void* const* aads, const uint64_t* aad_lengths, size_t aad_count,
                                   const void* input, void* output, uint64_t bytes, const uint8_t tag[16]) {
  return guarded([&] {
    siv_host(mac_key_of(mac_key), key_of(key),
             {WARPAES_DECRYPT, reinterpret_cast<const uint8_t* const*>(aads), aad_lengths, aad_count,
              bytes_at(input), bytes_at(output), bytes, const_cast<uint8_t*>(tag)});
  });
}
