// Cases of modes that no engine has a function of its own for, and whose answers are not as long as the data:
// CFB with short segments, padding and ciphertext stealing in CBC, and key wrap. Each case calls the mode as
// it is composed from an engine's block functions.
#pragma once

#include <filesystem>
#include <functional>

#include "conformance_case.hpp"
#include "failure.hpp"

namespace warpaes::core::conformance {

struct ComposedCase {
  std::string name;
  const char* mode;  // the matrix' row
  Bytes key;
  std::function<Bytes(const Engine& engine, const EngineKey& key)> answer;
  Bytes expected;
  Status status = WARPAES_OK;  // or what is thrown
  std::string unusable = {};   // why no engine is offered it

  int key_bits() const { return static_cast<int>(8 * key.size()); }

  /// @return what is wrong; empty if nothing is
  std::string run(const Engine& engine, int device) const;
};

using ComposedVisitor = std::function<void(const ComposedCase&)>;

/// The published ones: CFB-1 and CFB-8 of NIST's CAVP, key wrap of CAVP and RFC 5649, and RFC 3962's of CTS.
/// Throws std::runtime_error for a file that is missing or not as published.
void visit_composed_vectors(const std::filesystem::path& folder, const ComposedVisitor& visit);

/// Key wrap of CAVP and RFC 5649, as they are published.
struct WrapVector {
  std::string name;
  bool padded;   // KWP
  bool inverse;  // by AES' inverse: no engine does that
  Direction direction;
  Bytes key, input, expected;
  Status status;
};
void visit_wrap_vectors(const std::filesystem::path& folder,
                        const std::function<void(const WrapVector&)>& visit);

/// Of lengths around every block, against OpenSSL.
void visit_composed_generated(const ComposedVisitor& visit);

// What both are made of. `direction` and data as the mode has them.
ComposedCase cfb_short_case(unsigned segment_bits, Direction direction, const Bytes& key, const Bytes& iv,
                            const Bytes& input);
ComposedCase cts_case(int variant, Direction direction, const Bytes& key, const Bytes& iv,
                      const Bytes& input);
ComposedCase pkcs7_case(Direction direction, const Bytes& key, const Bytes& iv, const Bytes& input);
ComposedCase wrap_case(bool padded, Direction direction, const Bytes& key, const Bytes& input);

}  // namespace warpaes::core::conformance
