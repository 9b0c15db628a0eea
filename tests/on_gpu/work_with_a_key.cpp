#include "work_with_a_key.hpp"

#include <algorithm>

#include "batches_on_device.hpp"
#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr warpaes_direction kDirections[] = {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT};

/// The key that is looked for, as the first or the only key of a mode. XTS needs two that differ.
Bytes key_of(const ListedMode& mode, const Bytes& raw_key) {
  Bytes key = raw_key;
  if (mode.mode == WARPAES_MODE_XTS) key.insert(key.end(), raw_key.rbegin(), raw_key.rend());
  if (mode.mode == WARPAES_MODE_SIV) key.insert(key.end(), raw_key.begin(), raw_key.end());
  return key;
}

/// A message of that mode that is the beginning of the plaintext.
ModeMessage message_for(const ListedMode& mode, const Bytes& key, const Bytes& plaintext, size_t length) {
  ModeMessage message = message_of(mode, {.length = length});
  message.key = key;
  if (mode.mode == WARPAES_MODE_XTS) message.data_unit = 4096;
  std::copy_n(plaintext.begin(), message.plaintext.size(), message.plaintext.begin());
  seal_by_openssl(message);
  return message;
}

void wipe(const DeviceBytes& memory) { EXPECT_EQ(cudaMemset(memory.data(), 0, memory.size()), cudaSuccess); }

/// "cuda" has every mode; one of its kernels may lack some.
class Worker {
 public:
  explicit Worker(const std::string& engine) : context_(engine.c_str()), may_lack_(engine != "cuda") {}

  const TestContext& context() const { return context_; }
  /// Is the mode there, or is it an error that it is not?
  bool has(warpaes_status status) const {
    if (status == WARPAES_ERROR_UNSUPPORTED && may_lack_) return false;
    EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
    return status == WARPAES_OK;
  }

 private:
  const TestContext context_;
  const bool may_lack_;
};

void work_on_device(const Worker& worker, const DeviceCall& call, const warpaes_cipher* cipher,
                    const ModeMessage& message) {
  const MessageOnDevice placed(call, cipher, message, {.in_place = true});
  if (!worker.has(placed.run(cipher, nullptr))) return;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_TRUE(placed.is_right());
  wipe(placed.memory());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

/// Host memory goes through the library's own device memory.
void work_on_host(const Worker& worker, const DeviceCall& call, const warpaes_cipher* cipher,
                  const ModeMessage& message) {
  const MessageImage image(message, call.direction, {.in_place = true});
  Bytes memory = image.before();
  const MessageCall arguments = image.arguments(memory.data());
  const auto run = call.direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
  if (!worker.has(run(cipher, &arguments.message))) return;
  EXPECT_TRUE(memory == image.after());
}

/// Keys for each message come to the device as data; here all are the one that is looked for.
void work_on_host_batch(const Worker& worker, const std::vector<ModeMessage>& messages,
                        warpaes_direction direction, bool key_each) {
  const ModeMessage& first = messages.front();
  const TestCipher cipher(worker.context(), first.row->mode, key_each ? Bytes() : first.key);
  if (!worker.has(cipher.status())) return;
  BatchImage image(messages, direction, {Layout::kRows, true, key_each});
  Bytes memory(image.size());
  const warpaes_batch batch = image.place_at(memory.data());
  std::copy(image.before().begin(), image.before().end(), memory.begin());
  const auto run = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch : warpaes_decrypt_batch;
  if (!worker.has(run(cipher.get(), &batch))) return;
  EXPECT_TRUE(memory == image.after());
}

/// Of 32 bytes, which a lane keeps in its registers when it wraps keys, and of 1 KiB.
void work_with_batches(const Worker& worker, const ListedMode& mode, const Bytes& key,
                       const Bytes& plaintext) {
  const size_t count = extent_of_tests().messages_of_key;
  for (const size_t length : {size_t{32}, size_t{1024}}) {
    ModeMessage message = message_for(mode, key, plaintext, length);
    message.data_unit = 0;  // in a batch a message is a data unit
    seal_by_openssl(message);
    const std::vector<ModeMessage> messages(count, message);
    for (const warpaes_direction direction : kDirections) {
      for (const bool key_each : {false, true}) {
        work_on_host_batch(worker, messages, direction, key_each);
      }
    }
  }
}

}  // namespace

void work_with(const Bytes& raw_key, const Bytes& plaintext, const std::string& engine) {
  const Worker worker(engine);
  for (const DeviceCall& call : device_calls()) {
    SCOPED_TRACE(call.name());
    const Bytes key = key_of(*call.mode, raw_key);
    const TestCipher cipher(worker.context(), call.mode->mode, key);
    if (!worker.has(cipher.status())) continue;
    const ModeMessage message = message_for(*call.mode, key, plaintext, call.quick_length(plaintext.size()));
    if (why_refused(call, message, Form::message) == nullptr)
      work_on_device(worker, call, cipher.get(), message);
    work_on_host(worker, call, cipher.get(), message);
  }
  for (const ListedMode& mode : all_modes()) {
    SCOPED_TRACE(mode.info.name);
    work_with_batches(worker, mode, key_of(mode, raw_key), plaintext);
  }
}

}  // namespace warpaes::core::testing
