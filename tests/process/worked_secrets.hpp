// What tests of wipes compute secrets from: strings of bytes, and AES by the words of FIPS 197.
#pragma once

#include <memory>

#include "engines/engine.hpp"
#include "wipe_ledger.hpp"

namespace warpaes::core::testing {

/// Bytes that look random and are the same in every run.
Bytes counted(size_t bytes, uint8_t first);

/// The XOR of two strings, as long as the first one; the second may be shorter.
Bytes sum(Bytes a, const Bytes& b);
Bytes part(const Bytes& of, size_t at, size_t bytes);
Bytes joined(Bytes a, const Bytes& b);
/// The bytes of an object, as they lie in memory.
template <class Object>
Bytes bytes_of(const Object& object) {
  const auto* const from = reinterpret_cast<const uint8_t*>(&object);
  return {from, from + sizeof object};
}

extern const Bytes kKey, kSecondKey, kNonce, kIv;

/// AES under a key.
class Aes {
 public:
  explicit Aes(const Bytes& key = kKey) : schedule_(key) {}
  Bytes of(Bytes block) const;

 private:
  const KeySchedule schedule_;
};

/// A key of an engine's.
class Prepared {
 public:
  explicit Prepared(const Engine& engine, const Bytes& key = kKey)
      : key_(engine.prepare(KeySchedule(key), 0)) {}
  operator const EngineKey&() const { return *key_; }

 private:
  const std::unique_ptr<EngineKey> key_;
};

/// A message of an AEAD mode, which is worked on in place.
struct Message {
  Bytes data, tag = Bytes(16), aad = counted(16, 6);
  int32_t status = -1;

  explicit Message(size_t bytes) : data(counted(bytes, 7)) {}
  Batch batch(warpaes_mode mode, Direction direction);
};

}  // namespace warpaes::core::testing
