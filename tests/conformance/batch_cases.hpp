// Cases that are batches of a form that Case does not have: messages of different lengths or anywhere in
// memory, per-message keys, outputs that are not as long as the inputs, or data units of XTS that do not
// follow each other.
#pragma once

#include <filesystem>
#include <functional>
#include <variant>

#include "cipher_examples.hpp"
#include "message_batches_trial.hpp"
#include "share.hpp"

namespace warpaes::core::conformance {

/// A batch of an AEAD mode, in one direction.
struct AeadExamples {
  Direction direction;
  BatchedAead batch;
};

struct BatchCase {
  std::string name;
  std::string mode;  // the matrix' row: "kw-batch", "gcm-key-each"
  int key_bits;
  std::variant<CipherExamples, AeadExamples> examples;
  uint64_t cases = 1;  // what it counts for: published ones each by itself

  /// Has the engine this batch, or has it a form of its own? Emulated, what is composed takes too long.
  bool is_had_by(const Engine& engine) const;
  bool is_fused_by(const Engine& engine) const;
  /// Is a launch needed for it?
  bool has_work() const;
  uint64_t bytes() const;

  /// @return what is wrong; empty if nothing is
  std::string run(const Engine& engine, int device) const;
};

using BatchVisitor = std::function<void(const BatchCase&)>;

/// "kw-batch" or "kw-key-each", of a mode's name.
std::string batch_row(const std::string& mode, bool key_each);

/// How a batch is laid out, and what its messages' lengths are.
struct BatchShape {
  size_t messages;
  uint64_t most_bytes;
  bool scattered;  // then ragged too
  bool in_place, key_each, damaged;
  size_t offset;  // past a multiple of 16; scattered: of some messages
};

BatchCase cipher_batch_case(Random& random, const CipherRow& row, int key_bits, const BatchShape& shape);
/// With a key each.
BatchCase aead_batch_case(Random& random, Aead mode, Direction direction, int key_bits,
                          const BatchShape& shape);

/// Every mode of batches with every key size, under one key and with a key each.
void visit_generated_batches(Share& share, const BatchVisitor& visit);

/// One drawn at random, encrypted and decrypted, with damaged messages among them at times.
void visit_random_batch(Random random, const std::string& name, const BatchVisitor& visit);

/// All published cases of modes that do not authenticate, and of wrapped keys: those of a mode, a direction
/// and a key size are one batch with a key each. Throws std::runtime_error as visit_composed_vectors() does.
void visit_vector_batches(const std::filesystem::path& folder, const BatchVisitor& visit);

}  // namespace warpaes::core::conformance
