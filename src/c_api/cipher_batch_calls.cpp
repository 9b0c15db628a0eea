// Batches of the modes that do not authenticate, and of CMAC, and CMAC of one message, of the C ABI.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "c_api/device_memory.hpp"
#include "c_api/handles.hpp"
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
};

CipherMode mode_of(warpaes_mode mode, Direction direction) {
  const auto row = std::find_if(std::begin(kRows), std::end(kRows),
                                [mode](const Row& candidate) { return candidate.mode == mode; });
  if (row == std::end(kRows)) {
    throw Failure(WARPAES_ERROR_OPTION, "batches have the modes ECB, CBC, CFB, OFB, CTR, XTS and CMAC");
  }
  const bool known = direction == WARPAES_ENCRYPT || direction == WARPAES_DECRYPT;
  if (!known || (mode == WARPAES_MODE_CMAC && direction != WARPAES_ENCRYPT)) {
    throw Failure(WARPAES_ERROR_OPTION,
                  known ? "CMAC has no direction: pass WARPAES_ENCRYPT, and compare tags in constant time"
                        : "direction is neither WARPAES_ENCRYPT nor WARPAES_DECRYPT");
  }
  return direction == WARPAES_ENCRYPT ? row->encrypt : row->decrypt;
}

CipherBatch batch_of(warpaes_mode public_mode, Direction direction,
                     const warpaes_cipher_batch_arguments* arguments) {
  require(arguments, "batch");
  const CipherMode mode = mode_of(public_mode, direction);
  if (arguments->size != sizeof *arguments) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.size is not sizeof(warpaes_cipher_batch_arguments)");
  }
  if (std::any_of(std::begin(arguments->reserved), std::end(arguments->reserved),
                  [](unsigned word) { return word; })) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.reserved is not zero");
  }
  if (!is_xts(mode) && arguments->tweak_key != nullptr) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.tweak_key is for XTS only");
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
  };
}

/// The first message's status that is not OK, if one is.
void require_right_messages(const CipherBatch& batch) {
  if (batch.statuses == nullptr) return;
  const std::span statuses(batch.statuses, batch.messages);
  const auto is_wrong = [](int32_t status) { return status != WARPAES_OK; };
  const auto first = std::find_if(statuses.begin(), statuses.end(), is_wrong);
  if (first == statuses.end()) return;
  throw Failure(static_cast<Status>(*first), std::to_string(std::count_if(first, statuses.end(), is_wrong)) +
                                                 " of " + std::to_string(statuses.size()) +
                                                 " messages were left alone, the first is number " +
                                                 std::to_string(first - statuses.begin()) + ": " +
                                                 warpaes_status_string(static_cast<Status>(*first)));
}

void require_batch_on_device(int device, const CipherBatch& batch) {
  const uint64_t any = batch.messages;
  const auto if_used = [any](const void* pointer) { return pointer == nullptr ? 0 : any; };
  require_on_device(device, {{"input", batch.input, batch.inputs ? 0 : any * batch.bytes},
                             {"output", batch.output, batch.outputs ? 0 : if_used(batch.output)},
                             {"ivs", batch.ivs, if_used(batch.ivs)},
                             {"tags", batch.tags, if_used(batch.tags)},
                             {"statuses", batch.statuses, if_used(batch.statuses)},
                             {"lengths", batch.lengths, if_used(batch.lengths)},
                             {"inputs", batch.inputs, if_used(batch.inputs)},
                             {"outputs", batch.outputs, if_used(batch.outputs)}});
}

void require_no_xts(const CipherBatch& batch) {
  if (!is_xts(batch.mode)) return;
  throw Failure(WARPAES_ERROR_UNSUPPORTED,
                "XTS has no batches on device memory: data units that follow each other are one call of "
                "warpaes_xts_encrypt_device");
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
    require_no_xts(batch);
    require_valid_cipher_batch(batch);
    require_cipher_batch(engine);
    require_batch_on_device(key.context().device(), batch);
    cipher_batch(engine, key.prepared(engine), batch, stream);
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
    const KeyArray array{bytes_at(keys), key_stride, key_bytes};
    require_valid_cipher_key_each(array, batch);
    require_cipher_key_each(engine, batch.mode);
    require_on_device(context.device(), {{"keys", keys, batch.messages == 0 ? 0 : key_bytes}});
    require_batch_on_device(context.device(), batch);
    cipher_key_each(engine, context.device(), array, batch, stream);
  });
}
