#include "engines/self_test_bench.hpp"

#include <algorithm>
#include <cstring>

#include "modes/mode_table.hpp"
#include "primitives/ghash.hpp"

namespace warpaes::core {
namespace {

constexpr size_t kInputOffset = 1, kOutputOffset = 6;

template <class Values>
auto* copy_to(EngineBuffer& buffer, const Values& values) {
  const std::span<const typename Values::value_type> all = values;
  buffer.resize(all.size_bytes());
  buffer.write(0, {reinterpret_cast<const uint8_t*>(all.data()), all.size_bytes()});
  return reinterpret_cast<typename Values::value_type*>(buffer.data());
}

template <class Value>
std::vector<Value> read_all(EngineBuffer& buffer, size_t count) {
  std::vector<Value> values(count);
  std::memcpy(values.data(), buffer.read(0, count * sizeof(Value)).data(), count * sizeof(Value));
  return values;
}

}  // namespace

SelfTestBench::SelfTestBench(const Engine& engine, int device)
    : engine_(engine),
      device_(device),
      stream_(engine, device),
      input_(engine, device, stream_),
      output_(engine, device, stream_),
      nonces_(engine, device, stream_),
      aad_(engine, device, stream_),
      tags_(engine, device, stream_),
      statuses_(engine, device, stream_),
      workspace_(engine, device, stream_),
      lengths_(engine, device, stream_),
      output_lengths_(engine, device, stream_),
      keys_(engine, device, stream_) {}

void SelfTestBench::set_key(const Bytes& key) {
  key_ = engine_.prepare(KeySchedule(key), device_);
  key_bits_ = static_cast<int>(8 * key.size());
}

Bytes SelfTestBench::blocks(Direction direction, const Bytes& input, bool in_place) {
  const auto [from, to] = place(input, in_place);
  (direction == WARPAES_DIRECTION_ENCRYPT ? engine_.encrypt_blocks : engine_.decrypt_blocks)(
      *key_, {from, to, input.size()}, stream_.get());
  return result(input.size(), in_place);
}

Bytes SelfTestBench::counter(const Bytes& counter, const Bytes& input, bool in_place) {
  const auto [from, to] = place(input, in_place);
  engine_.counter(*key_, {counter.data(), from, to, input.size()}, stream_.get());
  return result(input.size(), in_place);
}

void SelfTestBench::set_other_key(const Bytes& key) {
  other_key_ = engine_.prepare(KeySchedule(key), device_);
}

Bytes SelfTestBench::chain(Engine::Chain crypt, const Bytes& iv, const Bytes& input) {
  const auto [from, to] = place(input, /*in_place=*/false);
  crypt(*key_, {iv.data(), from, to, input.size()}, stream_.get());
  return result(input.size(), /*in_place=*/false);
}

Bytes SelfTestBench::unchain(Engine::Unchain decrypt, const Bytes& iv, const Bytes& input, bool in_place) {
  const auto [from, to] = place(input, in_place);
  const bool needs_workspace = in_place && engine_.unchain_workspace_bytes != nullptr;
  workspace_.resize(needs_workspace ? engine_.unchain_workspace_bytes(input.size()) : 0);
  decrypt(*key_, {iv.data(), from, to, input.size()}, needs_workspace ? workspace_.data() : nullptr,
          stream_.get());
  return result(input.size(), in_place);
}

Bytes SelfTestBench::xts(Direction direction, const Bytes& tweak, uint64_t unit_bytes, const Bytes& input,
                         bool in_place) {
  const auto [from, to] = place(input, in_place);
  engine_.xts({*key_, *other_key_, key_bits_}, direction, {tweak.data(), unit_bytes, from, to, input.size()},
              stream_.get());
  return result(input.size(), in_place);
}

BatchResult SelfTestBench::batch(const BatchCall& call, bool in_place) {
  const ModeRow& mode = mode_row(call.mode);
  const auto [from, to] = place(call.input, in_place);
  const bool has_host_nonce = mode.is_aead && call.messages == 1;
  const size_t nonce_bytes = mode.has_nonce() ? call.nonces.size() / call.messages : 0;
  const size_t strings = call.aad_strings == 0 ? 1 : call.messages * call.aad_strings,
               string_bytes = call.aad.size() / strings;
  const std::vector<int32_t> no_statuses(call.messages, -1);
  Batch batch{
      .mode = call.mode,
      .direction = call.direction,
      .messages = call.messages,
      .bytes = call.lengths.empty() ? call.stride : std::ranges::max(call.lengths),
      .input = from,
      .input_stride = call.stride,
      .output = mode.has_output ? to : nullptr,
      .output_stride = call.stride,
      .nonce_stride = nonce_bytes,
      .nonce_bytes = nonce_bytes,
      .aad = call.aad.empty() ? nullptr : copy_to(aad_, call.aad),
      .aad_bytes = string_bytes,
      .aad_stride = call.aad_strings == 0 ? 0 : string_bytes,
      .statuses = copy_to(statuses_, no_statuses),
      .lengths = call.lengths.empty() ? nullptr : copy_to(lengths_, call.lengths),
      .aad_strings = std::max<size_t>(call.aad_strings, 1),
      .unused_bits = call.unused_bits,
  };
  if (has_host_nonce) {
    batch.host_nonce = call.nonces.data();
    batch.host_nonce_bytes = nonce_bytes;
  } else if (nonce_bytes != 0) {
    batch.nonces = copy_to(nonces_, call.nonces);
  }
  if (mode.has_tag()) {
    batch.tag_stride = batch.tag_bytes = 16;
    tags_.resize(16 * call.messages);
    tags_.write(0, call.tags);
    batch.tags = tags_.data();
  }
  if (mode.changes_length())
    batch.output_lengths = copy_to(output_lengths_, std::vector<uint64_t>(call.messages));
  run(batch, call.keys);
  return result_of(call, in_place);
}

void SelfTestBench::run(const Batch& batch, const Bytes& keys) {
  const ModeSupport& support = engine_.modes[batch.mode];
  if (!keys.empty()) {
    const size_t key_bytes = keys.size() / batch.messages;
    support.run_key_each(device_, {copy_to(keys_, keys), key_bytes, key_bytes}, batch, stream_.get());
    return;
  }
  const bool two_keys = mode_row(batch.mode).key_count == 2;
  const size_t bytes =
      support.workspace_bytes == nullptr ? 0 : support.workspace_bytes(batch.messages, batch.bytes);
  workspace_.resize(bytes);
  support.run({*key_, key_bits_, two_keys ? other_key_.get() : nullptr}, batch,
              bytes == 0 ? nullptr : workspace_.data(), stream_.get());
}

BatchResult SelfTestBench::result_of(const BatchCall& call, bool in_place) {
  const ModeRow& mode = mode_row(call.mode);
  const Bytes output = result(call.input.size(), in_place);
  BatchResult made{{}, {}, read_all<int32_t>(statuses_, call.messages), call.lengths};
  if (mode.has_tag()) made.tags = tags_.read(0, 16 * call.messages);
  if (call.lengths.empty()) made.lengths.assign(call.messages, call.stride);
  if (!mode.has_output) made.lengths.assign(call.messages, 0);
  if (mode.changes_length()) made.lengths = read_all<uint64_t>(output_lengths_, call.messages);
  for (size_t m = 0; m < call.messages; m++) {
    const auto row = output.begin() + static_cast<ptrdiff_t>(m * call.stride);
    made.output.insert(made.output.end(), row,
                       row + static_cast<ptrdiff_t>(std::min(made.lengths[m], call.stride)));
  }
  return made;
}

std::pair<const uint8_t*, uint8_t*> SelfTestBench::place(const Bytes& input, bool in_place) {
  const size_t offset = in_place ? 0 : kInputOffset;
  input_.resize(offset + input.size());
  input_.write(offset, input);
  if (in_place) return {input_.data(), input_.data()};
  output_.resize(kOutputOffset + input.size());
  output_.fill(kOutputOffset, 0xff, input.size());
  return {input_.data() + offset, output_.data() + kOutputOffset};
}

Bytes SelfTestBench::result(size_t bytes, bool in_place) {
  stream_.wait();
  return in_place ? input_.read(0, bytes) : output_.read(kOutputOffset, bytes);
}

/// The first part's sum has the second's blocks behind it, and that of both has the lengths (SP 800-38D
/// section 7.1).
BatchResult SelfTestBench::gcm_in_parts(const BatchCall& call, size_t first_bytes) {
  Bytes initial = call.nonces;
  initial.insert(initial.end(), {0, 0, 0, 1});
  const Bytes mask = encrypted(initial);
  GcmHashKey hash{ghash_key(gf128_from_block(encrypted(Bytes(16)).data()))};
  hash.inverse = host_inverse(hash.key);
  const CounterBlock first = add32(load_counter(initial.data()), 1);
  const size_t rest = call.input.size() - first_bytes;
  const Bytes tail(call.input.end() - static_cast<ptrdiff_t>(rest), call.input.end());
  const Part before = part_of({call.input.begin(), call.input.end() - static_cast<ptrdiff_t>(rest)}, call.aad,
                              hash, call.direction, first);
  const Part behind = part_of(tail, {}, hash, call.direction, add32(first, first_bytes / 16));
  if (before.output.empty() || behind.output.empty()) return {};
  BatchResult result{before.output, Bytes(16), {}, {}};
  result.output.insert(result.output.end(), behind.output.begin(), behind.output.end());
  const Gf128 sum = gf128_multiply(before.sum, host_power(hash.key, (rest + 15) / 16)) ^ behind.sum ^
                    gf128_multiply(ghash_lengths(call.aad.size(), call.input.size()), hash.key);
  gf128_to_block(sum, result.tags.data());
  for (size_t i = 0; i < mask.size(); i++) result.tags[i] ^= mask[i];
  return result;
}

Bytes SelfTestBench::encrypted(const Bytes& block) {
  return blocks(WARPAES_DIRECTION_ENCRYPT, block, /*in_place=*/true);
}

SelfTestBench::Part SelfTestBench::part_of(const Bytes& text, const Bytes& aad, const GcmHashKey& hash,
                                           Direction direction, CounterBlock first) {
  if (engine_.gcm_part_tag != nullptr) return part_by_its_tag(text, aad, hash, direction, first);
  const auto part = engine_.gcm_part(*key_, hash, direction, first);
  if (part == nullptr) return {};
  Part made{text, {}};
  part->add(aad.data(), aad.size());
  part->crypt(made.output.data(), made.output.data(), made.output.size());
  made.sum = part->sum();
  return made;
}

/// A device gives its part's tag, which is the sum and what a message has besides: E_K of the counter before
/// and the lengths, which are taken away here. Additional data, which such a part does not take, is put
/// before it.
SelfTestBench::Part SelfTestBench::part_by_its_tag(const Bytes& text, const Bytes& aad,
                                                   const GcmHashKey& hash, Direction direction,
                                                   CounterBlock first) {
  const auto [from, to] = place(text, /*in_place=*/true);
  tags_.resize(16);
  workspace_.resize(engine_.modes[WARPAES_MODE_GCM].workspace_bytes(1, text.size()));
  engine_.gcm_part_tag(*key_, {direction, first, from, to, text.size(), tags_.data()}, workspace_.data(),
                       stream_.get());
  Part made{result(text.size(), /*in_place=*/true), gf128_from_block(tags_.read(0, 16).data())};
  Bytes before(16);
  store_counter(before.data(), add32(first, 0xffffffff));
  Ghash ghash(hash.key);
  ghash.add_padded(aad.data(), aad.size());
  if (!aad.empty()) ghash.add(Gf128{0, 0});
  made.sum = made.sum ^ gf128_from_block(encrypted(before).data()) ^
             gf128_multiply(ghash_lengths(0, text.size()), hash.key) ^
             gf128_multiply(ghash.sum(), host_power(hash.key, (text.size() + 15) / 16));
  return made;
}

}  // namespace warpaes::core
