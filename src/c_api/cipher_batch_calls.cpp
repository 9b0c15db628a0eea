// Batches of the modes that do not authenticate, and of CMAC, and CMAC of one message, of the C ABI.
#include <algorithm>
#include <iterator>

#include "c_api/cipher_batch_checks.hpp"
#include "c_api/device_memory.hpp"
#include "modes/cipher_batch.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

struct Row {
  warpaes_mode mode;
  CipherMode encrypt, decrypt;
};

/// Where the direction does not matter, both are the same.
constexpr Row kRows[] = {
    {WARPAES_MODE_ECB, CipherMode::ecb_encrypt, CipherMode::ecb_decrypt},
    {WARPAES_MODE_CBC, CipherMode::cbc_encrypt, CipherMode::cbc_decrypt},
    {WARPAES_MODE_CFB, CipherMode::cfb_encrypt, CipherMode::cfb_decrypt},
    {WARPAES_MODE_OFB, CipherMode::ofb, CipherMode::ofb},
    {WARPAES_MODE_CTR, CipherMode::ctr, CipherMode::ctr},
    {WARPAES_MODE_XTS, CipherMode::xts_encrypt, CipherMode::xts_decrypt},
    {WARPAES_MODE_CMAC, CipherMode::cmac, CipherMode::cmac},
    {WARPAES_MODE_ECB_PKCS7, CipherMode::ecb_pkcs7_encrypt, CipherMode::ecb_pkcs7_decrypt},
    {WARPAES_MODE_CBC_PKCS7, CipherMode::cbc_pkcs7_encrypt, CipherMode::cbc_pkcs7_decrypt},
    {WARPAES_MODE_CBC_CS1, CipherMode::cbc_cs1_encrypt, CipherMode::cbc_cs1_decrypt},
    {WARPAES_MODE_CBC_CS2, CipherMode::cbc_cs2_encrypt, CipherMode::cbc_cs2_decrypt},
    {WARPAES_MODE_CBC_CS3, CipherMode::cbc_cs3_encrypt, CipherMode::cbc_cs3_decrypt},
    {WARPAES_MODE_CFB8, CipherMode::cfb8_encrypt, CipherMode::cfb8_decrypt},
    {WARPAES_MODE_CFB1, CipherMode::cfb1_encrypt, CipherMode::cfb1_decrypt},
};

CipherMode mode_of(warpaes_mode mode, Direction direction) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [mode](const Row& candidate) { return candidate.mode == mode; });
  if (row == std::end(kRows)) {
    throw Failure(WARPAES_ERROR_OPTION, "batch's mode is none of warpaes_mode");
  }
  require_direction(direction);
  if (mode == WARPAES_MODE_CMAC && direction != WARPAES_ENCRYPT) {
    throw Failure(WARPAES_ERROR_OPTION,
                  "CMAC has no direction: pass WARPAES_ENCRYPT, and compare tags in constant time");
  }
  return direction == WARPAES_ENCRYPT ? row->encrypt : row->decrypt;
}

CipherBatch batch_of(warpaes_mode public_mode, Direction direction,
                     const warpaes_cipher_batch_arguments* arguments) {
  require(arguments, "batch");
  const CipherMode mode = mode_of(public_mode, direction);
  require_layout(*arguments, "batch", "warpaes_cipher_batch_arguments");
  if (!is_xts(mode) && arguments->tweak_key != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.tweak_key is for XTS only");
  }
  if (!pads(mode) && arguments->output_lengths != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.output_lengths is for PKCS#7 only");
  }
  const bool tags_only = makes_tags(mode);
  return {
      .mode = mode,
      .messages = arguments->messages,
      .bytes = arguments->bytes,
      .input = bytes_at(arguments->input),
      .input_stride = arguments->input_stride,
      .output = tags_only ? nullptr : bytes_at(arguments->output),
      .output_stride = arguments->output_stride,
      .ivs = has_iv(mode) ? bytes_at(arguments->ivs) : nullptr,
      .iv_stride = arguments->iv_stride,
      .tags = tags_only ? bytes_at(arguments->tags) : nullptr,
      .tag_stride = arguments->tag_stride,
      .tag_bytes = arguments->tag_bytes,
      .statuses = arguments->statuses,
      .lengths = arguments->lengths,
      .inputs = reinterpret_cast<const uint8_t* const*>(arguments->inputs),
      .outputs = tags_only ? nullptr : reinterpret_cast<uint8_t* const*>(arguments->outputs),
      .output_lengths = arguments->output_lengths,
  };
}

void require_no_tweak_key(const warpaes_cipher_batch_arguments& arguments) {
  if (arguments.tweak_key == nullptr) return;
  throw Failure(WARPAES_ERROR_OPTION,
                "batch.tweak_key is null where each message has its keys: the tweak's is behind the data's");
}

}  // namespace

warpaes_status warpaes_cmac(const warpaes_key* key, const void* input, uint64_t bytes, void* tag,
                            size_t tag_bytes) {
  return guarded([&] {
    CipherBatch message{};
    message.mode = CipherMode::cmac;
    message.messages = 1;
    message.bytes = bytes;
    message.input = bytes_at(input);
    message.tags = bytes_at(tag);
    message.tag_bytes = tag_bytes;
    cipher_batch_host(key_of(key), message);
  });
}

warpaes_status warpaes_cipher_batch(const warpaes_key* handle, warpaes_mode mode, warpaes_direction direction,
                                    const warpaes_cipher_batch_arguments* arguments) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const CipherBatch batch = batch_of(mode, direction, arguments);
    if (is_xts(batch.mode)) {
      require(arguments->tweak_key, "batch.tweak_key");
      xts_batch_host(key, arguments->tweak_key->key, batch);
    } else {
      cipher_batch_host(key, batch);
    }
    require_right_messages(batch);
  });
}

warpaes_status warpaes_cipher_batch_key_each(warpaes_context* context, const void* keys, size_t key_bytes,
                                             uint64_t key_stride, warpaes_mode mode,
                                             warpaes_direction direction,
                                             const warpaes_cipher_batch_arguments* arguments) {
  return guarded([&] {
    require(context, "context");
    const CipherBatch batch = batch_of(mode, direction, arguments);
    require_no_tweak_key(*arguments);
    cipher_key_each_host(context->context, {bytes_at(keys), key_stride, key_bytes}, batch);
    require_right_messages(batch);
  });
}

warpaes_status warpaes_cipher_batch_device(const warpaes_key* handle, warpaes_mode mode,
                                           warpaes_direction direction,
                                           const warpaes_cipher_batch_arguments* arguments,
                                           warpaes_stream stream) {
  return guarded([&] {
    const Key& key = key_of(handle);
    const Engine& engine = key.context().device_engine();
    const CipherBatch batch = batch_of(mode, direction, arguments);
    require_valid_cipher_batch(batch);
    require_cipher_batch(engine, batch.mode);
    require_batch_on_device(key.context().device(), batch);
    if (!is_xts(batch.mode)) return cipher_batch(engine, key.prepared(engine), batch, stream);
    require(arguments->tweak_key, "batch.tweak_key");
    const Key& tweak_key = arguments->tweak_key->key;
    require_valid_xts_keys(key, tweak_key);
    xts_batch(engine, {key.prepared(engine), tweak_key.prepared(engine), key.key_bits()}, batch, stream);
  });
}

warpaes_status warpaes_cipher_batch_key_each_device(warpaes_context* handle, const void* keys,
                                                    size_t key_bytes, uint64_t key_stride, warpaes_mode mode,
                                                    warpaes_direction direction,
                                                    const warpaes_cipher_batch_arguments* arguments,
                                                    warpaes_stream stream) {
  return guarded([&] {
    require(handle, "context");
    const Context& context = handle->context;
    const Engine& engine = context.device_engine();
    const CipherBatch batch = batch_of(mode, direction, arguments);
    require_no_tweak_key(*arguments);
    key_each_on_device(engine, context.device(), {bytes_at(keys), key_stride, key_bytes}, batch, stream);
  });
}
