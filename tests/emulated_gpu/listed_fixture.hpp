// What tests of lists of long messages on the emulated GPU have in common: lists whose results OpenSSL makes,
// the memory that a call is given, and what is found there afterwards.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "emulated_engines.hpp"
#include "engines/cuda/described_batch.hpp"
#include "evp_reference.hpp"
#include "kernels/grid/listed_gcm.hpp"
#include "modes/batch.hpp"
#include "random_bytes.hpp"

/// A namespace of its own, as some builds compile several of these files together, which have such names too.
namespace warpaes::core::listed {

using Bytes = std::vector<uint8_t>;
constexpr uint8_t kUntouched = 0xd7;
constexpr uint8_t kOfEarlierCalls = 0xee;  // what is in a workspace
constexpr size_t kFrom = 65'536;           // longer messages are shared

/// Memory that begins so many bytes past a multiple of 16, between bytes that must stay.
class Memory {
 public:
  void hold(size_t offset, const Bytes& contents) {
    held_.assign(2 * kAround + contents.size(), kUntouched);
    const size_t skew = reinterpret_cast<uintptr_t>(held_.data()) % 16;
    first_ = kAround / 2 - skew + offset;
    bytes_ = contents.size();
    std::ranges::copy(contents, data());
  }

  uint8_t* data() { return held_.data() + first_; }
  Bytes contents() { return {data(), data() + bytes_}; }
  bool is_untouched_around() {
    const auto as_before = [](uint8_t byte) { return byte == kUntouched; };
    const auto begin = held_.begin() + static_cast<ptrdiff_t>(first_),
               end = begin + static_cast<ptrdiff_t>(bytes_);
    return std::all_of(held_.begin(), begin, as_before) && std::all_of(end, held_.end(), as_before);
  }

 private:
  static constexpr size_t kAround = 96;  // a list of one message more needs less than that in its workspace
  Bytes held_;
  size_t first_ = 0, bytes_ = 0;
};

struct Tensor {
  size_t bytes;
  size_t offset = 0;                  // past a multiple of 16
  std::optional<size_t> output = {};  // the offset of an output elsewhere; if it has none, it is in place
  Bytes plaintext = {}, ciphertext = {}, aad = {};
  Memory memory = {}, output_memory = {};

  uint8_t* input_data() { return memory.data(); }
  Memory& written() { return output ? output_memory : memory; }
  uint64_t groups() const { return bytes <= kFrom ? 0 : ((bytes + 15) / 16 + 2 + 255) / 256; }
};

/// Message m has first + m * step bytes of additional data, modulo `modulus`.
struct AadLengths {
  size_t first = 0, step = 7, modulus = 50;
  bool shared = false;  // are they the same bytes?
};

class EmulatedListed : public ::testing::TestWithParam<const Engine*> {
 protected:
  const Engine& engine() const { return *GetParam(); }
  /// Only this one's policy has a hybrid kernel of GCM (emulated_machine.hpp).
  bool has_bit_planes() const { return std::string_view(engine().kernel) == "four_tables"; }
  size_t count() const { return tensors_.size(); }

  /// Fills in what OpenSSL makes of the messages.
  void make(const std::vector<Tensor>& shapes, size_t key_bytes, const AadLengths& aad = {}) {
    tensors_ = shapes;
    secret_ = random_bytes(random_, key_bytes);
    schedule_ = std::make_unique<KeySchedule>(secret_);
    key_ = engine().prepare(*schedule_, 0);
    nonces_ = random_bytes(random_, 12 * count());
    right_tags_.assign(16 * count(), kUntouched);
    for (size_t m = 0; m < count(); m++) {
      Tensor& tensor = tensors_[m];
      tensor.plaintext = random_bytes(random_, tensor.bytes);
      tensor.aad = aad.shared && m != 0 ? tensors_[0].aad
                                        : random_bytes(random_, (aad.first + m * aad.step) % aad.modulus);
      auto sealed = reference::gcm(secret_, {nonce(m), 12}, tensor.aad, tensor.plaintext, tag_bytes_);
      tensor.ciphertext = std::move(sealed.ciphertext);
      std::ranges::copy(sealed.tag, right_tags_.data() + 16 * m);
    }
  }

  /// The nonces at addresses are not one behind the other.
  const uint8_t* nonce(size_t m) const {
    return nonces_.data() + 12 * (nonces_by_address_ ? count() - 1 - m : m);
  }

  void hold(bool ciphertexts) {
    tags_ = ciphertexts ? right_tags_ : Bytes(16 * count(), kUntouched);
    statuses_.assign(count(), -1);
    inputs_.clear(), outputs_.clear(), nonces_at_.clear(), aads_.clear(), tags_at_.clear();
    lengths_.clear(), aad_lengths_.clear();
    for (size_t m = 0; m < count(); m++) {
      Tensor& tensor = tensors_[m];
      tensor.memory.hold(tensor.offset, ciphertexts ? tensor.ciphertext : tensor.plaintext);
      if (tensor.output) tensor.output_memory.hold(*tensor.output, Bytes(tensor.bytes, kUntouched));
      inputs_.push_back(tensor.input_data());
      outputs_.push_back(tensor.written().data());
      lengths_.push_back(tensor.bytes);
      nonces_at_.push_back(nonce(m));
      aads_.push_back(tensor.aad.data());
      aad_lengths_.push_back(tensor.aad.size());
      tags_at_.push_back(tags_.data() + 16 * m);
    }
  }

  /// By arrays of all kinds but, unless the test wants them, of nonces.
  Batch listed(Direction direction, bool ragged = true) {
    Batch batch{};
    batch.direction = direction;
    batch.messages = count();
    batch.bytes = most_ != 0 ? most_ : *std::ranges::max_element(lengths_);
    if (ragged) batch.lengths = lengths_.data();
    batch.inputs = inputs_.data();
    batch.outputs = outputs_.data();
    batch.nonces = nonces_.data();
    batch.nonce_stride = 12;
    if (nonces_by_address_) batch.nonce_pointers = nonces_at_.data();
    batch.aads = aads_.data();
    batch.aad_lengths = aad_lengths_.data();
    batch.aad_bytes = *std::ranges::max_element(aad_lengths_);
    batch.tag_pointers = tags_at_.data();
    batch.tag_bytes = tag_bytes_;
    batch.statuses = statuses_.data();
    return batch;
  }

  void run(Direction direction, bool ragged = true) { run_batch(listed(direction, ragged)); }

  /// What earlier calls have left in the workspace does not matter, and what is behind it stays.
  void run_batch(const Batch& batch) {
    const size_t bytes = batch_workspace_bytes(engine(), WARPAES_MODE_GCM, batch.messages, batch.bytes);
    workspace_.hold(0, Bytes(bytes, kOfEarlierCalls));
    engine().modes[WARPAES_MODE_GCM].run({*key_, schedule_->key_bits()}, batch, workspace_.data(), nullptr);
    EXPECT_TRUE(workspace_.is_untouched_around());
  }

  /// How the last call's first launch has dealt out the groups. That stays in the workspace, behind the sums
  /// (listed_launches.hpp); other kernels leave nothing like it there.
  ListedPlan plan() {
    constexpr uint64_t kMostShares = kGroupBlocks / kWarpLanes / kBlocksHybrid;
    ListedPlan found{};
    std::memcpy(&found, workspace_.data() + (kMostWarps + kMostShares * count()) * sizeof(Gf128),
                sizeof found);
    return found;
  }

  uint64_t groups_of_all() const {
    uint64_t groups = 0;
    for (const Tensor& tensor : tensors_) groups += tensor.groups();
    return groups;
  }

  /// @param sliced do warps on bit planes have some of the groups, where there are such warps?
  void expect_shared_as_one(bool sliced) {
    EXPECT_EQ(plan().groups, groups_of_all());
    EXPECT_GT(plan().table_groups, 0u);
    EXPECT_EQ(plan().table_groups < plan().groups, sliced && has_bit_planes());
  }

  void expect_message(size_t m, const Bytes& text) {
    EXPECT_TRUE(tensors_[m].written().contents() == text) << "message " << m;
    EXPECT_TRUE(tensors_[m].written().is_untouched_around()) << "message " << m;
  }

  void expect(bool plaintexts) {
    for (size_t m = 0; m < count(); m++) {
      Tensor& tensor = tensors_[m];
      expect_message(m, plaintexts ? tensor.plaintext : tensor.ciphertext);
      if (!tensor.output) continue;
      EXPECT_TRUE(tensor.memory.contents() == (plaintexts ? tensor.ciphertext : tensor.plaintext))
          << "the input of message " << m;
    }
  }

  void expect_encryption(bool ragged = true) {
    hold(false);
    run(WARPAES_DIRECTION_ENCRYPT, ragged);
    expect(false);
    EXPECT_TRUE(tags_ == right_tags_);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
  }

  void expect_there_and_back() {
    expect_encryption();
    hold(true);
    run(WARPAES_DIRECTION_DECRYPT);
    expect(true);
    EXPECT_EQ(statuses_, std::vector<int32_t>(count(), WARPAES_OK));
  }

  std::vector<Tensor> tensors_;
  Bytes secret_, nonces_, tags_, right_tags_;
  std::vector<int32_t> statuses_;
  std::vector<const uint8_t*> nonces_at_, aads_;
  std::vector<uint8_t*> inputs_, outputs_, tags_at_;
  std::vector<uint64_t> lengths_, aad_lengths_;
  uint64_t most_ = 0;  // how long messages may be; 0: as the longest
  size_t tag_bytes_ = 16;
  bool nonces_by_address_ = false;
  std::unique_ptr<KeySchedule> schedule_;
  std::unique_ptr<EngineKey> key_;
  Memory workspace_;

 private:
  std::mt19937_64 random_{3};
};

inline std::vector<Tensor> mixed() {
  std::vector<Tensor> tensors{{kFrom + 1}, {0}, {70'000, 1}, {5}, {kFrom}, {200'001}, {8'193, 3}};
  tensors.insert(tensors.end(), 40, Tensor{100});
  tensors.insert(tensors.end(), {Tensor{65'600, 8}, Tensor{kFrom + 16}, Tensor{3}});
  return tensors;
}

/// The same, all at multiples of 16, and one so long that warps on bit planes have the list's last groups,
/// where there are such warps (kListedHybridFrom).
inline std::vector<Tensor> mixed_and_aligned() {
  std::vector<Tensor> tensors = mixed();
  for (Tensor& tensor : tensors) tensor.offset = 0;
  tensors[5].bytes = 600'001;
  return tensors;
}

/// One with bit planes beside tables, and one with tables alone.
inline auto engines_with_lists() { return ::testing::ValuesIn(emulated_engines().first(2)); }
inline std::string name_of_engine(const ::testing::TestParamInfo<const Engine*>& test) {
  return test.param->kernel;
}

}  // namespace warpaes::core::listed
