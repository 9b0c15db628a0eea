// Messages and batches on device memory. The nonce of a single message is in host memory, and becomes a
// parameter of the kernel, or is stored in the workspace for kernels that read it from device memory.

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <span>

#include "device/device.hpp"
#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/chain.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"
#include "modes/siv.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

struct DevicePointer {
  const char* name;
  const void* pointer;
  uint64_t bytes;  // 0: the pointer is not looked up
  bool may_be_page_locked = false;
};

/// These describe what a batch has for all of its messages, if it is given: the bytes of one of them, or an
/// array with an entry for each.
DevicePointer piece(const char* name, const void* data, uint64_t bytes) {
  return {name, data, data == nullptr ? 0 : bytes};
}
DevicePointer array(const char* name, const auto* entries, uint64_t messages) {
  return piece(name, entries, messages * sizeof *entries);
}

/// These look up the pointers of a call in the driver's tables before anything is launched. That costs less
/// than a launch, and a host pointer that reached a kernel would cost the process its GPU. They throw
/// MEMORY_SPACE, or what the look-up reported, with the pointer's name.
void require_on_device(int device, std::initializer_list<DevicePointer> pointers) {
  for (const DevicePointer& each : pointers) {
    if (each.bytes == 0) continue;
    const Status status = device_pointer_status(each.pointer, device);
    if (status == WARPAES_OK || (each.may_be_page_locked && is_pinned(each.pointer, each.bytes))) continue;
    throw Failure(status,
                  "{} is not in the memory of device {}: allocate it there, or use the "
                  "call for host memory",
                  each.name, device);
  }
}

void require_on_device(int device, const Batch& batch) {
  const uint64_t count = batch.messages;
  if (count == 0) return;
  const ModeRow& mode = mode_row(batch.mode);
  DevicePointer statuses = array("statuses", batch.statuses, count);
  statuses.may_be_page_locked = true;
  require_on_device(
      device, {piece("input", batch.input, batch.bytes),
               piece("output", batch.output, mode.lengths(batch.direction).output(batch.bytes)),
               piece(mode.is_aead ? "nonces" : "IVs", batch.nonces, batch.nonce_bytes),
               piece("aad", batch.aad, batch.aad_bytes), piece("tags", batch.tags, count),
               array("lengths", batch.lengths, count), array("inputs", batch.inputs, count),
               array("outputs", batch.outputs, count),
               array(mode.is_aead ? "nonces' pointers" : "IVs' pointers", batch.nonce_pointers, count),
               array("aad's pointers", batch.aads, count), array("aad_lengths", batch.aad_lengths, count),
               array("tags' pointers", batch.tag_pointers, count), statuses,
               array("output_lengths", batch.output_lengths, count)});
}

void require_on_device(int device, const KeyArray& keys, uint64_t messages) {
  require_on_device(
      device, {piece("keys", keys.keys, messages), array("keys' pointers", keys.key_pointers, messages)});
}

/// How much Engine::store takes at once, and how much room a nonce has at the front of a workspace.
constexpr size_t kStoredAtOnce = 256, kNonceRoom = kStoredAtOnce;

/// Behind the nonce, SIV has the addresses and the lengths of its strings, and then a status, which a batch
/// with arrays needs and a caller who encrypts does not give.
constexpr size_t kStatusAt = kNonceRoom + 2 * sizeof(uint64_t) * kSivMostAads;

/// How much of a workspace all that takes.
size_t stored_room(const Cipher& cipher) {
  return cipher.mode() == WARPAES_MODE_SIV ? kStatusAt + 16 : kNonceRoom;
}

/// What the kernel finds at the front of the workspace: the nonce, and behind its room the strings' addresses
/// and then their lengths. It has room for all of them, as calls on device memory allocate nothing.
struct Stored {
  std::span<const uint8_t> used() const { return std::span(bytes).first(size); }

  std::array<uint8_t, kStatusAt> bytes;
  size_t size;
};

Stored stored_of(const Cipher& cipher, const Message& message) {
  if (message.nonce_bytes > kNonceRoom) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED,
                  "{} has no nonces of more than {} bytes on device "
                  "memory: take the call for host memory",
                  cipher.row().name, kNonceRoom);
  }
  Stored stored;
  stored.size = message.nonce_bytes;
  std::copy_n(message.nonce, message.nonce_bytes, stored.bytes.begin());
  if (!message.strings || message.strings->empty()) return stored;
  const size_t count = message.strings->size();
  stored.size = kNonceRoom + 2 * sizeof(uint64_t) * count;
  std::fill(stored.bytes.begin() + message.nonce_bytes, stored.bytes.begin() + kNonceRoom, uint8_t{0});
  const auto set = [&](size_t entry, uint64_t number) {
    std::memcpy(stored.bytes.data() + kNonceRoom + sizeof number * entry, &number, sizeof number);
  };
  for (size_t s = 0; s < count; s++) {
    const warpaes_bytes& string = (*message.strings)[s];
    set(s, reinterpret_cast<uintptr_t>(string.data));
    set(count + s, string.length);
  }
  return stored;
}

/// The call with what is to be stored at the front of its workspace, after all checks of that.
DeviceCall with_stored(DeviceCall call, const Message& message, std::span<const uint8_t> stored) {
  if (stored.empty()) return call;
  const char* const name = call.cipher.row().name;
  const size_t room = stored_room(call.cipher);
  require_workspace(name, call.engine, room, call.workspace, call.workspace_bytes,
                    " for what is on the host");
  const MemoryRange workspace = checked_range("the workspace", call.workspace, room);
  const auto require_unstored = [&](const char* what, const void* data, uint64_t bytes) {
    require_apart(checked_range(what, data, bytes), workspace);
  };
  require_unstored("the input", message.input, message.bytes);
  require_unstored("the output", message.output,
                   call.cipher.row().lengths(message.direction).output(message.bytes));
  require_unstored("the tag", message.tag, message.tag_bytes);
  require_unstored("the additional data", message.aad, message.aad_bytes);
  if (message.strings) {
    for (const warpaes_bytes& string : *message.strings) {
      require_unstored("a string", string.data, string.length);
    }
  }
  require_on_device(call.device(), {{"workspace", call.workspace, room}});
  call.stored = stored;
  return call;
}

/// Lets the stream write what has to be stored to the front of the workspace.
void store(const DeviceCall& call) {
  for (size_t at = 0; at < call.stored.size(); at += kStoredAtOnce) {
    call.engine.store(call.device(), call.workspace + at,
                      call.stored.subspan(at, std::min(kStoredAtOnce, call.stored.size() - at)), call.stream);
  }
}

/// Describes SIV's strings by the arrays of a batch.
void describe_strings(Batch& batch, const DeviceCall& call, std::span<const warpaes_bytes> strings) {
  batch.aad_strings = strings.size();
  if (strings.empty()) return;
  const uint8_t* const lists = call.workspace + kNonceRoom;
  batch.aads = reinterpret_cast<const uint8_t* const*>(lists);
  batch.aad_lengths = reinterpret_cast<const uint64_t*>(lists) + strings.size();
  if (batch.statuses == nullptr) batch.statuses = reinterpret_cast<int32_t*>(call.workspace + kStatusAt);
  for (const warpaes_bytes& string : strings) {
    require_on_device(call.device(), {{"a string", string.data, string.length}});
    batch.aad_bytes = std::max(batch.aad_bytes, string.length);
  }
}

void require_text_on_device(const DeviceCall& call, const Message& message) {
  require_on_device(call.device(),
                    {{"input", message.input, message.bytes}, {"output", message.output, message.bytes}});
}

/// Makes all checks of a message in a mode that neither authenticates nor has data units.
void require_valid_call(const DeviceCall& call, const Message& message) {
  require_valid_message(call.cipher.mode(), message.direction, message.run());
  require_text_on_device(call, message);
}

void aead_message(const DeviceCall& call, const Message& message) {
  Batch batch = batch_of(call.cipher, message);
  batch.statuses = message.status;
  run_batch_on_device(call, nullptr, batch);
}

/// Uses the kernels for batches, in which a message is the work of one lane.
void batch_of_one(const DeviceCall& call, const Message& message) {
  require_batches(call.engine, call.cipher.mode());
  const Stored stored = stored_of(call.cipher, message);
  const DeviceCall storing = with_stored(call, message, stored.used());
  Batch batch = batch_of(call.cipher, message);
  batch.nonces = message.nonce_bytes == 0 ? nullptr : storing.workspace;
  batch.statuses = message.status;
  batch.output_lengths = message.output_length;
  if (message.strings) describe_strings(batch, storing, *message.strings);
  run_batch_on_device(storing, nullptr, batch);
}

void ecb_message(const DeviceCall& call, const Message& message) {
  require_valid_call(call, message);
  ecb(call.engine, call.key(), message.direction, message.text(), call.stream);
}

void ctr_message(const DeviceCall& call, const Message& message) {
  require_valid_call(call, message);
  ctr(call.engine, call.key(), message.counted(), call.stream);
}

void xts_message(const DeviceCall& call, const Message& message) {
  if (message.bytes == 0) return;
  require_valid_xts(message.units());
  require_text_on_device(call, message);
  xts(call.engine, call.cipher.xts_keys(call.engine), message.direction, message.units(), call.stream);
}

using Unchaining = void (*)(const Engine& engine, const EngineKey& key, Direction direction,
                            const ChainRun& run, void* workspace, size_t workspace_bytes, Stream stream);

/// Encryption is the work of one lane, and decryption works on all blocks at once.
template <Unchaining kDecrypt>
void chained_message(const DeviceCall& call, const Message& message) {
  if (message.encrypts()) return batch_of_one(call, message);
  require_valid_call(call, message);
  const bool uses_workspace = call.workspace != nullptr && message.input == message.output;
  require_on_device(call.device(),
                    {{"workspace", call.workspace, uses_workspace ? call.workspace_bytes : 0}});
  kDecrypt(call.engine, call.key(), message.direction, message.run(), call.workspace, call.workspace_bytes,
           call.stream);
}

using MessageForm = void (*)(const DeviceCall& call, const Message& message);

MessageForm form_of(const Cipher& cipher) {
  switch (cipher.mode()) {
    case WARPAES_MODE_ECB:
      return ecb_message;
    case WARPAES_MODE_CBC:
      return chained_message<cbc>;
    case WARPAES_MODE_CFB:
      return chained_message<cfb>;
    case WARPAES_MODE_CTR:
      return ctr_message;
    case WARPAES_MODE_XTS:
      return xts_message;
    default:
      return cipher.row().is_aead && cipher.mode() != WARPAES_MODE_SIV ? aead_message : batch_of_one;
  }
}

/// Does the kernel find the nonce in the workspace?
bool stores_nonce(const Cipher& cipher, Direction direction) {
  const bool chains = cipher.mode() == WARPAES_MODE_CBC || cipher.mode() == WARPAES_MODE_CFB;
  if (chains) return direction == WARPAES_DIRECTION_ENCRYPT;
  return cipher.row().has_nonce() && form_of(cipher) == batch_of_one;
}

/// Where each message has a length of its own, one that the mode has no message of is that message's fault,
/// and kernels look at no other limit than the batch's.
Batch with_limit_of_mode(Batch batch) {
  if (batch.lengths != nullptr) {
    const ModeRow& mode = mode_row(batch.mode);
    batch.bytes = std::min(batch.bytes, mode.lengths(batch.direction).most);
  }
  return batch;
}

void run_key_each(const DeviceCall& call, const KeyArray& keys, const Batch& batch) {
  const int device = call.device();
  require_runs_key_each(call.engine, keys, batch);
  require_on_device(device, keys, batch.messages);
  require_on_device(device, batch);
  run_checked_batch_key_each(call.engine, device, keys, batch, call.stream);
}

}  // namespace

void run_message_on_device(const DeviceCall& call, const Message& message) {
  form_of(call.cipher)(call, message);
}

void run_batch_on_device(const DeviceCall& call, const KeyArray* keys, const Batch& given) {
  const Batch batch = with_limit_of_mode(given);
  if (keys != nullptr) return run_key_each(call, *keys, batch);
  const Cipher& cipher = call.cipher;
  const BatchKey key = cipher.batch_key(call.engine);
  // Where something is stored in the workspace, the batch has no use for it.
  const bool is_taken = !call.stored.empty();
  void* const workspace = is_taken || !cipher.row().is_aead ? nullptr : call.workspace;
  const size_t workspace_bytes = workspace == nullptr ? 0 : call.workspace_bytes;
  require_runs(call.engine, key, batch, workspace, workspace_bytes);
  require_on_device(call.device(), batch);
  require_on_device(call.device(), {{"workspace", workspace, workspace_bytes}});
  store(call);
  run_checked_batch(call.engine, key, batch, workspace, call.stream);
}

size_t workspace_bytes(const Cipher& cipher, const Engine& engine, Direction direction, uint64_t messages,
                       uint64_t bytes) {
  const ModeRow& mode = cipher.row();
  if (!has_mode(engine, cipher.mode(), direction, !cipher.has_key())) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED,
                  "{} has no {} like this: take host memory and an engine of the CPU", full_name(engine),
                  mode.name);
  }
  // There are no more messages than addresses, and none is longer than memory, so the size cannot overflow.
  const uint64_t most = std::min(mode.lengths(direction).most, uint64_t{1} << 40);
  if (bytes > most || messages > uint64_t{1} << 48) {
    throw Failure(WARPAES_ERROR_LENGTH, "no {} call works on so many messages or bytes", mode.name);
  }
  if (!cipher.has_key()) return 0;
  const uint64_t longest = cipher.mode() == WARPAES_MODE_GMAC ? 0 : bytes;
  const auto of_batch = [&](uint64_t count) {
    return batch_workspace_bytes(engine, cipher.mode(), count, longest);
  };
  // A single message may need more than two do, and the workspace is for batches of fewer messages as well.
  size_t needed = std::max(of_batch(1), of_batch(messages));
  if (stores_nonce(cipher, direction)) needed = std::max(needed, stored_room(cipher));
  const bool unchains = cipher.mode() == WARPAES_MODE_CBC || cipher.mode() == WARPAES_MODE_CFB;
  if (unchains && direction == WARPAES_DIRECTION_DECRYPT) {
    needed = std::max(needed, unchain_workspace_bytes(engine, bytes));
  }
  return needed;
}

}  // namespace warpaes::core
