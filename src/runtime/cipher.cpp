#include "runtime/cipher.hpp"

#include "failure.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes::core {
namespace {

/// Does the engine have a function for one long message? Engines without batches may have one.
bool has_long_form(const Engine& engine, warpaes_mode mode, Direction direction) {
  const bool decrypts = direction == WARPAES_DIRECTION_DECRYPT;
  switch (mode) {
    case WARPAES_MODE_ECB:
      return true;
    case WARPAES_MODE_CTR:
      return engine.counter != nullptr;
    case WARPAES_MODE_CBC:
      return decrypts && engine.cbc_decrypt != nullptr;
    case WARPAES_MODE_CFB:
      return decrypts && engine.cfb_decrypt != nullptr;
    case WARPAES_MODE_XTS:
      return engine.xts != nullptr;
    default:
      return false;
  }
}

void require_mode_in(const Context& context, warpaes_mode mode, bool each) {
  if (context.state().has_cpu()) return;
  const Engine& engine = context.device_engine();
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    if (has_mode(engine, mode, direction, each)) return;
  }
  throw Failure(WARPAES_ERROR_UNSUPPORTED, "{} has no {}{}, and this context was made without another engine",
                full_name(engine), mode_row(mode).name, each ? " with a key for each message" : "");
}

}  // namespace

bool has_mode(const Engine& engine, warpaes_mode mode, Direction direction, bool each) {
  if (engine.memory == Memory::host) return true;
  const ModeSupport& support = engine.modes[mode];
  if (each) return support.run_key_each != nullptr;
  return support.run != nullptr || has_long_form(engine, mode, direction);
}

Cipher::Cipher(const Context& context, warpaes_mode mode, std::span<const uint8_t> key)
    : context_(context), mode_(mode), row_(mode_row(mode)) {
  if (!key.empty()) require_key_length(row_, key.size());
  require_mode_in(context, mode, key.empty());
  context.require_tested(mode);
  if (!key.empty()) prepare(key);
}

void Cipher::prepare(std::span<const uint8_t> key) {
  if (row_.key_count == 1) {
    key_.emplace(context_, key);
    return;
  }
  const size_t half = key.size() / 2;
  const bool mac_first = mode_ == WARPAES_MODE_SIV;
  key_.emplace(context_, mac_first ? key.last(half) : key.first(half));
  second_key_.emplace(context_, mac_first ? key.first(half) : key.last(half));
  if (mode_ == WARPAES_MODE_XTS) require_valid_xts_keys(*key_, *second_key_);
}

void Cipher::refuse_keyless() {
  throw Failure(WARPAES_ERROR_STATE,
                "the cipher was created without a key: it is for batches whose messages bring their own");
}

}  // namespace warpaes::core
