// One workload: what is to be computed, on which random data, and what the right result is, told by an
// engine other than the one that is measured.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_mode.hpp"
#include "bulk_memory.hpp"

namespace warpaes::core::bench {

/// What a batch of messages is besides their number and length.
struct BatchKind {
  bool ragged = false;  // lengths are even from 0 to `bytes`
  bool key_each = false;
};

struct Workload {
  const BenchMode* mode;
  int key_bits;
  uint64_t messages;
  uint64_t bytes;                   // of each message's plaintext
  uint64_t data_unit_bytes = 4096;  // XTS
  BatchKind kind = {};
  bool equal_blocks = false;  // of the plaintext: all are like the first

  /// That the plaintexts lie in.
  uint64_t total_bytes() const { return messages * bytes; }
  uint64_t ciphertext_bytes() const { return bytes + mode->longer_by; }
  uint64_t input_bytes(core::Direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? bytes : ciphertext_bytes();
  }
  uint64_t output_bytes(core::Direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? ciphertext_bytes() : bytes;
  }
  /// That is compared, of all messages.
  uint64_t compared_bytes(core::Direction direction) const {
    return mode->writes_output ? messages * output_bytes(direction) : 0;
  }
  /// Of messages that have none, nobody asks.
  bool has_statuses() const { return mode->authenticates || mode->tells_statuses || kind.ragged; }
};

/// The engine that results are compared with.
class Oracle {
 public:
  /// The first of openssl, cuda, portable that is not of the measured engine's name and can run here.
  /// @param on_cpu no cuda: it does not encrypt single messages that chain
  explicit Oracle(std::string_view measured_engine, int device, bool on_cpu = false);

  const std::string& name() const { return name_; }
  const warpaes::Context& context() const { return *context_; }

 private:
  std::string name_;
  std::optional<warpaes::Context> context_;
};

/// What memory holds that no message is expected in.
constexpr uint8_t kPoison = 0xa5;

/// Fresh random key, nonces and plaintext, and their ciphertext and tags as the oracle makes them.
/// Encryption is measured from plaintext to ciphertext, decryption from ciphertext to plaintext.
class Dataset {
 public:
  Dataset() = default;
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  /// Memory is kept from one workload to the next.
  void make(const Workload& workload, const Oracle& oracle);

  const Workload& workload() const { return workload_; }
  /// Of memory where its inputs lie. What a place has of its own, it says itself.
  Call call(core::Direction direction) const;
  const std::string& oracle() const { return oracle_; }
  /// Of XTS and SIV both, one behind the other.
  std::span<const uint8_t> key() const {
    return {key_.data(), static_cast<size_t>(workload_.key_bits / 8) * workload_.mode->keys};
  }
  /// With that key, or for messages that have a key each.
  warpaes::Cipher cipher(const warpaes::Context& context) const;
  const uint8_t* nonces() const { return nonces_.data(); }
  size_t nonces_bytes() const { return nonces_.size(); }
  const uint8_t* tags() const { return tags_.data(); }
  size_t tags_bytes() const { return tags_.size(); }
  const std::vector<uint64_t>& lengths() const { return lengths_; }  // empty: all `bytes`
  const std::vector<uint8_t>& keys() const { return keys_; }         // as long as key(); empty: it is for all
  uint64_t payload_bytes() const;

  const uint8_t* input(core::Direction direction) const;
  const uint8_t* expected_output(core::Direction direction) const;

 private:
  void make_ragged();

  Workload workload_{};
  std::string oracle_;
  std::array<uint8_t, 64> key_{};
  std::vector<uint8_t> nonces_;  // as long as the mode says; the others take the first 16 bytes
  std::vector<uint8_t> tags_, keys_;
  std::vector<uint64_t> lengths_;
  PageableBuffer plaintext_, ciphertext_;
};

}  // namespace warpaes::core::bench
