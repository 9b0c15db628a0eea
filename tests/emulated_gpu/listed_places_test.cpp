// Where a list's messages, nonces, additional data and tags may be, and how long, on the emulated GPU:
// outputs elsewhere, at all kinds of addresses, nonces by address, short tags, long additional data; and
// batches without arrays, which are shared as lists are.
#include "engines/cuda/listed_launches.hpp"
#include "listed_fixture.hpp"

namespace warpaes::core::listed {
namespace {

class ListedPlaces : public EmulatedListed {};

/// Input, output or both begin at no multiple of 16, and both as far behind one or not. The whole list is for
/// tables, also in the kernel that has warps on bit planes, which is for messages that may be as long as
/// that.
TEST_P(ListedPlaces, OutputsMayBeAtOtherOffsets) {
  make({{kFrom + 1, 0, 5}, {70'000, 5, 0}, {100, 3, 4}, {80'001, 3, 7}, {70'007, 7, 7}, {66'000, 0, 0}}, 16);
  for (const uint64_t most : {uint64_t{80'001}, kListedHybridFrom}) {
    most_ = most;
    expect_there_and_back();
    expect_shared_as_one(false);
  }
}

/// And warps on bit planes have a part, where there are such warps.
TEST_P(ListedPlaces, OutputsMayBeElsewhere) {
  make({{600'001, 0, 0}, {70'000, 0, 0}, {17, 0, 0}, {70'001}, {80'001, 0, 0}}, 32);
  expect_there_and_back();
  expect_shared_as_one(true);
}

/// Outputs elsewhere are zeroed, and inputs stay.
TEST_P(ListedPlaces, OutputsElsewhereAreZeroWhereTagsAreWrong) {
  make({{kFrom + 1, 0, 0}, {70'000, 3, 7}, {66'000, 0, 5}}, 16);
  hold(true);
  for (const size_t m : {size_t{0}, size_t{1}}) {
    tags_[16 * m] ^= 1;
    tensors_[m].plaintext.assign(tensors_[m].bytes, 0);
  }
  run(WARPAES_DIRECTION_DECRYPT);
  EXPECT_EQ(statuses_,
            (std::vector<int32_t>{WARPAES_ERROR_AUTHENTICATION, WARPAES_ERROR_AUTHENTICATION, WARPAES_OK}));
  expect(true);
}

/// Short tags, nonces that are not one behind the other, and more additional data than a team hashes.
TEST_P(ListedPlaces, NoncesTagsAndAdditionalDataMayBeOfAnyKind) {
  tag_bytes_ = 12;
  nonces_by_address_ = true;
  const AadLengths aad{5'000, 1'777, 6'001};
  make({{600'001}, {70'000}, {100}, {kFrom + 1}, {80'001}}, 24, aad);
  expect_there_and_back();
  expect_shared_as_one(true);
  make({{70'000, 1}, {kFrom + 1}}, 24, aad);
  expect_there_and_back();
}

struct RegularForm {
  AadLengths aad;
  uint64_t aad_stride;
  bool in_place;
};
constexpr RegularForm kRegularForms[] = {
    {{.step = 0}, 0, true}, {{33, 0, 50, true}, 0, false}, {{1'000, 0, 1'001}, 1'003, true}};

/// A batch without any array, which is shared as a list when it has as many groups as emulated_machine.hpp
/// says.
class ListedRegularBatches : public EmulatedListed {
 protected:
  static constexpr size_t kCount = 3, kBytes = kFrom + 77, kStride = kFrom + 96;

  /// All rows, with bytes between them that must stay.
  Bytes rows(bool plaintexts) {
    Bytes made(kCount * kStride, kUntouched);
    for (size_t m = 0; m < kCount; m++) {
      std::ranges::copy(plaintexts ? tensors_[m].plaintext : tensors_[m].ciphertext,
                        made.data() + m * kStride);
    }
    return made;
  }

  Batch regular(Direction direction, const RegularForm& form) {
    Memory& output = form.in_place ? input_ : output_;
    input_.hold(0, rows(direction == WARPAES_DIRECTION_ENCRYPT));
    output_.hold(0, Bytes(kCount * kStride, kUntouched));
    aad_.assign(kCount * form.aad_stride + tensors_[0].aad.size(), kUntouched);
    for (size_t m = 0; m < kCount; m++) {
      std::ranges::copy(tensors_[m].aad, aad_.data() + m * form.aad_stride);
    }
    Batch batch{.direction = direction, .messages = kCount, .bytes = kBytes};
    batch.input = input_.data();
    batch.output = output.data();
    batch.input_stride = batch.output_stride = kStride;
    batch.nonces = nonces_.data();
    batch.nonce_stride = 12;
    batch.aad = aad_.data();
    batch.aad_bytes = tensors_[0].aad.size();
    batch.aad_stride = form.aad_stride;
    batch.tags = tags_.data();
    batch.tag_stride = batch.tag_bytes = 16;
    batch.statuses = statuses_.data();
    return batch;
  }

  void expect_right(Direction direction, const RegularForm& form) {
    const bool encrypts = direction == WARPAES_DIRECTION_ENCRYPT;
    hold(!encrypts);
    std::vector<int32_t> expected(kCount, WARPAES_OK);
    if (!encrypts) {
      tags_[16] ^= 1;
      tensors_[1].plaintext.assign(kBytes, 0);
      expected[1] = WARPAES_ERROR_AUTHENTICATION;
    }
    run_batch(regular(direction, form));
    expect_shared_as_one(false);
    if (encrypts) {
      EXPECT_TRUE(tags_ == right_tags_);
    }
    EXPECT_EQ(statuses_, expected);
    EXPECT_TRUE((form.in_place ? input_ : output_).contents() == rows(!encrypts));
    if (form.in_place) return;
    EXPECT_TRUE(input_.contents() == rows(encrypts)) << "the input, which is elsewhere";
  }

 private:
  Memory input_, output_;
  Bytes aad_;
};

TEST_P(ListedRegularBatches, AreRight) {
  for (const RegularForm& form : kRegularForms) {
    SCOPED_TRACE("additional data " + std::to_string(form.aad_stride) + " apart");
    make(std::vector<Tensor>(kCount, Tensor{kBytes}), 24, form.aad);
    expect_right(WARPAES_DIRECTION_ENCRYPT, form);
    expect_right(WARPAES_DIRECTION_DECRYPT, form);
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, ListedPlaces, engines_with_lists(), name_of_engine);
INSTANTIATE_TEST_SUITE_P(Tables, ListedRegularBatches, engines_with_lists(), name_of_engine);

}  // namespace
}  // namespace warpaes::core::listed
