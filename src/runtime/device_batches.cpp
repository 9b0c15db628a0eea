// Batches on device memory: they check, launch and return.
#include <algorithm>
#include <string>

#include "failure.hpp"
#include "modes/cipher_batch.hpp"
#include "modes/modes.hpp"
#include "runtime/device_memory.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

void require_workspace_on_device(const DeviceCall& call) {
  require_on_device(call.cipher.context().device(),
                    {{"workspace", call.workspace, call.workspace == nullptr ? 0 : call.workspace_bytes}});
}

void run_aead_key_each(const DeviceCall& call, const KeyArray& keys, const AeadBatch& batch) {
  const int device = call.cipher.context().device();
  require_valid_aead_key_each(keys, batch);
  require_aead_key_each(call.engine, batch);
  require_on_device(device, keys, batch.messages);
  require_on_device(device, batch);
  aead_key_each(call.engine, device, keys, batch, call.stream);
}

void run_cipher_key_each(const DeviceCall& call, const KeyArray& keys, const CipherBatch& batch) {
  const int device = call.cipher.context().device();
  require_valid_cipher_key_each(keys, batch);
  require_cipher_key_each(call.engine, batch.mode);
  require_on_device(device, keys, batch.messages);
  require_on_device(device, batch);
  cipher_key_each(call.engine, device, keys, batch, call.stream);
}

}  // namespace

void run_batch(const DeviceCall& call, const KeyArray* keys, const AeadBatch& given) {
  if (keys != nullptr) return run_aead_key_each(call, *keys, given);
  const Cipher& cipher = call.cipher;
  AeadBatch batch = given;
  require_valid_aead(batch);
  require_takes_aead(call.engine, batch);
  require_on_device(cipher.context().device(), batch);
  require_workspace_on_device(call);
  store_nonce(call);
  if (cipher.second_key() != nullptr) batch.mac_key = &cipher.second_key()->prepared(call.engine);
  const bool is_taken = !call.stored_nonce.empty();  // by the nonce, which is a part of the batch
  aead(call.engine, cipher.aead_key(call.engine), batch, is_taken ? nullptr : call.workspace,
       is_taken ? 0 : call.workspace_bytes, call.stream);
}

void run_batch(const DeviceCall& call, const KeyArray* keys, Direction direction, const CipherBatch& batch) {
  if (makes_tags(batch.mode) && direction == WARPAES_DIRECTION_DECRYPT) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED,
                  "CMAC is not checked on the device: make the tags there and compare them in constant time, "
                  "or check them in host memory; GMAC is checked on the device");
  }
  if (keys != nullptr) return run_cipher_key_each(call, *keys, batch);
  const Cipher& cipher = call.cipher;
  require_valid_cipher_batch(batch);
  require_cipher_batch(call.engine, batch.mode);
  require_on_device(cipher.context().device(), batch);
  store_nonce(call);
  if (is_xts(batch.mode)) return xts_batch(call.engine, cipher.xts_keys(call.engine), batch, call.stream);
  cipher_batch(call.engine, cipher.key().prepared(call.engine), batch, call.stream);
}

}  // namespace warpaes::core
