#include <stdexcept>

#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "generated_cases.hpp"
#include "modes/batch.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::conformance {
namespace {

struct Answer {
  Bytes output, tags;
  bool operator==(const Answer&) const = default;
};

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT;

Answer encrypted_by(const Engine& engine, const Case& test) {
  const std::span<const uint8_t> key_bytes(test.key);
  const size_t bytes = static_cast<size_t>(test.key_bits() / 8);
  const bool mac_first = test.mode == Mode::siv;
  const auto key = engine.prepare(KeySchedule(mac_first ? key_bytes.last(bytes) : key_bytes.first(bytes)), 0);
  Answer answer{Bytes(test.input.size()), Bytes(is_aead(test.mode) ? test.messages * test.tag_bytes : 0)};
  switch (test.mode) {
    case Mode::ecb:
      ecb(engine, *key, kEncrypt, {test.input.data(), answer.output.data(), test.bytes}, nullptr);
      break;
    case Mode::ctr:
      ctr(engine, *key, {test.nonces.data(), test.input.data(), answer.output.data(), test.bytes}, nullptr);
      break;
    case Mode::cbc:
      cbc(engine, *key, kEncrypt, test.chain_run(test.input.data(), answer.output.data()), nullptr, 0,
          nullptr);
      break;
    case Mode::cfb:
      cfb(engine, *key, kEncrypt, test.chain_run(test.input.data(), answer.output.data()), nullptr, 0,
          nullptr);
      break;
    case Mode::ofb:
      ofb(engine, *key, test.chain_run(test.input.data(), answer.output.data()), nullptr);
      break;
    case Mode::xts: {
      const auto tweak_key = engine.prepare(KeySchedule(key_bytes.last(bytes)), 0);
      xts(engine, {*key, *tweak_key, test.key_bits()}, kEncrypt,
          test.xts_run(test.input.data(), answer.output.data()), nullptr);
      break;
    }
    default:
      const bool on_host = test.messages == 1 && test.mode != Mode::siv;  // the nonce
      const auto mac_key = mac_first ? engine.prepare(KeySchedule(key_bytes.first(bytes)), 0) : nullptr;
      const Batch batch{
          .mode = aead_mode(test.mode)->aead,
          .direction = WARPAES_DIRECTION_ENCRYPT,
          .messages = test.messages,
          .bytes = test.bytes,
          .input = test.input.data(),
          .input_stride = test.bytes,
          .output = answer.output.data(),
          .output_stride = test.bytes,
          .host_nonce = on_host ? test.nonces.data() : nullptr,
          .host_nonce_bytes = on_host ? test.nonces.size() : 0,
          .nonces = on_host ? nullptr : test.nonces.data(),
          .nonce_stride = test.message_nonce_bytes(),
          .nonce_bytes = test.message_nonce_bytes(),
          .aad = test.aad.data(),
          .aad_bytes = test.aad_bytes,
          .aad_stride = test.aad_shared ? 0 : test.aad_bytes,
          .tags = answer.tags.data(),
          .tag_stride = test.tag_bytes,
          .tag_bytes = test.tag_bytes,
          .statuses = nullptr,
      };
      run_batch(engine, {*key, test.key_bits(), mac_key.get()}, batch, nullptr, 0, nullptr);
      break;
  }
  return answer;
}

}  // namespace

Oracles::Oracles() : first_(openssl_evp), second_(portable_t_tables) {}

void Oracles::encrypt(Case& test) const {
  Answer answer = encrypted_by(first_, test);
  if (answer != encrypted_by(second_, test)) {
    throw std::runtime_error("the oracles differ from each other on " + test.name);
  }
  test.output = std::move(answer.output);
  test.tags = std::move(answer.tags);
}

}  // namespace warpaes::core::conformance
