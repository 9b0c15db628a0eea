// ECB and CTR on device memory: calls check, launch and return.
#include "c_api/device_memory.hpp"
#include "c_api/handles.hpp"
#include "modes/modes.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

void ecb_device(const warpaes_key* handle, Direction direction, const BlockRun& run, Stream stream) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().device_engine();
  require_valid_ecb(run);
  require_on_device(key.context().device(),
                    {{"input", run.input, run.bytes}, {"output", run.output, run.bytes}});
  ecb(engine, key.prepared(engine), direction, run, stream);
}

}  // namespace

warpaes_status warpaes_ecb_encrypt_device(const warpaes_key* key, const void* input, void* output,
                                          uint64_t bytes, warpaes_stream stream) {
  return guarded(
      [&] { ecb_device(key, WARPAES_ENCRYPT, {bytes_at(input), bytes_at(output), bytes}, stream); });
}

warpaes_status warpaes_ecb_decrypt_device(const warpaes_key* key, const void* input, void* output,
                                          uint64_t bytes, warpaes_stream stream) {
  return guarded(
      [&] { ecb_device(key, WARPAES_DECRYPT, {bytes_at(input), bytes_at(output), bytes}, stream); });
}

warpaes_status warpaes_ctr_crypt_device(const warpaes_key* handle, const uint8_t counter[16],
                                        const void* input, void* output, uint64_t bytes,
                                        warpaes_stream stream) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const Engine& engine = key.context().device_engine();
    const CounterRun run{counter, bytes_at(input), bytes_at(output), bytes};
    require_valid_ctr(run);
    require_on_device(key.context().device(), {{"input", input, bytes}, {"output", output, bytes}});
    ctr(engine, key.prepared(engine), run, stream);
  });
}
