#include "workload.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <numeric>

namespace warpaes::bench {

Oracle::Oracle(std::string_view measured_engine, int device, bool on_cpu) {
  std::string reasons;
  for (const char* name : {"openssl", "cuda", "portable"}) {
    if (name == measured_engine || (on_cpu && name == std::string_view("cuda"))) continue;
    try {
      context_.emplace(warpaes::ContextOptions{.engine = name, .device = device});
      name_ = name;
      return;
    } catch (const Error& error) {
      reasons += std::string("; ") + error.what();
    }
  }
  throw Error(WARPAES_ERROR_ENGINE_UNAVAILABLE,
              "no second engine to check '" + std::string(measured_engine) + "' with" + reasons);
}

Dataset::~Dataset() {
  OPENSSL_cleanse(key_.data(), key_.size());
  OPENSSL_cleanse(keys_.data(), keys_.size());
}

/// Gives the messages random lengths, and leaves nothing but poison behind each of them.
void Dataset::make_ragged() {
  const uint64_t bytes = workload_.bytes, total = workload_.total_bytes();
  lengths_.resize(workload_.messages);
  fill_random({reinterpret_cast<uint8_t*>(lengths_.data()), lengths_.size() * sizeof(uint64_t)});
  std::fill_n(ciphertext_.data(), total, kPoison);
  for (uint64_t i = 0; i < workload_.messages; i++) {
    lengths_[i] %= bytes + 1;
    if (workload_.mode->whole_blocks) lengths_[i] = lengths_[i] / 16 * 16;
    std::fill_n(plaintext_.data() + i * bytes + lengths_[i], bytes - lengths_[i], kPoison);
  }
}

void Dataset::make_room_for_padding() {
  const uint64_t bytes = workload_.bytes, room = workload_.ciphertext_bytes();
  grow(unpadded_, workload_.messages * room);
  for (uint64_t i = 0; i < workload_.messages; i++) {
    std::copy_n(plaintext_.data() + i * bytes, bytes, unpadded_.data() + i * room);
    std::fill_n(unpadded_.data() + i * room + bytes, room - bytes, uint8_t{0});
  }
}

uint64_t Dataset::payload_bytes() const {
  if (lengths_.empty()) return workload_.total_bytes();
  return std::accumulate(lengths_.begin(), lengths_.end(), uint64_t{0});
}

void Dataset::make(const Workload& workload, const Oracle& oracle) {
  workload_ = workload;
  oracle_ = oracle.name();
  const uint64_t total = workload.total_bytes();
  grow(plaintext_, total);
  grow(ciphertext_, workload.messages * workload.ciphertext_bytes());
  nonces_.resize(std::max(kCounterBytes, workload.messages * workload.mode->nonce_bytes));
  tags_.resize(workload.mode->authenticates ? workload.messages * kTagBytes : 0);
  fill_random(key_);
  fill_random(nonces_);
  fill_random(plaintext_.span().first(total));
  constexpr uint64_t kBlock = 16;
  for (uint64_t at = kBlock; workload.equal_blocks && at < total; at += kBlock) {
    std::copy_n(plaintext_.data(), std::min(kBlock, total - at), plaintext_.data() + at);
  }
  lengths_.clear();
  if (workload.kind.ragged) make_ragged();
  if (workload.mode->pads) make_room_for_padding();
  keys_.resize(workload.kind.key_each ? workload.messages * key().size() : 0);
  fill_random(keys_);

  std::vector<int32_t> statuses(workload.messages);
  Call call = this->call(WARPAES_DIRECTION_ENCRYPT);
  call.nonces = nonces_.data();
  call.input = plaintext_.data();
  call.output = ciphertext_.data();
  call.tags = tags_.data();
  call.statuses = workload.has_statuses() ? statuses.data() : nullptr;
  call.lengths = lengths_.empty() ? nullptr : lengths_.data();
  call.keys = keys_.empty() ? nullptr : keys_.data();
  workload.mode->run(cipher(oracle.context()), call);
}

warpaes::Cipher Dataset::cipher(const warpaes::Context& context) const {
  return keys_.empty() ? warpaes::Cipher(context, workload_.mode->mode, key())
                       : warpaes::Cipher(context, workload_.mode->mode);
}

Call Dataset::call(warpaes_direction direction) const {
  Call call{};
  call.direction = direction;
  call.messages = workload_.messages;
  call.bytes = workload_.input_bytes(direction);
  call.output_bytes = workload_.output_bytes(direction);
  call.host_nonce = nonces();
  call.data_unit_bytes = workload_.data_unit_bytes;
  call.key_bytes = key().size();
  return call;
}

const uint8_t* Dataset::input(warpaes_direction direction) const {
  const bool has_ciphertext = direction == WARPAES_DIRECTION_DECRYPT && workload_.mode->writes_output;
  return has_ciphertext ? ciphertext_.data() : plaintext_.data();
}

const uint8_t* Dataset::expected_output(warpaes_direction direction) const {
  if (direction == WARPAES_DIRECTION_ENCRYPT) return ciphertext_.data();
  return workload_.mode->pads ? unpadded_.data() : plaintext_.data();
}

}  // namespace warpaes::bench
