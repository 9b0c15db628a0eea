// One message on device memory: its nonce is in host memory, and becomes a parameter of the kernel, or is
// stored in the workspace for kernels that read it from device memory.
#include <algorithm>
#include <string>

#include "failure.hpp"
#include "modes/batch.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"
#include "runtime/device_memory.hpp"
#include "runtime/messages.hpp"

namespace warpaes::core {
namespace {

/// The room for a nonce at the front of a workspace: as much as Engine::store takes.
constexpr size_t kNonceRoom = 256;

[[noreturn]] void refuse(const std::string& what) {
  throw Failure(WARPAES_ERROR_UNSUPPORTED, what + " on device memory: take the call for host memory");
}

/// A call whose message's nonce the kernel finds at the front of the workspace.
DeviceCall with_stored_nonce(DeviceCall call, const Message& message) {
  if (message.nonce_bytes == 0) return call;
  const std::string name = call.cipher.row().name;
  if (message.nonce_bytes > kNonceRoom) {
    refuse(name + " has no nonces of more than " + std::to_string(kNonceRoom) + " bytes");
  }
  if (call.workspace == nullptr || call.workspace_bytes < kNonceRoom ||
      reinterpret_cast<uintptr_t>(call.workspace) % 16 != 0) {
    throw Failure(WARPAES_ERROR_WORKSPACE, name + " on " + call.engine.name + " needs a workspace of " +
                                               std::to_string(kNonceRoom) +
                                               " bytes for its nonce, 16-byte aligned");
  }
  const Region input{"the input", message.input, 1, 0, message.bytes},
      workspace{"the workspace", call.workspace, 1, 0, kNonceRoom};
  require_valid(input);
  require_valid(workspace);
  require_disjoint(input, workspace);
  require_on_device(call.cipher.context().device(), {{"workspace", call.workspace, kNonceRoom}});
  call.stored_nonce = {message.nonce, message.nonce_bytes};
  return call;
}

const uint8_t* nonce_in(const DeviceCall& call) {
  return call.stored_nonce.empty() ? nullptr : call.workspace;
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
  if (message.strings) refuse("SIV has no other number of strings than one");
  if (message.unused_bits != 0) refuse("CFB1 has no bits that are unused");
  require_batches(call.engine, call.cipher.mode());
  const DeviceCall storing = with_stored_nonce(call, message);
  Batch batch = batch_of(call.cipher, message);
  batch.nonces = nonce_in(storing);
  batch.statuses = message.status;
  batch.output_lengths = message.output_length;
  run_batch(storing, nullptr, batch);
}

void ecb_message(const DeviceCall& call, const Message& message) {
  const BlockRun run{message.input, message.output, message.bytes};
  require_valid_ecb(run);
  require_apart(call, message);
  ecb(call.engine, call.cipher.key().prepared(call.engine), message.direction, run, call.stream);
}

void ctr_message(const DeviceCall& call, const Message& message) {
  const CounterRun run{message.nonce, message.input, message.output, message.bytes};
  require_valid_ctr(run);
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
  require_valid_chain(run);
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

void store_nonce(const DeviceCall& call) {
  if (call.stored_nonce.empty()) return;
  call.engine.store(call.cipher.context().device(), call.workspace, call.stored_nonce, call.stream);
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
  const bool is_gmac = cipher.mode() == WARPAES_MODE_GMAC;
  size_t needed = batch_workspace_bytes(engine, cipher.mode(), messages, is_gmac ? 0 : bytes);
  if (messages != 1) return needed;
  if (stores_nonce(cipher, direction)) needed = std::max(needed, kNonceRoom);
  const bool unchains = cipher.mode() == WARPAES_MODE_CBC || cipher.mode() == WARPAES_MODE_CFB;
  if (unchains && direction == WARPAES_DIRECTION_DECRYPT) {
    needed = std::max(needed, unchain_workspace_bytes(engine, bytes));
  }
  return needed;
}

}  // namespace warpaes::core
