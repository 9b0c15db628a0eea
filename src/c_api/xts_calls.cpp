// XTS of the C ABI, on host and on device memory.
#include "c_api/device_memory.hpp"
#include "c_api/handles.hpp"
#include "modes/modes.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

const Key& tweak_key_of(const warpaes_key* handle) {
  require(handle, "tweak_key");
  return handle->key;
}

void xts_on_device(const warpaes_key* handle, const warpaes_key* tweak_handle, Direction direction,
                   const XtsRun& run, Stream stream) {
  const Key& key = key_of(handle);
  const Key& tweak_key = tweak_key_of(tweak_handle);
  require_valid_xts_keys(key, tweak_key);
  const Engine& engine = key.context().device_engine();
  require_valid_xts(run);
  require_on_device(key.context().device(),
                    {{"input", run.input, run.bytes}, {"output", run.output, run.bytes}});
  const XtsKeys keys{key.prepared(engine), tweak_key.prepared(engine), key.key_bits()};
  xts(engine, keys, direction, run, stream);
}

}  // namespace

warpaes_status warpaes_xts_encrypt(const warpaes_key* key, const warpaes_key* tweak_key,
                                   const uint8_t tweak[16], uint64_t data_unit_bytes, const void* input,
                                   void* output, uint64_t bytes) {
  return guarded([&] {
    xts_host(key_of(key), tweak_key_of(tweak_key), WARPAES_ENCRYPT,
             {tweak, data_unit_bytes, bytes_at(input), bytes_at(output), bytes});
  });
}

warpaes_status warpaes_xts_decrypt(const warpaes_key* key, const warpaes_key* tweak_key,
                                   const uint8_t tweak[16], uint64_t data_unit_bytes, const void* input,
                                   void* output, uint64_t bytes) {
  return guarded([&] {
    xts_host(key_of(key), tweak_key_of(tweak_key), WARPAES_DECRYPT,
             {tweak, data_unit_bytes, bytes_at(input), bytes_at(output), bytes});
  });
}

warpaes_status warpaes_xts_encrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                          const uint8_t tweak[16], uint64_t data_unit_bytes,
                                          const void* input, void* output, uint64_t bytes,
                                          warpaes_stream stream) {
  return guarded([&] {
    xts_on_device(key, tweak_key, WARPAES_ENCRYPT,
                  {tweak, data_unit_bytes, bytes_at(input), bytes_at(output), bytes}, stream);
  });
}

warpaes_status warpaes_xts_decrypt_device(const warpaes_key* key, const warpaes_key* tweak_key,
                                          const uint8_t tweak[16], uint64_t data_unit_bytes,
                                          const void* input, void* output, uint64_t bytes,
                                          warpaes_stream stream) {
  return guarded([&] {
    xts_on_device(key, tweak_key, WARPAES_DECRYPT,
                  {tweak, data_unit_bytes, bytes_at(input), bytes_at(output), bytes}, stream);
  });
}
