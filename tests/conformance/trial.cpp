#include "trial.hpp"

#include <algorithm>
#include <cstring>

#include "modes/batch.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::conformance {
namespace {

/// Around every field lie bytes of this value, and they must stay. Reading past the end is for the
/// address sanitizer to see: under it, a field in host memory ends where its buffer does.
constexpr uint8_t kGuard = 0xa5;
constexpr size_t kGuardBytes = 64;
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kTrailingGuardBytes = 0;
#else
constexpr size_t kTrailingGuardBytes = kGuardBytes;
#endif

/// From message to message. Attached tags lie between ciphertexts, and in place between plaintexts too.
uint64_t stride(const Case& test, bool of_ciphertext) {
  const bool with_tag = test.layout.tags_attached && (of_ciphertext || test.layout.in_place);
  return test.bytes + (with_tag ? test.tag_bytes : 0) + test.layout.gap;
}

/// Up to the end of the last message, or of its attached tag; no gap behind it.
uint64_t region_bytes(const Case& test, uint64_t message_stride) {
  return test.messages == 0 ? 0 : test.messages * message_stride - test.layout.gap;
}

}  // namespace

/// A field of a call as it lies in a buffer, guards included: before, and as it has to be after.
struct Trial::Field {
  EngineBuffer& buffer;
  const char* name;
  size_t start, size;
  Bytes before, after;

  Field(EngineBuffer& in, const char* field_name, size_t offset, size_t bytes)
      : buffer(in),
        name(field_name),
        start(kGuardBytes + offset),
        size(bytes),
        before(start + bytes + kTrailingGuardBytes, kGuard),
        after(before) {}

  uint8_t* data() const { return buffer.data() + start; }

  /// Piece m of `pieces`, which are `bytes` long each, goes to at + m * stride.
  void set(Bytes& image, const Bytes& pieces, size_t at, uint64_t bytes, uint64_t stride) const {
    for (size_t m = 0; bytes != 0 && m * bytes < pieces.size(); m++) {
      std::copy_n(pieces.begin() + static_cast<ptrdiff_t>(m * bytes), bytes,
                  image.begin() + static_cast<ptrdiff_t>(start + at + m * stride));
    }
  }
  void set_before(const Bytes& pieces, size_t at, uint64_t bytes, uint64_t stride) {
    set(before, pieces, at, bytes, stride);
    set(after, pieces, at, bytes, stride);
  }
  void set_after(const Bytes& pieces, size_t at, uint64_t bytes, uint64_t stride) {
    set(after, pieces, at, bytes, stride);
  }

  void place() const {
    buffer.resize(before.size());
    buffer.write(0, before);
  }

  /// Empty, or where the first wrong byte is.
  std::string difference() const {
    const Bytes found = buffer.read(0, after.size());
    if (found == after) return "";
    const auto at = std::mismatch(found.begin(), found.end(), after.begin()).first;
    const ptrdiff_t position = at - found.begin() - static_cast<ptrdiff_t>(start);
    const bool expected_change = after[at - found.begin()] != before[at - found.begin()];
    return std::string(name) + (expected_change ? " differs" : " is written where it should not be") +
           " at byte " + std::to_string(position);
  }
};

std::string Trial::first_difference(std::initializer_list<const Field*> fields) {
  for (const Field* field : fields) {
    if (std::string wrong = field->difference(); !wrong.empty()) return wrong;
  }
  return "";
}

Trial::Trial(const Engine& engine, int device)
    : engine_(engine),
      device_(device),
      stream_(engine, device),
      input_(engine, device, stream_),
      output_(engine, device, stream_),
      nonces_(engine, device, stream_),
      aad_(engine, device, stream_),
      aad_entries_(engine, device, stream_),
      tags_(engine, device, stream_),
      statuses_(engine, device, stream_),
      workspace_(engine, device, stream_) {}

void Trial::prepare(const Case& test) {
  const bool two = has_two_keys(test.mode) || has_two_keys(key_mode_);
  if (key_ != nullptr && test.key == key_bytes_ && (test.mode == key_mode_ || !two)) return;
  const std::span<const uint8_t> key(test.key);
  const size_t bytes = static_cast<size_t>(test.key_bits() / 8);
  const bool mac_first = test.mode == Mode::siv;
  key_ = engine_.prepare(KeySchedule(mac_first ? key.last(bytes) : key.first(bytes)), device_);
  other_key_ = nullptr;
  if (has_two_keys(test.mode)) {
    other_key_ = engine_.prepare(KeySchedule(mac_first ? key.first(bytes) : key.last(bytes)), device_);
  }
  key_bytes_ = test.key;
  key_mode_ = test.mode;
}

std::string Trial::run(const Case& test) {
  try {
    return is_aead(test.mode) ? run_aead(test) : run_bytes(test);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string Trial::run_bytes(const Case& test) {
  Field input(input_, "the input", test.layout.input_offset, test.bytes);
  Field output(output_, "the output", test.layout.output_offset, test.bytes);
  Field& result = test.layout.in_place ? input : output;
  input.set_before(test.input, 0, test.bytes, 0);
  result.set_after(test.output, 0, test.bytes, 0);
  const bool unchaining =
      test.direction == WARPAES_DIRECTION_DECRYPT && (test.mode == Mode::cbc || test.mode == Mode::cfb);
  Field workspace(workspace_, "the workspace", 0,
                  unchaining && test.layout.in_place ? unchain_workspace_bytes(engine_, test.bytes) : 0);
  for (const Field* field : {&input, &output, &workspace}) field->place();
  prepare(test);
  call_mode(test, input.data(), result.data(), workspace);
  stream_.wait();
  workspace.set_after(workspace.buffer.read(workspace.start, workspace.size), 0, workspace.size, 0);
  return first_difference({&result, &input, &output, &workspace});
}

void Trial::call_mode(const Case& test, const uint8_t* input, uint8_t* output, const Field& workspace) {
  void* const scratch = workspace.size == 0 ? nullptr : workspace.data();
  const Stream stream = stream_.get();
  switch (test.mode) {
    case Mode::ecb:
      return ecb(engine_, *key_, test.direction, {input, output, test.bytes}, stream);
    case Mode::ctr:
      return ctr(engine_, *key_, {test.nonces.data(), input, output, test.bytes}, stream);
    case Mode::cbc:
      return cbc(engine_, *key_, test.direction, test.chain_run(input, output), scratch, workspace.size,
                 stream);
    case Mode::cfb:
      return cfb(engine_, *key_, test.direction, test.chain_run(input, output), scratch, workspace.size,
                 stream);
    case Mode::ofb:
      return ofb(engine_, *key_, test.chain_run(input, output), stream);
    case Mode::xts:
      return xts(engine_, {*key_, *other_key_, test.key_bits()}, test.direction, test.xts_run(input, output),
                 stream);
    default:
      break;
  }
}

/// The fields of an AEAD call, and how far its messages are apart.
struct Trial::AeadFields {
  uint64_t input_stride, output_stride, tag_stride;
  Field input, output, own_tags, nonces, aad, aad_entries, statuses, workspace;
  Field& result;
  Field& tags;
  size_t tags_at;

  AeadFields(Trial& trial, const Case& test);
  void set_contents(const Case& test);
  void list_strings(const Case& test);
  Batch batch(const Case& test) const;
  size_t workspace_bytes() const { return workspace.size; }
};

Trial::AeadFields::AeadFields(Trial& trial, const Case& test)
    : input_stride(stride(test, test.direction == WARPAES_DIRECTION_DECRYPT)),
      output_stride(stride(test, test.direction == WARPAES_DIRECTION_ENCRYPT)),
      tag_stride(test.layout.tags_attached ? stride(test, true) : test.tag_bytes + test.layout.gap),
      input(trial.input_, "the input", test.layout.input_offset, region_bytes(test, input_stride)),
      output(trial.output_, "the output", test.layout.output_offset, region_bytes(test, output_stride)),
      own_tags(trial.tags_, "a tag", test.layout.output_offset, test.messages * tag_stride),
      nonces(trial.nonces_, "a nonce", test.layout.input_offset, test.nonces.size()),
      aad(trial.aad_, "the additional data", test.layout.input_offset, test.aad.size()),
      aad_entries(trial.aad_entries_, "the additional data's entries", 0,
                  2 * sizeof(uint64_t) * test.aad_strings.size()),
      statuses(trial.statuses_, "a status", 0, sizeof(int32_t) * test.messages),
      workspace(trial.workspace_, "the workspace", 0,
                batch_workspace_bytes(trial.engine_, aead_mode(test.mode)->aead, test.messages, test.bytes)),
      result(test.layout.in_place ? input : output),
      tags(!test.layout.tags_attached                    ? own_tags
           : test.direction == WARPAES_DIRECTION_ENCRYPT ? result
                                                         : input),
      tags_at(test.layout.tags_attached ? test.bytes : 0) {}

void Trial::AeadFields::set_contents(const Case& test) {
  nonces.set_before(test.nonces, 0, test.nonces.size(), 0);
  aad.set_before(test.aad, 0, test.aad.size(), 0);
  input.set_before(test.input, 0, test.bytes, input_stride);
  result.set_after(test.output, 0, test.bytes, output_stride);
  if (test.direction == WARPAES_DIRECTION_ENCRYPT) {
    tags.set_after(test.tags, tags_at, test.tag_bytes, tag_stride);
  } else {
    tags.set_before(test.tags, tags_at, test.tag_bytes, tag_stride);
  }
  Bytes expected(sizeof(int32_t) * test.messages);  // of encryption all WARPAES_OK, which is 0
  if (test.direction == WARPAES_DIRECTION_DECRYPT && !expected.empty()) {
    std::memcpy(expected.data(), test.statuses.data(), expected.size());
  }
  statuses.set_after(expected, 0, sizeof(int32_t), sizeof(int32_t));
}

/// The addresses of the strings in `aad`, which has been placed, and then their lengths.
void Trial::AeadFields::list_strings(const Case& test) {
  const size_t strings = test.aad_strings.size();
  std::vector<uint64_t> entries(2 * strings);
  auto address = reinterpret_cast<uintptr_t>(aad.data());
  for (size_t s = 0; s < strings; s++) {
    entries[s] = address;
    address += entries[strings + s] = test.aad_strings[s];
  }
  Bytes listed(aad_entries.size);
  if (!listed.empty()) std::memcpy(listed.data(), entries.data(), listed.size());
  aad_entries.set_before(listed, 0, listed.size(), 0);
}

Batch Trial::AeadFields::batch(const Case& test) const {
  const bool on_host = test.messages == 1 && test.mode != Mode::siv;  // the nonce
  Batch batch = {
      .mode = aead_mode(test.mode)->aead,
      .direction = test.direction,
      .messages = test.messages,
      .bytes = test.bytes,
      .input = test.bytes == 0 ? nullptr : input.data(),
      .input_stride = input_stride,
      .output = test.bytes == 0 ? nullptr : result.data(),
      .output_stride = output_stride,
      .host_nonce = on_host ? test.nonces.data() : nullptr,
      .host_nonce_bytes = on_host ? test.nonces.size() : 0,
      .nonces = on_host ? nullptr : nonces.data(),
      .nonce_stride = test.message_nonce_bytes(),
      .nonce_bytes = test.message_nonce_bytes(),
      .aad = test.aad_bytes == 0 ? nullptr : aad.data(),
      .aad_bytes = test.aad_bytes,
      .aad_stride = test.aad_shared ? 0 : test.aad_bytes,
      .tags = tags.data() + tags_at,
      .tag_stride = tag_stride,
      .tag_bytes = test.tag_bytes,
      .statuses = reinterpret_cast<int32_t*>(statuses.data()),
  };
  if (!test.aad_strings.empty()) {
    batch.aad = nullptr;
    batch.aads = reinterpret_cast<const uint8_t* const*>(aad_entries.data());
    batch.aad_strings = test.aad_strings.size();
    batch.aad_lengths = reinterpret_cast<const uint64_t*>(aad_entries.data()) + batch.aad_strings;
    batch.aad_bytes = *std::ranges::max_element(test.aad_strings);
  }
  return batch;
}

std::string Trial::run_aead(const Case& test) {
  AeadFields fields(*this, test);
  fields.set_contents(test);
  for (const Field* field : {&fields.input, &fields.output, &fields.own_tags, &fields.nonces, &fields.aad,
                             &fields.statuses, &fields.workspace}) {
    field->place();
  }
  fields.list_strings(test);
  fields.aad_entries.place();
  Field& workspace = fields.workspace;
  prepare(test);
  run_batch(engine_, {*key_, test.key_bits(), other_key_.get()}, fields.batch(test),
            workspace.size == 0 ? nullptr : workspace.data(), workspace.size, stream_.get());
  stream_.wait();

  // The workspace may hold anything; what is beyond it may not change.
  workspace.set_after(workspace.buffer.read(workspace.start, workspace.size), 0, workspace.size, 0);
  return first_difference({&fields.statuses, &fields.result, &fields.tags, &fields.input, &fields.output,
                           &fields.own_tags, &fields.nonces, &fields.aad, &fields.aad_entries, &workspace});
}

}  // namespace warpaes::core::conformance
