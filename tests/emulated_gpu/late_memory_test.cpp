// Kernels with tables begin before what comes before them on their stream has ended (kernels/kernel.hpp).
// Here no batch of any mode finds its messages, nonces, additional data, tags, keys or arrays of addresses
// before one of its threads has waited, and the results are those of a call that finds them at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emulated_engines.hpp"
#include "emulated_gpu/emulated_grid.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr size_t kAadBytes = 20, kKeyRow = 32, kSmallRow = 16;
constexpr uint8_t kNotYet = 0x5a;

/// What differs between the batches of a mode. Lengths are those of the plaintext, which every mode takes.
struct LateForm {
  const char* name;
  uint64_t messages;
  size_t bytes;
  bool key_each, arrays;
};
constexpr LateForm kLateForms[] = {{"messages in rows", 3, 160, false, false},
                                   {"messages by arrays", 3, 160, false, true},
                                   {"per-message keys by arrays", 3, 160, true, true},
                                   {"one long message", 1, 4'992, false, false}};

/// The memory of a call: rows of inputs, outputs, nonces, tags, additional data and keys, one area behind the
/// other.
class CallAreas {
 public:
  CallAreas(uint64_t messages, size_t bytes) : messages_(messages), row_(bytes + 32) {}

  size_t input(uint64_t m) const { return m * row_; }
  size_t output(uint64_t m) const { return (messages_ + m) * row_; }
  size_t nonce(uint64_t m) const { return 2 * messages_ * row_ + m * kSmallRow; }
  size_t tag(uint64_t m) const { return nonce(messages_ + m); }
  size_t aad(uint64_t m) const { return nonce(2 * messages_) + m * kKeyRow; }
  size_t key(uint64_t m) const { return aad(messages_ + m); }
  size_t all() const { return key(messages_); }
  size_t row() const { return row_; }

 private:
  uint64_t messages_;
  size_t row_;
};

struct CallResult {
  Bytes memory;
  std::vector<int32_t> statuses;
  bool operator==(const CallResult&) const = default;
};

class ModeCall {
 public:
  ModeCall(const Engine& engine, warpaes_mode mode, const LateForm& form)
      : engine_(engine), row_(mode_row(mode)), mode_(mode), form_(form), at_(form.messages, form.bytes) {}

  const CallAreas& areas() const { return at_; }

  /// @param bytes the length of a message
  /// @param late are kernels to find the memory only once they have waited?
  CallResult result(Direction direction, uint64_t bytes, const Bytes& memory, bool late) {
    const Bytes early(memory.size(), kNotYet);
    memory_ = late ? early : memory;
    statuses_.assign(form_.messages, -1);
    Batch batch = batch_of(direction, bytes);
    if (form_.arrays) use_arrays(batch, late);
    if (late) {
      emulated::predecessors = [&] {
        std::ranges::copy(memory, memory_.begin());
        if (form_.arrays) fill_arrays();
      };
    }
    run(batch, memory);
    EXPECT_FALSE(emulated::predecessors) << "no thread has waited";
    emulated::predecessors = nullptr;
    return {memory_, statuses_};
  }

 private:
  Batch batch_of(Direction direction, uint64_t bytes) {
    Batch batch{.mode = mode_, .direction = direction, .messages = form_.messages, .bytes = bytes};
    batch.input = memory_.data() + at_.input(0);
    batch.output = memory_.data() + at_.output(0);
    batch.input_stride = batch.output_stride = at_.row();
    const size_t only = engine_.modes[mode_].only_batch_nonce;
    batch.nonces = row_.has_nonce() ? memory_.data() + at_.nonce(0) : nullptr;
    batch.nonce_bytes = only != 0 ? only : row_.recommended_nonce;
    batch.nonce_stride = batch.tag_stride = kSmallRow;
    if (row_.has_tag()) batch.tags = memory_.data() + at_.tag(0);
    batch.tag_bytes = row_.recommended_tag();
    if (row_.is_aead) {
      batch.aad = memory_.data() + at_.aad(0);
      batch.aad_bytes = kAadBytes;
      batch.aad_stride = kKeyRow;
    }
    if (!row_.has_output) batch.output = nullptr;
    batch.statuses = statuses_.data();
    return batch;
  }

  void use_arrays(Batch& batch, bool late) {
    for (auto* const array : {&inputs_, &outputs_, &nonces_, &tags_, &aads_, &keys_}) {
      array->assign(form_.messages, nullptr);
    }
    if (!late) fill_arrays();
    batch.inputs = inputs_.data();
    if (batch.output != nullptr) batch.outputs = outputs_.data();
    if (batch.nonces != nullptr) batch.nonce_pointers = nonces_.data();
    if (batch.tags != nullptr) batch.tag_pointers = tags_.data();
    if (batch.aad != nullptr) batch.aads = aads_.data();
  }

  void fill_arrays() {
    for (uint64_t m = 0; m < form_.messages; m++) {
      inputs_[m] = memory_.data() + at_.input(m);
      outputs_[m] = memory_.data() + at_.output(m);
      nonces_[m] = memory_.data() + at_.nonce(m);
      tags_[m] = memory_.data() + at_.tag(m);
      aads_[m] = memory_.data() + at_.aad(m);
      keys_[m] = memory_.data() + at_.key(m);
    }
  }

  void run(const Batch& batch, const Bytes& memory) {
    const ModeSupport& support = engine_.modes[mode_];
    const size_t key_bytes = 16 * row_.key_count;
    if (form_.key_each) {
      support.run_key_each(
          0, {memory_.data() + at_.key(0), kKeyRow, key_bytes, form_.arrays ? keys_.data() : nullptr}, batch,
          nullptr);
      return;
    }
    const uint8_t* const keys = memory.data() + at_.key(0);
    const auto first = engine_.prepare(KeySchedule({keys, 16}), 0),
               second = engine_.prepare(KeySchedule({keys + 16, 16}), 0);
    std::vector<std::max_align_t> workspace(
        batch_workspace_bytes(engine_, mode_, form_.messages, batch.bytes) / sizeof(std::max_align_t) + 1);
    support.run({*first, 128, row_.key_count == 2 ? second.get() : nullptr}, batch, workspace.data(),
                nullptr);
  }

  const Engine& engine_;
  const ModeRow& row_;
  const warpaes_mode mode_;
  const LateForm& form_;
  const CallAreas at_;
  Bytes memory_;
  std::vector<int32_t> statuses_;
  std::vector<uint8_t*> inputs_, outputs_, nonces_, tags_, aads_, keys_;
};

/// Encrypts, and decrypts what that gave, both with late memory.
void expect_right_though_late(const Engine& engine, warpaes_mode mode, const LateForm& form) {
  std::mt19937_64 random(29);
  const ModeRow& row = mode_row(mode);
  ModeCall call(engine, mode, form);
  const CallAreas& at = call.areas();
  const Bytes plain = random_bytes(random, at.all());
  const CallResult sealed = call.result(WARPAES_DIRECTION_ENCRYPT, form.bytes, plain, false);
  EXPECT_EQ(std::ranges::count(sealed.statuses, WARPAES_OK), form.messages);
  EXPECT_TRUE(call.result(WARPAES_DIRECTION_ENCRYPT, form.bytes, plain, true) == sealed) << "encryption";
  if (!row.has_output) return;

  const uint64_t bytes = row.encrypt.output == nullptr ? form.bytes : row.encrypt.output(form.bytes);
  Bytes ciphertext = sealed.memory;
  for (uint64_t m = 0; m < form.messages; m++) {
    std::copy_n(sealed.memory.data() + at.output(m), at.row(), ciphertext.data() + at.input(m));
  }
  const CallResult opened = call.result(WARPAES_DIRECTION_DECRYPT, bytes, ciphertext, true);
  EXPECT_EQ(std::ranges::count(opened.statuses, WARPAES_OK), form.messages);
  for (uint64_t m = 0; m < form.messages; m++) {
    EXPECT_TRUE(std::equal(plain.data() + at.input(m), plain.data() + at.input(m) + form.bytes,
                           opened.memory.data() + at.output(m)))
        << "decryption of message " << m;
  }
}

class LateMemory : public ::testing::TestWithParam<const Engine*> {};

TEST_P(LateMemory, IsNotUsedTooEarly) {
  const Engine& engine = *GetParam();
  for (uint32_t mode = 0; mode < engine.modes.size(); mode++) {
    const ModeSupport& support = engine.modes[mode];
    if (mode == WARPAES_MODE_GMAC || support.run == nullptr) continue;
    for (const LateForm& form : kLateForms) {
      if (form.key_each && support.run_key_each == nullptr) continue;
      if (form.arrays && !support.takes_arrays) continue;
      // Where blocks wait for each other, a long message is as a short one to a kernel.
      const ModeRow& row = mode_row(static_cast<warpaes_mode>(mode));
      if (form.messages == 1 && row.chains == Chains::always) continue;
      SCOPED_TRACE(std::string(row.name) + ", " + form.name);
      expect_right_though_late(engine, static_cast<warpaes_mode>(mode), form);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LateMemory, ::testing::ValuesIn(emulated_engines()),
                         [](const auto& tested) { return std::string(tested.param->kernel); });

}  // namespace
}  // namespace warpaes::core
