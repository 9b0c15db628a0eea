// Mistakes in one message of a batch, as a table over all modes and both directions: a wrong entry of an
// array must become the status of its message, that message must be left alone, and all others must be right.
#include "batch_misuse.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kSpoilt = 3;
constexpr Arrangement kEntries = {"ragged and scattered", Lie::scattered, Lie::scattered, Lie::scattered,
                                  Lie::scattered,         true,           false};

struct Entry {
  const char* what;
  warpaes_status expected;
  bool (*is_for)(const ModeRow& row, warpaes_direction direction, Keys keys);
  void (*spoil)(ArrangedBatch& image, const ModeRow& row);
};

constexpr const void* kNowhere = nullptr;

const Entry kEntryRows[] = {
    {"a message longer than the batch's length", kWrongLength,
     [](const ModeRow&, warpaes_direction, Keys) { return true; },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::lengths, kSpoilt, 4096); }},
    {"a message of nearly 2^64 bytes", kWrongLength,
     [](const ModeRow&, warpaes_direction, Keys) { return true; },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::lengths, kSpoilt, kMax64); }},
    {"a length that the mode does not have", kWrongLength,
     [](const ModeRow& row, warpaes_direction direction, Keys) {
       return in_units(row, direction) || of_16_or_more(row, direction);
     },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::lengths, kSpoilt, 15); }},
    {"more additional data than the batch's length", kWrongLength,
     [](const ModeRow& row, warpaes_direction, Keys) { return row.has_aad(); },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::aad_lengths, kSpoilt, 41); }},
    {"no input", kNull, [](const ModeRow&, warpaes_direction, Keys) { return true; },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::inputs, kSpoilt, kNowhere); }},
    {"no output", kNull, [](const ModeRow& row, warpaes_direction, Keys) { return row.has_output(); },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::outputs, kSpoilt, kNowhere); }},
    {"no nonce", kNull, [](const ModeRow& row, warpaes_direction, Keys) { return row.needs_nonce(); },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::nonces, kSpoilt, kNowhere); }},
    {"no additional data", kNull, [](const ModeRow& row, warpaes_direction, Keys) { return row.has_aad(); },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::aads, kSpoilt, kNowhere); }},
    {"no tag", kNull, [](const ModeRow& row, warpaes_direction, Keys) { return row.has_tag(); },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::tags, kSpoilt, kNowhere); }},
    {"no key", kNull, [](const ModeRow&, warpaes_direction, Keys keys) { return keys == Keys::scattered; },
     [](ArrangedBatch& image, const ModeRow&) { image.set_entry(List::keys, kSpoilt, kNowhere); }},
    {"an output a byte behind its input", kOverlap,
     [](const ModeRow& row, warpaes_direction, Keys) { return row.has_output(); },
     [](ArrangedBatch& image, const ModeRow&) {
       image.set_entry(List::outputs, kSpoilt, image.input(kSpoilt) + 1);
     }},
    {"a tag inside its output", kOverlap,
     [](const ModeRow& row, warpaes_direction, Keys) { return row.has_tag() && row.has_output(); },
     [](ArrangedBatch& image, const ModeRow&) {
       image.set_entry(List::tags, kSpoilt, image.output(kSpoilt) + 1);
     }},
    {"a tag inside its input", kOverlap,
     [](const ModeRow& row, warpaes_direction direction, Keys) {
       return row.has_tag() && direction == kEncrypt;
     },
     [](ArrangedBatch& image, const ModeRow&) {
       image.set_entry(List::tags, kSpoilt, image.input(kSpoilt) + 1);
     }},
    {"a nonce inside its output", kOverlap,
     [](const ModeRow& row, warpaes_direction, Keys) { return row.needs_nonce() && row.has_output(); },
     [](ArrangedBatch& image, const ModeRow&) {
       image.set_entry(List::nonces, kSpoilt, image.output(kSpoilt) + 1);
     }},
    {"additional data inside its output", kOverlap,
     [](const ModeRow& row, warpaes_direction, Keys) { return row.has_aad(); },
     [](ArrangedBatch& image, const ModeRow&) {
       image.set_entry(List::aads, kSpoilt, image.output(kSpoilt) + 1);
     }},
    {"two equal keys of XTS", WARPAES_ERROR_XTS_KEYS,
     [](const ModeRow& row, warpaes_direction, Keys keys) {
       return row.mode == WARPAES_MODE_XTS && keys == Keys::scattered;
     },
     [](ArrangedBatch& image, const ModeRow&) {
       uint8_t* const key = image.key(kSpoilt);
       std::copy_n(key, 32, key + 32);
     }},
};

TEST_F(BatchMisuse, OfOneEntryIsThatMessagesStatusAndTheOthersAreRight) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    for (const Entry& entry : kEntryRows) {
      for (const Keys keys : {Keys::one, Keys::scattered}) {
        if (!entry.is_for(mode, direction, keys)) continue;
        SCOPED_TRACE(entry.what + std::string(", ") + name_of(keys));
        ArrangedBatch image(mode, kEntries, keys, 9, 81);
        image.begin(direction);
        if (direction == kDecrypt) image.damage(6);
        const warpaes_batch batch = image.batch(image.memory.data());
        entry.spoil(image, mode);
        image.leave_alone(kSpoilt, entry.expected);
        const Bytes expected = image.expected();
        EXPECT_STREQ(
            warpaes_status_name((direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(
                keys == Keys::one ? cipher : keyless, &batch)),
            "WARPAES_ERROR_BATCH")
            << warpaes_last_error();
        image.expect_right(expected);
      }
    }
  });
}

/// `length` may be as good as no limit. A negative number that was taken for a length is found all the same.
TEST(BatchMisuseOfEntries, AMessageBeyondTheAddressSpaceIsThatMessagesMistake) {
  const TestContext context("portable");
  for (const warpaes_mode mode :
       {WARPAES_MODE_ECB, WARPAES_MODE_CBC, WARPAES_MODE_CTR, WARPAES_MODE_OFB, WARPAES_MODE_CMAC}) {
    const ModeRow& row = row_of(mode);
    SCOPED_TRACE(row.name);
    const TestCipher cipher(context, mode, Bytes(16, 1));
    const Bytes nonces(32, 2);
    Bytes data(32, 3), tags(32, 4);
    const void* const inputs[] = {data.data(), data.data() + 16};
    void* const outputs[] = {data.data(), data.data() + 16};
    void* const tag_pointers[] = {tags.data(), tags.data() + 16};
    const uint64_t lengths[] = {16, kMax64 - 15};
    int32_t statuses[] = {-1, -1};
    warpaes_batch batch = {};
    batch.size = sizeof batch;
    batch.count = 2;
    batch.input.pointers = inputs;
    batch.length = kMax64;
    batch.lengths = lengths;
    if (row.has_output()) batch.output.pointers = outputs;
    if (row.needs_nonce()) batch.nonces = {nonces.data(), 16, nullptr};
    if (row.has_tag()) batch.tags.pointers = tag_pointers;
    batch.statuses = statuses;
    EXPECT_EQ(warpaes_encrypt_batch(cipher.get(), &batch), WARPAES_ERROR_BATCH) << warpaes_last_error();
    EXPECT_EQ(statuses[0], WARPAES_OK);
    EXPECT_EQ(statuses[1], WARPAES_ERROR_LENGTH);
    EXPECT_EQ(Bytes(data.begin() + 16, data.end()), Bytes(16, 3));
    EXPECT_EQ(Bytes(tags.begin() + 16, tags.end()), Bytes(16, 4));
  }
}

/// All of the messages may be wrong, and each in a way of its own.
TEST_F(BatchMisuse, EveryMessageHasTheStatusOfItsOwnMistake) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher*,
                   warpaes_direction direction) {
    ArrangedBatch image(mode, kEntries, Keys::one, 3, 81);
    image.begin(direction);
    const warpaes_batch batch = image.batch(image.memory.data());
    image.set_entry(List::lengths, 0, kMax64);
    image.leave_alone(0, WARPAES_ERROR_LENGTH);
    for (const size_t m : {1, 2}) {
      image.set_entry(List::inputs, m, kNowhere);
      image.leave_alone(m, WARPAES_ERROR_NULL_POINTER);
    }
    const Bytes expected = image.expected();
    EXPECT_EQ((direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(cipher, &batch),
              WARPAES_ERROR_BATCH);
    EXPECT_NE(std::string(warpaes_last_error()).find("3 of 3"), std::string::npos) << warpaes_last_error();
    image.expect_right(expected);
  });
}

/// A null pointer with nothing behind it is no mistake in an array either.
TEST_F(BatchMisuse, EmptyEntriesNeedNoMemory) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher*,
                   warpaes_direction direction) {
    if (mode.shortest > 0) return;
    ArrangedBatch image(mode, kEntries, Keys::one, 9,
                        81);  // the first is empty, and so is its additional data
    image.begin(direction);
    const warpaes_batch batch = image.batch(image.memory.data());
    ASSERT_TRUE(image.example(0).text.empty() && image.example(0).aad.empty());
    const bool has_ciphertext = !image.answer(0).output.empty();
    if (direction == kEncrypt || !has_ciphertext) image.set_entry(List::inputs, 0, kNowhere);
    if (mode.has_output() && !has_ciphertext) image.set_entry(List::outputs, 0, kNowhere);
    if (mode.has_aad()) image.set_entry(List::aads, 0, kNowhere);
    const Bytes expected = image.expected();
    EXPECT_EQ((direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(cipher, &batch),
              WARPAES_OK)
        << warpaes_last_error();
    image.expect_right(expected);
  });
}

}  // namespace
}  // namespace warpaes::core::testing
