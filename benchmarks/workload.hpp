// One workload: what is to be computed, on which random data, and what the right result is. The latter comes
// from another engine than the one that is measured.
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

namespace warpaes::bench {

/// What a batch of messages has besides their number and length.
struct BatchKind {
  bool ragged = false;  // lengths are random from 0 to `bytes`, evenly distributed
  bool key_each = false;
  bool framed = false;  // in memory, a message's nonce lies before its ciphertext, and its tag behind it
  uint32_t misaligned_by = 0;  // how far input and output begin behind a multiple of 16
  bool listed = false;         // arrays of addresses say where inputs and outputs are
};

struct Workload {
  const BenchMode* mode;
  int key_bits;
  uint64_t messages;
  uint64_t bytes;                   // of each message's plaintext
  uint64_t data_unit_bytes = 4096;  // XTS
  BatchKind kind = {};
  bool equal_blocks = false;  // all blocks of the plaintext are like the first

  /// The size of the memory in which the plaintexts lie.
  uint64_t total_bytes() const { return messages * bytes; }
  uint64_t ciphertext_bytes() const { return bytes + mode->longer_by; }
  uint64_t frame_bytes() const { return kNonceBytes + ciphertext_bytes() + kTagBytes; }
  uint64_t input_bytes(warpaes_direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT ? bytes : ciphertext_bytes();
  }
  /// With the room for padding.
  uint64_t output_bytes(warpaes_direction direction) const {
    return direction == WARPAES_DIRECTION_ENCRYPT || mode->pads ? ciphertext_bytes() : bytes;
  }
  bool tells_lengths(warpaes_direction direction) const {
    return mode->pads && direction == WARPAES_DIRECTION_DECRYPT;
  }
  /// How many bytes of all messages are compared.
  uint64_t compared_bytes(warpaes_direction direction) const {
    return mode->writes_output ? messages * output_bytes(direction) : 0;
  }
  /// Are statuses written that are to be compared?
  bool has_statuses() const {
    return mode->authenticates || mode->tells_statuses || kind.ragged || kind.listed;
  }
};

/// The engine whose results are taken for right.
class Oracle {
 public:
  /// The first of openssl, cuda and portable that can run here and has another name than the measured engine.
  /// @param on_cpu leaves out cuda, which does not encrypt single messages in modes whose blocks chain
  explicit Oracle(std::string_view measured_engine, int device, bool on_cpu = false);

  const std::string& name() const { return name_; }
  const warpaes::Context& context() const { return *context_; }

 private:
  std::string name_;
  std::optional<warpaes::Context> context_;
};

/// The byte that memory holds where nothing of a message is expected.
constexpr uint8_t kPoison = 0xa5;

/// A fresh random key, nonces and plaintext, and the ciphertext and tags that the oracle makes of them.
/// Encryption is measured from plaintext to ciphertext, decryption from ciphertext to plaintext.
class Dataset {
 public:
  Dataset() = default;
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  /// Makes the data of a workload. Memory is kept from one workload to the next.
  void make(const Workload& workload, const Oracle& oracle);

  const Workload& workload() const { return workload_; }
  /// The call on memory where this object's inputs lie. A place that has memory of its own fills in that.
  Call call(warpaes_direction direction) const;
  const std::string& oracle() const { return oracle_; }
  /// The key; in XTS and SIV both keys, one behind the other.
  std::span<const uint8_t> key() const {
    return {key_.data(), static_cast<size_t>(workload_.key_bits / 8) * workload_.mode->keys};
  }
  /// A cipher with that key, or without a key if each message brings its own.
  warpaes::Cipher cipher(const warpaes::Context& context) const;
  const uint8_t* nonces() const { return nonces_.data(); }
  size_t nonces_bytes() const { return nonces_.size(); }
  const uint8_t* tags() const { return tags_.data(); }
  size_t tags_bytes() const { return tags_.size(); }
  const std::vector<uint64_t>& lengths() const { return lengths_; }  // empty: all have `bytes` bytes
  /// Each is as long as key(). Empty: key() is for all messages.
  const std::vector<uint8_t>& keys() const { return keys_; }
  uint64_t payload_bytes() const;

  const uint8_t* input(warpaes_direction direction) const;
  const uint8_t* expected_output(warpaes_direction direction) const;

 private:
  void make_ragged();
  void make_room_for_padding();

  Workload workload_{};
  std::string oracle_;
  std::array<uint8_t, 64> key_{};
  std::vector<uint8_t>
      nonces_;  // with nonces as long as the mode says; modes with 16 bytes take the beginning
  std::vector<uint8_t> tags_, keys_;
  std::vector<uint64_t> lengths_;
  PageableBuffer plaintext_, ciphertext_;
  PageableBuffer unpadded_;  // the plaintexts with zeros where their padding was
};

}  // namespace warpaes::bench
