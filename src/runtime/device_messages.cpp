// One message on device memory: its nonce is in host memory, and becomes a parameter of the kernel, or is
// stored in the workspace for kernels that read it from device memory.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"
#include "modes/siv.hpp"
#include "runtime/device_memory.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

/// What Engine::store takes at once, and the room for a nonce at the front of a workspace.
constexpr size_t kStoredAtOnce = 256, kNonceRoom = kStoredAtOnce;

/// SIV has the addresses and the lengths of its strings behind the nonce, and then a status: a batch that has
/// arrays needs one, and the caller gives none when encrypting.
constexpr size_t kStatusAt = kNonceRoom + 2 * sizeof(uint64_t) * kSivMostAads;

/// The room for all that.
size_t stored_room(const Cipher& cipher) {
  return cipher.mode() == WARPAES_MODE_SIV ? kStatusAt + 16 : kNonceRoom;
}

[[noreturn]] void refuse(const std::string& what) {
  throw Failure(WARPAES_ERROR_UNSUPPORTED, what + " on device memory: take the call for host memory");
}

/// What the kernel finds at the front of the workspace: the nonce, and behind its room the strings' addresses
/// and then their lengths.
std::vector<uint8_t> stored_of(const Message& message) {
  std::vector<uint8_t> stored(message.nonce_bytes);
  std::copy_n(message.nonce, message.nonce_bytes, stored.begin());
  if (!message.strings || message.strings->empty()) return stored;
  const size_t count = message.strings->size();
  stored.resize(kNonceRoom + 2 * sizeof(uint64_t) * count);
  const auto set = [&](size_t entry, uint64_t number) {
    std::memcpy(stored.data() + kNonceRoom + sizeof number * entry, &number, sizeof number);
  };
  for (size_t s = 0; s < count; s++) {
    const warpaes_bytes& string = (*message.strings)[s];
    set(s, reinterpret_cast<uintptr_t>(string.data));
    set(count + s, string.length);
  }
  return stored;
}

/// A call with this at the front of its workspace.
DeviceCall with_stored(DeviceCall call, const Message& message, std::span<const uint8_t> stored) {
  if (stored.empty()) return call;
  const std::string name = call.cipher.row().name;
  if (message.nonce_bytes > kNonceRoom) {
    refuse(name + " has no nonces of more than " + std::to_string(kNonceRoom) + " bytes");
  }
  const size_t room = stored_room(call.cipher);
  if (call.workspace == nullptr || call.workspace_bytes < room ||
      reinterpret_cast<uintptr_t>(call.workspace) % 16 != 0) {
    throw Failure(WARPAES_ERROR_WORKSPACE, name + " on " + call.engine.name + " needs a workspace of " +
                                               std::to_string(room) +
                                               " bytes for what is on the host, 16-byte aligned");
  }
  const Region workspace{"the workspace", call.workspace, 1, 0, room};
  require_valid(workspace);
  const auto require_apart = [&](const char* what, const void* data, uint64_t bytes) {
    const Region read{what, data, 1, 0, bytes};
    require_valid(read);
    require_disjoint(read, workspace);
  };
  require_apart("the input", message.input, message.bytes);
  require_apart("the output", message.output,
                call.cipher.row().lengths(message.direction).output(message.bytes));
  require_apart("the tag", message.tag, message.tag_bytes);
  require_apart("the additional data", message.aad, message.aad_bytes);
  if (message.strings) {
    for (const warpaes_bytes& string : *message.strings)
      require_apart("a string", string.data, string.length);
  }
  require_on_device(call.cipher.context().device(), {{"workspace", call.workspace, room}});
  call.stored = stored;
  return call;
}

const uint8_t* nonce_in(const DeviceCall& call, const Message& message) {
  return message.nonce_bytes == 0 ? nullptr : call.workspace;
}

/// SIV's strings as entries of a batch.
void describe_strings(Batch& batch, const DeviceCall& call, std::span<const warpaes_bytes> strings) {
  batch.aad_strings = strings.size();
  if (strings.empty()) return;
  const uint8_t* const lists = call.workspace + kNonceRoom;
  batch.aads = reinterpret_cast<const uint8_t* const*>(lists);
  batch.aad_lengths = reinterpret_cast<const uint64_t*>(lists) + strings.size();
  if (batch.statuses == nullptr) batch.statuses = reinterpret_cast<int32_t*>(call.workspace + kStatusAt);
  for (const warpaes_bytes& string : strings) {
    require_on_device(call.cipher.context().device(), {{"a string", string.data, string.length}});
    batch.aad_bytes = std::max(batch.aad_bytes, string.length);
  }
}

void require_apart(const DeviceCall& call, const Message& message) {
  require_on_device(call.cipher.context().device(),
                    {{"input", message.input, message.bytes}, {"output", message.output, message.bytes}});
}

void aead_message(const DeviceCall& call, const Message& message) {
  Batch batch = batch_of(call.cipher, message);
  batch.host_nonce = message.nonce;
  batch.host_nonce_bytes = message.nonce_bytes;
  batch.statuses = message.status;
  run_batch(call, nullptr, batch);
}

/// Uses the kernels for batches, in which a message is the work of one lane.
void batch_of_one(const DeviceCall& call, const Message& message) {
  require_batches(call.engine, call.cipher.mode());
  const std::vector<uint8_t> stored = stored_of(message);
  const DeviceCall storing = with_stored(call, message, stored);
  Batch batch = batch_of(call.cipher, message);
  batch.nonces = nonce_in(storing, message);
  batch.statuses = message.status;
  batch.output_lengths = message.output_length;
  if (message.strings) describe_strings(batch, storing, *message.strings);
  run_batch(storing, nullptr, batch);
}

void ecb_message(const DeviceCall& call, const Message& message) {
  const BlockRun run{message.input, message.output, message.bytes};
  require_valid_message(WARPAES_MODE_ECB, message.direction, {nullptr, run.input, run.output, run.bytes});
  require_apart(call, message);
  ecb(call.engine, call.cipher.key().prepared(call.engine), message.direction, run, call.stream);
}

void ctr_message(const DeviceCall& call, const Message& message) {
  const CounterRun run{message.nonce, message.input, message.output, message.bytes};
  require_valid_message(WARPAES_MODE_CTR, message.direction, {run.counter, run.input, run.output, run.bytes});
  require_apart(call, message);
  ctr(call.engine, call.cipher.key().prepared(call.engine), run, call.stream);
}

void xts_message(const DeviceCall& call, const Message& message) {
  if (message.bytes == 0) return;
  const uint64_t unit = message.data_unit != 0 ? message.data_unit : message.bytes;
  const XtsRun run{message.nonce, unit, message.input, message.output, message.bytes};
  require_valid_xts(run);
  require_apart(call, message);
  xts(call.engine, call.cipher.xts_keys(call.engine), message.direction, run, call.stream);
}

using Unchaining = void (*)(const Engine& engine, const EngineKey& key, Direction direction,
                            const ChainRun& run, void* workspace, size_t workspace_bytes, Stream stream);

/// Decryption works on all blocks at once.
template <Unchaining kDecrypt>
void chained_message(const DeviceCall& call, const Message& message) {
  if (message.encrypts()) return batch_of_one(call, message);
  const ChainRun run{message.nonce, message.input, message.output, message.bytes};
  require_valid_message(call.cipher.mode(), message.direction, run);
  require_apart(call, message);
  const bool uses_workspace = call.workspace != nullptr && run.input == run.output;
  require_on_device(call.cipher.context().device(),
                    {{"workspace", call.workspace, uses_workspace ? call.workspace_bytes : 0}});
  kDecrypt(call.engine, call.cipher.key().prepared(call.engine), message.direction, run, call.workspace,
           call.workspace_bytes, call.stream);
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

}  // namespace

void store(const DeviceCall& call) {
  for (size_t at = 0; at < call.stored.size(); at += kStoredAtOnce) {
    call.engine.store(call.cipher.context().device(), call.workspace + at,
                      call.stored.subspan(at, std::min(kStoredAtOnce, call.stored.size() - at)), call.stream);
  }
}

void run_message(const DeviceCall& call, const Message& message) { form_of(call.cipher)(call, message); }

size_t workspace_bytes(const Cipher& cipher, const Engine& engine, Direction direction, uint64_t messages,
                       uint64_t bytes) {
  const ModeRow& mode = cipher.row();
  if (!has_mode(engine, cipher.mode(), direction, !cipher.has_key())) {
    throw Failure(WARPAES_ERROR_UNSUPPORTED, full_name(engine) + " has no " + mode.name +
                                                 " like this: take host memory and an engine of the CPU");
  }
  // There are no more messages than addresses, and none is longer than memory, so the size cannot overflow.
  const uint64_t most = std::min(mode.lengths(direction).most, uint64_t{1} << 40);
  if (bytes > most || messages > uint64_t{1} << 48) {
    throw Failure(WARPAES_ERROR_LENGTH,
                  std::string("no ") + mode.name + " call works on so many messages or bytes");
  }
  if (!cipher.has_key()) return 0;
  const uint64_t longest = cipher.mode() == WARPAES_MODE_GMAC ? 0 : bytes;
  const auto of_batch = [&](uint64_t count) {
    return batch_workspace_bytes(engine, cipher.mode(), count, longest);
  };
  // A single message may need more than two, and the workspace is for batches of fewer messages as well.
  size_t needed = std::max(of_batch(1), of_batch(messages));
  if (stores_nonce(cipher, direction)) needed = std::max(needed, stored_room(cipher));
  const bool unchains = cipher.mode() == WARPAES_MODE_CBC || cipher.mode() == WARPAES_MODE_CFB;
  if (unchains && direction == WARPAES_DIRECTION_DECRYPT) {
    needed = std::max(needed, unchain_workspace_bytes(engine, bytes));
  }
  return needed;
}

}  // namespace warpaes::core
