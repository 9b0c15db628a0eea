// SIV, RFC 5297.
#pragma once

#include <functional>

#include "engines/engine.hpp"
#include "modes/mac_chain.hpp"

namespace warpaes::core {

/// Section 7: S2V takes 127 strings, of which the plaintext is one.
constexpr size_t kSivMostAads = 126;
/// The nonce, if there is one, is another of them.
constexpr size_t siv_most_aads(size_t nonce_bytes) {
  return nonce_bytes == 0 ? kSivMostAads : kSivMostAads - 1;
}

/// Section 2.4, S2V of the associated data and the plaintext: the tag. On a host engine.
class S2v {
 public:
  S2v(const Engine& engine, const EngineKey& mac_key);
  /// The strings are the message's additional data, and its nonce behind them if there is one (section 3).
  /// @param plaintext the message's input or output
  MacBlock tag_of(const Batch& batch, const BatchMessage& message, const uint8_t* plaintext);

 private:
  Cmac cmac_;
  const SecretBlock of_zeros_;  // CMAC of a block of zeros, with which every S2V begins
};

/// Section 2.5: the counter that a message with this tag is encrypted from.
MacBlock siv_counter(const uint8_t* tag);

/// CTR under some key: ctr() or ctr_host().
using CtrOfKey = std::function<void(const CounterRun& run)>;

/// A batch on host memory, sections 2.6 and 2.7: the MAC by a host engine, the key stream by `by_ctr`.
void siv_messages(const Engine& engine, const EngineKey& mac_key, const CtrOfKey& by_ctr, const Batch& batch);

}  // namespace warpaes::core
