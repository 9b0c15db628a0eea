// Key wrap of the C ABI.
#include "c_api/handles.hpp"
#include "pipeline/key_wrap_host.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

warpaes_status warpaes_kw_wrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded(
      [&] { key_wrap_host(key_of(key), Wrapping::kw, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kw_unwrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded(
      [&] { key_unwrap_host(key_of(key), Wrapping::kw, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kwp_wrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes) {
  return guarded(
      [&] { key_wrap_host(key_of(key), Wrapping::kwp, {bytes_at(input), bytes_at(output), bytes}); });
}

warpaes_status warpaes_kwp_unwrap(const warpaes_key* key, const void* input, void* output, uint64_t bytes,
                                  uint64_t* message_bytes) {
  return guarded([&] {
    require(message_bytes, "message_bytes");
    *message_bytes = 0;
    *message_bytes = key_unwrap_host(key_of(key), Wrapping::kwp, {bytes_at(input), bytes_at(output), bytes});
  });
}
