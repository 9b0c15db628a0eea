// CBC, CFB and OFB of the C ABI, on host and on device memory.
#include "c_api/device_memory.hpp"
#include "c_api/handles.hpp"
#include "modes/modes.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

using Unchain = void (*)(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
                         void* workspace, size_t workspace_bytes, Stream stream);

void decrypt_on_device(const warpaes_key* handle, Unchain mode, const ChainRun& run, void* workspace,
                       size_t workspace_bytes, Stream stream) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().device_engine();
  require_valid_chain(run);
  const bool in_place = run.input == run.output;
  require_on_device(key.context().device(),
                    {{"input", run.input, run.bytes},
                     {"output", run.output, run.bytes},
                     {"workspace", workspace, workspace != nullptr && in_place ? workspace_bytes : 0}});
  mode(engine, key.prepared(engine), WARPAES_DECRYPT, run, workspace, workspace_bytes, stream);
}

}  // namespace

warpaes_status warpaes_cbc_encrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                   void* output, uint64_t bytes) {
  return guarded(
      [&] { cbc_host(key_of(key), WARPAES_ENCRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cbc_decrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                   void* output, uint64_t bytes) {
  return guarded(
      [&] { cbc_host(key_of(key), WARPAES_DECRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cfb_encrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                   void* output, uint64_t bytes) {
  return guarded(
      [&] { cfb_host(key_of(key), WARPAES_ENCRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_cfb_decrypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                   void* output, uint64_t bytes) {
  return guarded(
      [&] { cfb_host(key_of(key), WARPAES_DECRYPT, {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_ofb_crypt(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                 void* output, uint64_t bytes) {
  return guarded([&] { ofb_host(key_of(key), {iv, bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_chained_decrypt_workspace_bytes(const warpaes_key* handle, uint64_t bytes,
                                                       size_t* workspace_bytes) {
  return guarded([&] {
    require(workspace_bytes, "workspace_bytes");
    *workspace_bytes = 0;
    *workspace_bytes = unchain_workspace_bytes(key_of(handle).context().device_engine(), bytes);
  });
}

warpaes_status warpaes_cbc_decrypt_device(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                          void* output, uint64_t bytes, void* workspace,
                                          size_t workspace_bytes, warpaes_stream stream) {
  return guarded([&] {
    const ChainRun run{iv, bytes_at(input), bytes_at(output), bytes};
    require_valid_cbc(run);
    decrypt_on_device(key, cbc, run, workspace, workspace_bytes, stream);
  });
}

warpaes_status warpaes_cfb_decrypt_device(const warpaes_key* key, const uint8_t iv[16], const void* input,
                                          void* output, uint64_t bytes, void* workspace,
                                          size_t workspace_bytes, warpaes_stream stream) {
  return guarded([&] {
    decrypt_on_device(key, cfb, {iv, bytes_at(input), bytes_at(output), bytes}, workspace, workspace_bytes,
                      stream);
  });
}
