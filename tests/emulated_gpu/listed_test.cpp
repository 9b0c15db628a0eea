// GCM of long messages that arrays describe, on the emulated GPU, whose multiprocessors share them as one:
// lengths about those from which they do, many short messages between two long ones, messages within one slot
// and in all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "emulated_engines.hpp"
#include "kernels/grid/listed_gcm.hpp"
#include "modes/batch.hpp"
#include "random_bytes.hpp"

namespace warpaes::core {
namespace {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t kUntouched = 0xd7;
constexpr size_t kFrom = 65'536;  // longer messages are shared

struct Tensor {
  size_t bytes;
  size_t offset = 0;  // past a multiple of 16
  Bytes plaintext = {}, ciphertext = {}, aad = {};
  Bytes memory = {};  // one byte longer, which must stay

  uint8_t* data() {
    const size_t skew = reinterpret_cast<uintptr_t>(memory.data()) % 16;
    return memory.data() + (16 - skew) % 16 + offset;
  }
};

class EmulatedListed : public ::testing::TestWithParam<const Engine*> {
 protected:
  const Engine& engine() const { return *GetParam(); }

  /// Fills in what each message by itself is encrypted to, which other tests compare with other engines.
  void make(const std::vector<Tensor>& shapes, size_t key_bytes, size_t aad_step = 7) {
    tensors_ = shapes;
    schedule_ = std::make_unique<KeySchedule>(random_bytes(random_, key_bytes));
    key_ = engine().prepare(*schedule_, 0);
    nonces_ = random_bytes(random_, 12 * count());
    right_tags_.assign(16 * count(), 0);
    for (size_t m = 0; m < count(); m++) {
      Tensor& tensor = tensors_[m];
      tensor.plaintext = random_bytes(random_, tensor.bytes);
      tensor.ciphertext.resize(tensor.bytes);
      tensor.aad = random_bytes(random_, m * aad_step % 50);
      Batch batch{};
      batch.messages = 1;
      batch.bytes = tensor.bytes;
      batch.input = tensor.plaintext.data();
      batch.output = tensor.ciphertext.data();
      batch.nonces = nonces_.data() + 12 * m;
      batch.aad = tensor.aad.data();
      batch.aad_bytes = tensor.aad.size();
      batch.tags = right_tags_.data() + 16 * m;
      batch.tag_bytes = 16;
      Bytes workspace(batch_workspace_bytes(engine(), WARPAES_MODE_GCM, 1, tensor.bytes));
      engine().modes[WARPAES_MODE_GCM].run(batch_key(), batch, workspace.data(), nullptr);
    }
  }

  void hold(bool ciphertexts) {
    for (Tensor& tensor : tensors_) {
      tensor.memory.assign(tensor.bytes + 64, kUntouched);
      std::ranges::copy(ciphertexts ? tensor.ciphertext : tensor.plaintext, tensor.data());
    }
    tags_ = ciphertexts ? right_tags_ : Bytes(16 * count(), kUntouched);
    statuses_.assign(count(), -1);
    inputs_.clear(), aads_.clear(), lengths_.clear(), aad_lengths_.clear(), tags_at_.clear();
    for (size_t m = 0; m < count(); m++) {
      inputs_.push_back(tensors_[m].data());
      lengths_.push_back(tensors_[m].bytes);
      aads_.push_back(tensors_[m].aad.data());
      aad_lengths_.push_back(tensors_[m].aad.size());
      tags_at_.push_back(tags_.data() + 16 * m);
    }
  }

  /// In place, by arrays of all kinds. @return the workspace
  Bytes run(Direction direction, bool ragged = true) { return run_batch(listed(direction, ragged)); }

  Batch listed(Direction direction, bool ragged) {
    Batch batch{};
    batch.direction = direction;
    batch.messages = count();
    batch.bytes = *std::ranges::max_element(lengths_);
    if (!most_.empty()) batch.bytes = most_.front();
    if (ragged) batch.lengths = lengths_.data();
    batch.inputs = inputs_.data();
    batch.outputs = inputs_.data();
    batch.nonces = nonces_.data();
    batch.nonce_stride = 12;
    batch.aads = aads_.data();
    batch.aad_lengths = aad_lengths_.data();
    batch.aad_bytes = 50;
    batch.tag_pointers = tags_at_.data();
    batch.tag_bytes = 16;
    batch.statuses = statuses_.data();
    return batch;
  }

  Bytes run_batch(const Batch& batch) {
    std::vector<uint64_t> workspace(
        batch_workspace_bytes(engine(), WARPAES_MODE_GCM, batch.messages, batch.bytes) / 8 + 2);
    auto* const memory = reinterpret_cast<uint8_t*>(workspace.data());
    uint8_t* const aligned = memory + reinterpret_cast<uintptr_t>(memory) % 16;
    engine().modes[WARPAES_MODE_GCM].run(batch_key(), batch, aligned, nullptr);
    return {memory, memory + 8 * workspace.size()};
  }

  void expect(bool plaintexts) {
    for (size_t m = 0; m < count(); m++) {
      Tensor& tensor = tensors_[m];
      const Bytes& text = plaintexts ? tensor.plaintext : tensor.ciphertext;
      EXPECT_TRUE(std::equal(text.begin(), text.end(), tensor.data())) << "message " << m;
      EXPECT_EQ(tensor.data()[tensor.bytes], kUntouched) << "message " << m;
      if (tensor.offset == 0) continue;
      EXPECT_EQ(tensor.data()[-1], kUntouched) << "message " << m;
    }
  }

  void expect_there_and_back() {
    hold(false);
    run(WARPAES_DIRECTION_ENCRYPT);
    expect(false);
    EXPECT_TRUE(tags_ == right_tags_);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
    hold(true);
    run(WARPAES_DIRECTION_DECRYPT);
    expect(true);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
  }

  size_t count() const { return tensors_.size(); }
  BatchKey batch_key() const { return {*key_, schedule_->key_bits()}; }

  std::vector<Tensor> tensors_;
  Bytes nonces_, tags_, right_tags_;
  std::vector<int32_t> statuses_;
  std::vector<const uint8_t*> aads_;
  std::vector<uint8_t*> inputs_, tags_at_;
  std::vector<uint64_t> lengths_, aad_lengths_, most_;
  std::unique_ptr<KeySchedule> schedule_;
  std::unique_ptr<EngineKey> key_;

 private:
  std::mt19937_64 random_{3};
};

std::vector<Tensor> mixed() {
  std::vector<Tensor> tensors{{kFrom + 1}, {0}, {70'000, 1}, {5}, {kFrom}, {200'001}, {8'193, 3}};
  tensors.insert(tensors.end(), 40, Tensor{100});
  tensors.insert(tensors.end(), {Tensor{65'600, 8}, Tensor{kFrom + 16}, Tensor{3}});
  return tensors;
}

/// The same, all at multiples of 16, and one so long that warps on bit planes have the list's last groups,
/// where there are such warps (kListedHybridFrom).
std::vector<Tensor> mixed_and_aligned() {
  std::vector<Tensor> tensors = mixed();
  for (Tensor& tensor : tensors) tensor.offset = 0;
  tensors[5].bytes = 600'001;
  return tensors;
}

TEST_P(EmulatedListed, MessagesOfAllLengthsAreRight) {
  for (const size_t key_bytes : {16u, 24u, 32u}) {
    SCOPED_TRACE(key_bytes);
    for (const auto& tensors : {mixed(), mixed_and_aligned()}) {
      make(tensors, key_bytes);
      expect_there_and_back();
    }
  }
}

/// A message that begins where the slot of other warps does, and one in which all slots begin and end.
TEST_P(EmulatedListed, OneLongMessageAmongShortOnesIsRight) {
  std::vector<Tensor> tensors(5, Tensor{64});
  tensors.push_back({600'007});
  make(tensors, 16);
  expect_there_and_back();
  make(std::vector<Tensor>(3, Tensor{kFrom + 4096}), 16);
  expect_there_and_back();
}

/// Arrays of addresses alone, so that all messages are long.
TEST_P(EmulatedListed, MessagesOfOneLengthAreRight) {
  make(std::vector<Tensor>(4, Tensor{kFrom + 77}), 32);
  hold(false);
  run(WARPAES_DIRECTION_ENCRYPT, false);
  expect(false);
  EXPECT_TRUE(tags_ == right_tags_);
}

/// A batch without any array, which is shared as a list when it has as many groups as emulated_machine.hpp
/// says.
TEST_P(EmulatedListed, RegularBatchesAreRight) {
  constexpr size_t kCount = 3, kBytes = kFrom + 77, kStride = kFrom + 96;
  make(std::vector<Tensor>(kCount, Tensor{kBytes}), 24, 0);
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    const bool encrypts = direction == WARPAES_DIRECTION_ENCRYPT;
    hold(!encrypts);
    if (!encrypts) tags_[16] ^= 1;
    Batch batch = listed(direction, false);
    batch.inputs = nullptr, batch.outputs = nullptr, batch.aads = nullptr, batch.aad_lengths = nullptr;
    batch.tag_pointers = nullptr, batch.aad_bytes = 0;
    std::vector<Columns> rows(kCount * kStride / sizeof(Columns));
    auto* const memory = reinterpret_cast<uint8_t*>(rows.data());
    for (size_t m = 0; m < kCount; m++) std::copy_n(tensors_[m].data(), kBytes, memory + m * kStride);
    batch.input = batch.output = memory;
    batch.input_stride = batch.output_stride = kStride;
    batch.tags = tags_.data();
    batch.tag_stride = 16;
    run_batch(batch);
    if (encrypts) {
      EXPECT_TRUE(tags_ == right_tags_);
    }
    for (size_t m = 0; m < kCount; m++) {
      const bool wrong = !encrypts && m == 1;
      EXPECT_EQ(statuses_[m], wrong ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK);
      const Bytes expected = wrong      ? Bytes(kBytes, 0)
                             : encrypts ? tensors_[m].ciphertext
                                        : tensors_[m].plaintext;
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory + m * kStride)) << "message " << m;
      EXPECT_EQ(memory[m * kStride + kBytes], 0) << "behind message " << m;
    }
  }
}

/// Their own output is zeroed, and nothing else is.
TEST_P(EmulatedListed, WrongTagsAreRefused) {
  for (const auto& tensors : {mixed(), mixed_and_aligned()}) {
    make(tensors, 16);
    hold(true);
    std::vector<int32_t> expected(count(), WARPAES_OK);
    for (const size_t m : {size_t{0}, size_t{5}, size_t{6}, count() - 2}) {
      tags_[16 * m + m % 16] ^= 1;
      expected[m] = WARPAES_ERROR_AUTHENTICATION;
      tensors_[m].plaintext.assign(tensors_[m].bytes, 0);
    }
    run(WARPAES_DIRECTION_DECRYPT);
    EXPECT_EQ(statuses_, expected);
    expect(true);
  }
}

/// A wrong entry leaves its message alone, and the others are right.
TEST_P(EmulatedListed, WrongEntriesAreRefused) {
  make(mixed(), 16);
  for (const bool ciphertexts : {false, true}) {
    hold(ciphertexts);
    std::vector<int32_t> expected(count(), WARPAES_OK);
    most_ = {100'000};
    expected[5] = WARPAES_ERROR_LENGTH;
    aads_[0] = nullptr;
    aad_lengths_[0] = 1;
    expected[0] = WARPAES_ERROR_NULL_POINTER;
    tags_at_[2] = nullptr;
    expected[2] = WARPAES_ERROR_NULL_POINTER;
    const Bytes before[] = {tensors_[0].memory, tensors_[2].memory, tensors_[5].memory};
    run(ciphertexts ? WARPAES_DIRECTION_DECRYPT : WARPAES_DIRECTION_ENCRYPT);
    EXPECT_EQ(statuses_, expected);
    EXPECT_TRUE(tensors_[0].memory == before[0]);
    EXPECT_TRUE(tensors_[2].memory == before[1]);
    EXPECT_TRUE(tensors_[5].memory == before[2]);
    for (size_t m = 0; m < count(); m++) {
      if (expected[m] != WARPAES_OK) continue;
      const Bytes& text = ciphertexts ? tensors_[m].plaintext : tensors_[m].ciphertext;
      EXPECT_TRUE(std::equal(text.begin(), text.end(), tensors_[m].data())) << "message " << m;
    }
  }
}

/// From sums of GHASH the hash key can be computed. What may stay are lengths, and how they were dealt out.
TEST_P(EmulatedListed, LeaveNoSumsInTheWorkspace) {
  make(mixed_and_aligned(), 16);
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    hold(direction == WARPAES_DIRECTION_DECRYPT);
    tags_[0] ^= 1;
    const Bytes workspace = run(direction);
    const size_t of_lengths = count() * sizeof(uint64_t) + sizeof(ListedPlan);
    const auto dirty = [](uint8_t byte) { return byte != 0; };
    const auto first = std::ranges::find_if(workspace, dirty);
    const auto last = std::find_if(workspace.rbegin(), workspace.rend(), dirty).base();
    EXPECT_LE(static_cast<size_t>(last - first), of_lengths) << "sums, or counts of warps";
    EXPECT_GT(last - first, 0) << "this test looks at what is no workspace";
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, EmulatedListed, ::testing::ValuesIn(emulated_engines().first(2)),
                         [](const auto& test) { return std::string(test.param->kernel); });

}  // namespace
}  // namespace warpaes::core
