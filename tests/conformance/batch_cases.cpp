#include "batch_cases.hpp"

#include "cipher_modes.hpp"
#include "engines/openssl/openssl_engine.hpp"

namespace warpaes::core::conformance {
namespace {

/// Does an engine take this batch? Modes tell by what they would refuse.
bool has_batch(const Engine& engine, const CipherExamples& examples) {
  return examples.key.empty() ? has_cipher_key_each(engine, examples.mode)
                              : has_cipher_batch(engine, examples.mode);
}
bool has_batch(const Engine& engine, const AeadExamples& examples) {
  Batch batch{};
  batch.direction = examples.direction;
  batch.mode = examples.batch.mode;
  batch.bytes = examples.batch.most_bytes;
  batch.aad_bytes = examples.batch.most_aad_bytes;
  return takes_batch(engine, batch, /*each=*/true);
}

size_t tag_bytes_of(Random& random, const ModeRow& row) {
  size_t bytes = 16;
  do bytes = random.between(1, 16);
  while ((row.tag_lengths >> bytes & 1) == 0);
  return bytes;
}

const char* matrix_name(Aead mode) {
  for (const AeadMode& row : kAeadModes) {
    if (row.aead == mode) return mode_name(row.mode);
  }
  return "";
}

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

std::string batch_row(const std::string& mode, bool key_each) {
  return mode + (key_each ? "-key-each" : "-batch");
}

bool BatchCase::is_had_by(const Engine& engine) const {
  return std::visit([&](const auto& batch) { return has_batch(engine, batch); }, examples);
}

bool BatchCase::is_fused_by(const Engine& engine) const {
  Engine on_device = engine;  // where nothing is composed
  on_device.memory = Memory::device;
  return is_had_by(on_device);
}

bool BatchCase::has_work() const {
  return std::visit(Overloaded{[](const CipherExamples& batch) { return !batch.messages.empty(); },
                               [](const AeadExamples& batch) { return !batch.batch.messages.empty(); }},
                    examples);
}

uint64_t BatchCase::bytes() const {
  const auto sum = [](const auto& messages, auto field) {
    uint64_t bytes = 0;
    for (const auto& message : messages) bytes += (message.*field).size();
    return bytes;
  };
  return std::visit(
      Overloaded{[&](const CipherExamples& batch) { return sum(batch.messages, &CipherExample::input); },
                 [&](const AeadExamples& batch) {
                   return sum(batch.batch.messages, &BatchedMessageExample::plaintext);
                 }},
      examples);
}

std::string BatchCase::run(const Engine& engine, int device) const {
  return std::visit(Overloaded{[&](const CipherExamples& batch) { return difference(engine, device, batch); },
                               [&](const AeadExamples& batch) {
                                 try {
                                   return difference(engine, device, batch.direction, batch.batch);
                                 } catch (const std::exception& error) {
                                   return std::string(error.what());
                                 }
                               }},
                    examples);
}

BatchCase cipher_batch_case(Random& random, const CipherRow& row, int key_bits, const BatchShape& shape) {
  const size_t key_bytes = all_key_bytes(row.mode, static_cast<size_t>(key_bits) / 8);
  CipherExamples batch{.mode = row.mode,
                       .key = shape.key_each ? Bytes() : random.bytes(key_bytes),
                       .messages = {},
                       .scattered = shape.scattered,
                       .gap = random.between(0, 1) * random.between(0, 20),
                       .in_place = shape.in_place,
                       .tag_bytes = random.between(8, 16)};
  for (size_t m = 0; m < shape.messages; m++) {
    const Bytes key = shape.key_each ? random.bytes(key_bytes) : batch.key;
    const uint64_t bytes = shape.scattered ? random.between(0, shape.most_bytes) : shape.most_bytes;
    CipherExample message = message_of(random, row, key, bytes, batch.tag_bytes);
    if (shape.damaged && random.between(0, 3) == 0) damage(random, row, key, message);
    message.offset = shape.scattered && m % 3 != 0 ? random.between(0, 1) * shape.offset : shape.offset;
    if (shape.key_each) message.key = key;
    batch.messages.push_back(std::move(message));
  }
  const std::string name = std::to_string(shape.messages) + (shape.scattered ? " scattered" : "") +
                           " messages of up to " + std::to_string(shape.most_bytes) + " bytes" +
                           (row.decrypts ? ", decrypt" : "") + (shape.in_place ? ", in place" : "");
  return {name, batch_row(row.name, shape.key_each), key_bits, std::move(batch)};
}

BatchCase aead_batch_case(Random& random, Aead mode, Direction direction, int key_bits,
                          const BatchShape& shape) {
  const ModeRow& row = mode_row(mode);
  const size_t key_bytes = static_cast<size_t>(key_bits) / 8 * row.key_count;
  BatchedAead batch{.name = {},
                    .form = {.ragged = shape.scattered,
                             .scattered = shape.scattered,
                             .ragged_aad = random.between(0, 1) == 1,
                             .scattered_aad = random.between(0, 1) == 1,
                             .key_each = true,
                             .in_place = shape.in_place,
                             .misalignment = shape.offset},
                    .most_bytes = shape.most_bytes,
                    .most_aad_bytes = random.between(0, 40),
                    .tag_bytes = tag_bytes_of(random, row),
                    .messages = {},
                    .mode = mode,
                    .nonce_bytes = row.recommended_nonce};
  for (size_t m = 0; m < shape.messages; m++) {
    batch.messages.push_back(
        {.key = random.bytes(key_bytes),
         .nonce = random.bytes(batch.nonce_bytes),
         .aad = random.bytes(batch.form.ragged_aad ? random.between(0, batch.most_aad_bytes)
                                                   : batch.most_aad_bytes),
         .plaintext = random.bytes(shape.scattered ? random.between(0, shape.most_bytes) : shape.most_bytes),
         .forged = direction == WARPAES_DIRECTION_DECRYPT && shape.damaged && random.between(0, 3) == 0});
  }
  batch.name = std::to_string(shape.messages) + " messages of up to " + std::to_string(shape.most_bytes) +
               " bytes" + (direction == WARPAES_DIRECTION_DECRYPT ? ", decrypt" : "");
  const std::string name = batch.name;
  return {name, batch_row(matrix_name(mode), true), key_bits, AeadExamples{direction, std::move(batch)}};
}

}  // namespace warpaes::core::conformance
