// Batches on bit planes in modes that do not authenticate: messages of several groups of 256 blocks, which
// begin and end anywhere in groups and in warps' runs, compared with OpenSSL.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "emulated_engines.hpp"
#include "engines/batch.hpp"
#include "evp_reference.hpp"

namespace warpaes::core {
namespace {

using reference::Bytes;

struct Case {
  const char* name;
  warpaes_mode mode;
  Direction direction;
  const char* evp;
  bool whole_blocks, chains;
};

constexpr Direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
constexpr Case kCases[] = {
    {"ecb_encrypt", WARPAES_MODE_ECB, kEncrypt, "ECB", true, false},
    {"ecb_decrypt", WARPAES_MODE_ECB, kDecrypt, "ECB", true, false},
    {"cbc_encrypt", WARPAES_MODE_CBC, kEncrypt, "CBC", true, true},
    {"cbc_decrypt", WARPAES_MODE_CBC, kDecrypt, "CBC", true, false},
    {"cfb_encrypt", WARPAES_MODE_CFB, kEncrypt, "CFB", false, true},
    {"cfb_decrypt", WARPAES_MODE_CFB, kDecrypt, "CFB", false, false},
    {"ofb", WARPAES_MODE_OFB, kEncrypt, "OFB", false, true},
    {"ctr", WARPAES_MODE_CTR, kEncrypt, "CTR", false, false},
};

/// How a batch describes its messages, and where they lie.
struct Layout {
  const char* name;
  bool in_place, listed;
  size_t misaligned_by;
};

constexpr Layout kLayouts[] = {
    {"apart", false, false, 0},
    {"in place", true, false, 0},
    {"in place at an odd address", true, false, 3},
    {"listed, apart, at an odd address", false, true, 13},
    {"listed, in place", true, true, 0},
};

class Messages {
 public:
  /// @param room of each message, which may be longer and is then refused
  Messages(const Case& what, const Layout& layout, uint64_t room, std::vector<uint64_t> lengths)
      : what_(what), layout_(layout), room_(room), lengths_(std::move(lengths)) {
    const uint64_t longest = std::max(room, std::ranges::max(lengths_));
    stride_ = longest / 16 * 16 + 32;
    key_ = bytes(16 + 8 * (lengths_.size() % 3));
    // Counters that carry out of 32 and out of 64 bits within the message.
    ivs_ = bytes(16 * count());
    for (size_t i = 4; i < 16; i++) ivs_[i] = i == 15 ? 0xf0 : 0xff;
    input_ = bytes(count() * stride_ + 16);
    output_ = layout.in_place ? input_ : Bytes(input_.size(), 0xd7);
    expected_ = output_;
    for (size_t m = 0; m < count(); m++) {
      const Bytes answer = answer_of(m);
      std::ranges::copy(answer, expected_.begin() + static_cast<ptrdiff_t>(place(m)));
    }
  }

  void expect_right() {
    Bytes& output = layout_.in_place ? input_ : output_;
    Batch batch{.mode = what_.mode, .direction = what_.direction, .messages = count(), .bytes = room_};
    batch.input = input_.data() + place(0);
    batch.output = output.data() + place(0);
    batch.input_stride = batch.output_stride = stride_;
    batch.nonces = what_.mode == WARPAES_MODE_ECB ? nullptr : ivs_.data();
    batch.nonce_stride = batch.nonce_bytes = 16;
    std::vector<int32_t> statuses(count(), -1);
    batch.statuses = statuses.data();
    const bool of_one_length = std::ranges::count(lengths_, room_) == static_cast<ptrdiff_t>(count());
    if (!of_one_length) batch.lengths = lengths_.data();
    std::vector<const uint8_t*> inputs;
    std::vector<uint8_t*> outputs;
    for (size_t m = 0; m < count(); m++) {
      inputs.push_back(input_.data() + place(m));
      outputs.push_back(output.data() + place(m));
    }
    if (layout_.listed) {
      batch.inputs = inputs.data();
      batch.outputs = outputs.data();
      batch.input = batch.output = nullptr;
    }
    const auto prepared = emulated_bitsliced.prepare(KeySchedule(key_), 0);
    emulated_bitsliced.modes[what_.mode].run({*prepared, static_cast<int>(8 * key_.size())}, batch, nullptr,
                                             nullptr);
    for (size_t m = 0; m < count(); m++) {
      EXPECT_EQ(statuses[m], is_right(m) ? WARPAES_OK : WARPAES_ERROR_LENGTH) << m;
    }
    const auto [wrong, right] = std::ranges::mismatch(output, expected_);
    const auto at = static_cast<uint64_t>(wrong - output.begin());
    EXPECT_TRUE(wrong == output.end()) << "message " << at / stride_ << ", byte " << at % stride_;
  }

 private:
  size_t count() const { return lengths_.size(); }
  size_t place(size_t m) const { return m * stride_ + layout_.misaligned_by; }
  bool is_right(size_t m) const {
    return lengths_[m] <= room_ && !(what_.whole_blocks && lengths_[m] % 16 != 0);
  }

  Bytes bytes(size_t size) {
    Bytes made(size);
    for (uint8_t& byte : made) byte = static_cast<uint8_t>(random_());
    return made;
  }

  Bytes answer_of(size_t m) const {
    if (lengths_[m] == 0 || !is_right(m)) return {};
    const reference::View message(input_.data() + place(m), lengths_[m]), iv(ivs_.data() + 16 * m, 16);
    return reference::crypt(what_.evp, key_, iv, message, what_.direction == kEncrypt);
  }

  std::mt19937_64 random_{21};
  const Case& what_;
  const Layout& layout_;
  const uint64_t room_;
  const std::vector<uint64_t> lengths_;
  uint64_t stride_;
  Bytes key_, ivs_, input_, output_, expected_;
};

struct Batches {
  const char* name;
  uint64_t room;
  std::vector<uint64_t> lengths;
};

/// The emulated GPU has six warps, so that runs are some groups long and begin within messages.
std::vector<Batches> batches(uint64_t group) {
  return {
      {"whole groups", 5 * group, {5 * group, 5 * group, 5 * group}},
      {"messages that end within groups", group + 624, std::vector<uint64_t>(11, group + 624)},
      {"many in a group", 48, std::vector<uint64_t>(3000, 48)},
      {"one in each group but for some blocks", group - 32, std::vector<uint64_t>(9, group - 32)},
      {"much room and little in it",
       7 * group,
       {0, 16, 7 * group, 5 * group, group + 16, 0, group, 16, 0, 2 * group - 16, 0}},
      {"much room that begins within groups",
       7 * group + 80,
       {16, 0, 7 * group + 80, 5 * group, 80, group + 16, 0, group, 0, 16, 2 * group - 16}},
      {"lengths that some modes refuse, and longer ones than there is room",
       3 * group,
       {3 * group, 3 * group + 16, group + 1, 15, 3 * group - 1, 3 * group + 1, 32, 1, 2 * group}},
      {"nothing", 0, std::vector<uint64_t>(40, 0)},
  };
}

class BitslicedBatches : public ::testing::TestWithParam<Case> {};

TEST_P(BitslicedBatches, AreRight) {
  // Lanes walk a chain block after block, whatever its length, and emulated they take long for that.
  const uint64_t group = (GetParam().chains ? 4 : 256) * 16;
  for (const Batches& shape : batches(group)) {
    for (const Layout& layout : kLayouts) {
      SCOPED_TRACE(std::string(shape.name) + ", " + layout.name);
      Messages(GetParam(), layout, shape.room, shape.lengths).expect_right();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, BitslicedBatches, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpaes::core
