// Batches of CBC, CFB, OFB and CMAC, and CMAC of one message, of the C ABI.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "c_api/device_memory.hpp"
#include "c_api/handles.hpp"
#include "modes/chained_batch.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

ChainedBatch batch_of(Chaining chaining, const warpaes_chained_batch_arguments* arguments) {
  require(arguments, "batch");
  if (arguments->size != sizeof *arguments) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.size is not sizeof(warpaes_chained_batch_arguments)");
  }
  if (std::any_of(std::begin(arguments->reserved), std::end(arguments->reserved),
                  [](unsigned word) { return word; })) {
    throw Failure(WARPAES_ERROR_OPTION, "batch.reserved is not zero");
  }
  const bool tags_only = makes_tags(chaining);
  return {
      .chaining = chaining,
      .messages = arguments->messages,
      .bytes = arguments->bytes,
      .input = bytes_at(arguments->input),
      .input_stride = arguments->input_stride,
      .output = tags_only ? nullptr : bytes_at(arguments->output),
      .output_stride = arguments->output_stride,
      .ivs = tags_only ? nullptr : bytes_at(arguments->ivs),
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

void on_host(const warpaes_key* handle, Chaining chaining, const warpaes_chained_batch_arguments* arguments) {
  const Key& key = key_of(handle);
  const ChainedBatch batch = batch_of(chaining, arguments);
  chained_batch_host(key, batch);
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

void on_device(const warpaes_key* handle, Chaining chaining, const warpaes_chained_batch_arguments* arguments,
               Stream stream) {
  const Key& key = key_of(handle);
  const Engine& engine = key.context().device_engine();
  const ChainedBatch batch = batch_of(chaining, arguments);
  require_valid_chained(batch);
  const uint64_t any = batch.messages;
  const auto if_used = [any](const void* pointer) { return pointer == nullptr ? 0 : any; };
  require_on_device(key.context().device(),
                    {{"input", batch.input, batch.inputs ? 0 : any * batch.bytes},
                     {"output", batch.output, batch.outputs ? 0 : if_used(batch.output)},
                     {"ivs", batch.ivs, if_used(batch.ivs)},
                     {"tags", batch.tags, if_used(batch.tags)},
                     {"statuses", batch.statuses, if_used(batch.statuses)},
                     {"lengths", batch.lengths, if_used(batch.lengths)},
                     {"inputs", batch.inputs, if_used(batch.inputs)},
                     {"outputs", batch.outputs, if_used(batch.outputs)}});
  chained_batch(engine, key.prepared(engine), batch, stream);
}

}  // namespace

warpaes_status warpaes_cmac(const warpaes_key* key, const void* input, uint64_t bytes, void* tag,
                            size_t tag_bytes) {
  return guarded([&] {
    ChainedBatch message{};
    message.chaining = Chaining::cmac;
    message.messages = 1;
    message.bytes = bytes;
    message.input = bytes_at(input);
    message.tags = bytes_at(tag);
    message.tag_bytes = tag_bytes;
    chained_batch_host(key_of(key), message);
  });
}

warpaes_status warpaes_cbc_encrypt_batch(const warpaes_key* key,
                                         const warpaes_chained_batch_arguments* batch) {
  return guarded([&] { on_host(key, Chaining::cbc_encrypt, batch); });
}

warpaes_status warpaes_cfb_encrypt_batch(const warpaes_key* key,
                                         const warpaes_chained_batch_arguments* batch) {
  return guarded([&] { on_host(key, Chaining::cfb_encrypt, batch); });
}

warpaes_status warpaes_ofb_crypt_batch(const warpaes_key* key, const warpaes_chained_batch_arguments* batch) {
  return guarded([&] { on_host(key, Chaining::ofb, batch); });
}

warpaes_status warpaes_cmac_batch(const warpaes_key* key, const warpaes_chained_batch_arguments* batch) {
  return guarded([&] { on_host(key, Chaining::cmac, batch); });
}

warpaes_status warpaes_cbc_encrypt_batch_device(const warpaes_key* key,
                                                const warpaes_chained_batch_arguments* batch,
                                                warpaes_stream stream) {
  return guarded([&] { on_device(key, Chaining::cbc_encrypt, batch, stream); });
}

warpaes_status warpaes_cfb_encrypt_batch_device(const warpaes_key* key,
                                                const warpaes_chained_batch_arguments* batch,
                                                warpaes_stream stream) {
  return guarded([&] { on_device(key, Chaining::cfb_encrypt, batch, stream); });
}

warpaes_status warpaes_ofb_crypt_batch_device(const warpaes_key* key,
                                              const warpaes_chained_batch_arguments* batch,
                                              warpaes_stream stream) {
  return guarded([&] { on_device(key, Chaining::ofb, batch, stream); });
}

warpaes_status warpaes_cmac_batch_device(const warpaes_key* key, const warpaes_chained_batch_arguments* batch,
                                         warpaes_stream stream) {
  return guarded([&] { on_device(key, Chaining::cmac, batch, stream); });
}
