// Mistakes in a batch as a whole, as a table over all modes and both directions: a mistake must be the call's
// own status, and nothing may be written. Modes that authenticate and modes that do not are treated alike.
#include "batch_misuse.hpp"

#include <sys/resource.h>

#include "misuse_rows.hpp"

namespace warpaes::core::testing {
namespace {

constexpr size_t kCount = 4, kLength = 48;

/// Four messages in rows, and their arrays where a row wants them; right until a row spoils them.
class Call {
 public:
  Call(const ModeRow& its_row, const warpaes_cipher* its_cipher, Keys keys, warpaes_direction its_direction)
      : row(its_row),
        cipher(its_cipher),
        direction(its_direction),
        image(row, arrangements()[0], keys, kCount, kLength) {
    image.begin(direction);
    batch = image.batch(image.memory.data());
    lengths.assign(kCount, batch.length);
    for (size_t m = 0; m < kCount; m++) {
      inputs.push_back(image.input(m));
      outputs.push_back(image.output(m));
    }
  }
  warpaes_status run() {
    before_ = image.memory;
    return (direction == kEncrypt ? warpaes_encrypt_batch : warpaes_decrypt_batch)(cipher, arguments);
  }
  warpaes_status device() {
    before_ = image.memory;
    return (direction == kEncrypt ? warpaes_encrypt_batch_device : warpaes_decrypt_batch_device)(
        cipher, arguments, nullptr, 0, nullptr);
  }
  void expect_untouched() const { EXPECT_TRUE(image.memory == before_); }

  template <class Pointer>
  static Pointer odd(Pointer pointer, size_t by) {
    return reinterpret_cast<Pointer>(reinterpret_cast<uintptr_t>(pointer) + by);
  }
  uint8_t* output_memory() { return static_cast<uint8_t*>(batch.output.data); }

  const ModeRow& row;
  const warpaes_cipher* cipher;
  warpaes_direction direction;
  ArrangedBatch image;
  warpaes_batch batch;
  const warpaes_batch* arguments = &batch;
  std::vector<uint64_t> lengths;
  std::vector<const void*> inputs;
  std::vector<void*> outputs;

 private:
  Bytes before_ = image.memory;
};

struct Row {
  MisuseRow<Call> misuse;
  bool (*is_for)(const ModeRow& row, warpaes_direction direction);
};

bool all_but_siv(const ModeRow& row, warpaes_direction) { return row.mode != WARPAES_MODE_SIV; }
bool only_siv(const ModeRow& row, warpaes_direction) { return row.mode == WARPAES_MODE_SIV; }
bool with_output_and_nonce(const ModeRow& row, warpaes_direction) {
  return row.has_output() && row.needs_nonce();
}
bool unpadding(const ModeRow& row, warpaes_direction direction) {
  return row.unpads() && direction == kDecrypt;
}
const Row kRows[] = {
    {{"no cipher", kNull, &Call::run, [](Call& c) { c.cipher = nullptr; }}, all},
    {{"no batch", kNull, &Call::run, [](Call& c) { c.arguments = nullptr; }}, all},
    {{"a size of 0", kOption, &Call::run, [](Call& c) { c.batch.size = 0; }}, all},
    {{"no input", kNull, &Call::run, [](Call& c) { c.batch.input.data = nullptr; }}, all},
    {{"no output", kNull, &Call::run, [](Call& c) { c.batch.output.data = nullptr; }}, with_output},
    {{"no nonces", kNull, &Call::run, [](Call& c) { c.batch.nonces.data = nullptr; }}, needing_nonce},
    {{"no nonces, but a length", kNull, &Call::run, [](Call& c) { c.batch.nonce_length = 12; }}, only_siv},
    {{"nonces, but no length", kOption, &Call::run,
      [](Call& c) {
        c.batch.nonces.data = c.image.key(0);
        c.batch.nonces.stride = 16;
      }},
     only_siv},
    {{"addresses of nonces, but no length", kOption, &Call::run,
      [](Call& c) { c.batch.nonces.pointers = c.inputs.data(); }},
     only_siv},
    {{"no tags", kNull, &Call::run, [](Call& c) { c.batch.tags.data = nullptr; }}, with_tag},
    {{"no additional data", kNull, &Call::run, [](Call& c) { c.batch.aad.data = nullptr; }}, with_aad},
    {{"no place for the lengths", kNull, &Call::run, [](Call& c) { c.batch.output_lengths = nullptr; }},
     unpadding},

    {{"inputs twice", kOption, &Call::run, [](Call& c) { c.batch.input.pointers = c.inputs.data(); }}, all},
    {{"outputs twice", kOption, &Call::run, [](Call& c) { c.batch.output.pointers = c.outputs.data(); }},
     with_output},
    {{"nonces twice", kOption, &Call::run, [](Call& c) { c.batch.nonces.pointers = c.inputs.data(); }},
     needing_nonce},
    {{"tags twice", kOption, &Call::run, [](Call& c) { c.batch.tags.pointers = c.outputs.data(); }},
     with_tag},
    {{"additional data twice", kOption, &Call::run, [](Call& c) { c.batch.aad.pointers = c.inputs.data(); }},
     with_aad},

    {{"part of a block, or of a semiblock", kWrongLength, &Call::run, [](Call& c) { c.batch.length--; }},
     in_units},
    {{"less than a block", kWrongLength, &Call::run, [](Call& c) { c.batch.length = 15; }}, of_16_or_more},
    {{"the longest number", kWrongLength, &Call::run,
      [](Call& c) {
        c.batch.length = c.batch.input.stride = kMax64;
        if (c.row.has_output()) c.batch.output.stride = kMax64;
      }},
     all},
    {{"a byte too long", kWrongLength, &Call::run,
      [](Call& c) {
        c.batch.length = c.row.longest + 1;
        c.batch.input.stride = c.batch.output.stride = c.batch.length + 64;
        if (!c.row.has_output()) c.batch.output.stride = 0;
      }},
     [](const ModeRow& row, warpaes_direction direction) {
       return row.longest < kMax64 && !(row.wraps_keys() && direction == kDecrypt);
     }},
    {{"too much additional data", kWrongLength, &Call::run,
      [](Call& c) {
        c.batch.aad_length = c.row.longest_aad + 1;
        c.batch.aad.stride = 0;
      }},
     [](const ModeRow& row, warpaes_direction) { return row.has_aad() && row.longest_aad < kMax64; }},
    {{"more messages than addresses", kWrongLength, &Call::run,
      [](Call& c) { c.batch.count = uint64_t{1} << 60; }},
     all},
    {{"a stride that overflows", kWrongLength, &Call::run, [](Call& c) { c.batch.input.stride = kMax64; }},
     all},
    {{"too short a nonce", WARPAES_ERROR_NONCE_LENGTH, &Call::run,
      [](Call& c) { c.batch.nonce_length = c.row.shortest_nonce - 1; }},
     [](const ModeRow& row, warpaes_direction) { return row.shortest_nonce > 1; }},
    {{"too long a nonce", WARPAES_ERROR_NONCE_LENGTH, &Call::run,
      [](Call& c) {
        c.batch.nonce_length = c.row.longest_nonce + 1;
        c.batch.nonces.stride = 0;
      }},
     [](const ModeRow& row, warpaes_direction) { return row.has_nonce() && row.longest_nonce < 100; }},
    {{"too short a tag", WARPAES_ERROR_TAG_LENGTH, &Call::run, [](Call& c) { c.batch.tag_length = 7; }},
     with_tag},
    {{"too long a tag", WARPAES_ERROR_TAG_LENGTH, &Call::run, [](Call& c) { c.batch.tag_length = 17; }},
     with_tag},

    {{"too short an input stride", kStride, &Call::run,
      [](Call& c) { c.batch.input.stride = c.batch.length - 1; }},
     all},
    {{"too short an output stride", kStride, &Call::run,
      [](Call& c) {
        uint64_t size = 0;
        EXPECT_EQ(warpaes_output_size(c.row.mode, c.direction, c.batch.length, &size), WARPAES_OK);
        c.batch.output.stride = size - 1;
      }},
     with_output},
    {{"one output for all", kStride, &Call::run, [](Call& c) { c.batch.output.stride = 0; }}, with_output},
    {{"too short a nonce stride", kStride, &Call::run,
      [](Call& c) { c.batch.nonces.stride = c.row.recommended_nonce - 1; }},
     needing_nonce},
    {{"too short a tag stride", kStride, &Call::run, [](Call& c) { c.batch.tags.stride = 15; }}, with_tag},
    {{"one tag for all", kStride, &Call::run, [](Call& c) { c.batch.tags.stride = 0; }}, with_tag},
    {{"too short a stride of additional data", kStride, &Call::run, [](Call& c) { c.batch.aad.stride = 2; }},
     with_aad},
    {{"a byte too little room", WARPAES_ERROR_BUFFER_SIZE, &Call::run,
      [](Call& c) {
        uint64_t size = 0;
        EXPECT_EQ(warpaes_output_size(c.row.mode, c.direction, c.batch.length, &size), WARPAES_OK);
        c.batch.output_capacity = size - 1;
      }},
     with_output},

    {{"input and output overlap", kOverlap, &Call::run,
      [](Call& c) { c.batch.output.data = c.image.input(0) + 8; }},
     with_output},
    {{"one place, different strides", kOverlap, &Call::run,
      [](Call& c) {
        c.batch.output.data = c.image.input(0);
        c.batch.output.stride += 16;
      }},
     with_output},
    {{"tags inside the output", kOverlap, &Call::run,
      [](Call& c) { c.batch.tags.data = c.output_memory() + 5; }},
     [](const ModeRow& row, warpaes_direction) { return row.has_tag() && row.has_output(); }},
    {{"tags inside the input", kOverlap, &Call::run, [](Call& c) { c.batch.tags.data = c.image.input(0); }},
     [](const ModeRow& row, warpaes_direction direction) { return row.has_tag() && direction == kEncrypt; }},
    {{"nonces inside the output", kOverlap, &Call::run,
      [](Call& c) { c.batch.nonces.data = c.output_memory() + 5; }},
     with_output_and_nonce},
    {{"additional data inside the output", kOverlap, &Call::run,
      [](Call& c) { c.batch.aad.data = c.output_memory(); }},
     with_aad},
    {{"statuses inside the input", kOverlap, &Call::run,
      [](Call& c) { c.batch.statuses = reinterpret_cast<int32_t*>(c.image.input(0)); }},
     all},
    {{"statuses inside the lengths", kOverlap, &Call::run,
      [](Call& c) {
        c.batch.lengths = c.lengths.data();
        c.batch.statuses = reinterpret_cast<int32_t*>(c.lengths.data());
      }},
     all},
    {{"output lengths inside the input", kOverlap, &Call::run,
      [](Call& c) { c.batch.output_lengths = reinterpret_cast<uint64_t*>(c.image.input(0)); }},
     with_output},
    {{"output lengths inside the statuses", kOverlap, &Call::run,
      [](Call& c) { c.batch.output_lengths = reinterpret_cast<uint64_t*>(c.batch.statuses); }},
     with_output},
    {{"addresses where tags go", kOverlap, &Call::run,
      [](Call& c) {
        c.batch.input.data = nullptr;
        c.batch.input.pointers = c.inputs.data();
        c.batch.tags.data = c.inputs.data();
        c.batch.tags.stride = 16;
      }},
     [](const ModeRow& row, warpaes_direction direction) { return row.has_tag() && direction == kEncrypt; }},

    {{"lengths at an odd address", kOption, &Call::run,
      [](Call& c) { c.batch.lengths = Call::odd(c.lengths.data(), 1); }},
     all},
    {{"addresses at an odd address", kOption, &Call::run,
      [](Call& c) {
        c.batch.input.data = nullptr;
        c.batch.input.pointers = Call::odd(c.inputs.data(), 4);
      }},
     all},
    {{"statuses at an odd address", kOption, &Call::run,
      [](Call& c) { c.batch.statuses = Call::odd(c.batch.statuses, 1); }},
     all},

    {{"nonces for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.nonces.data = c.image.key(0); }},
     without_nonce},
    {{"addresses of nonces for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.nonces.pointers = c.inputs.data(); }},
     without_nonce},
    {{"a nonce's length for a mode without", kOption, &Call::run, [](Call& c) { c.batch.nonce_length = 16; }},
     without_nonce},
    {{"additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.aad.data = c.image.key(0); }},
     without_aad},
    {{"addresses of additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.aad.pointers = c.inputs.data(); }},
     without_aad},
    {{"a length of additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.aad_length = 1; }},
     without_aad},
    {{"lengths of additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.aad_lengths = c.lengths.data(); }},
     without_aad},
    {{"tags for a mode without", kOption, &Call::run, [](Call& c) { c.batch.tags.data = c.image.key(0); }},
     without_tag},
    {{"addresses of tags for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.tags.pointers = c.outputs.data(); }},
     without_tag},
    {{"a tag's length for a mode without", kOption, &Call::run, [](Call& c) { c.batch.tag_length = 16; }},
     without_tag},
    {{"output for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.output.data = c.image.output(0); }},
     without_output},
    {{"addresses of output for a mode without", kOption, &Call::run,
      [](Call& c) { c.batch.output.pointers = c.outputs.data(); }},
     without_output},
    {{"associated strings", kOption, &Call::run, [](Call& c) { c.batch.aad_strings = 2; }}, all_but_siv},
    {{"127 associated strings", kWrongLength, &Call::run, [](Call& c) { c.batch.aad_strings = 127; }},
     only_siv},

    {{"device memory without a GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::device, [](Call&) {},
      "GPU engine"},
     all},
    {{"device memory without a cipher", kNull, &Call::device, [](Call& c) { c.cipher = nullptr; }}, all},
    {{"device memory without a batch", kNull, &Call::device, [](Call& c) { c.arguments = nullptr; }}, all},
};

/// Of messages that bring their keys.
const MisuseRow<Call> kKeyRows[] = {
    {"no keys", kNull, &Call::run, [](Call& c) { c.batch.keys.data = nullptr; }},
    {"keys of no length", WARPAES_ERROR_KEY_LENGTH, &Call::run, [](Call& c) { c.batch.key_length = 0; }},
    {"keys of 15 bytes", WARPAES_ERROR_KEY_LENGTH, &Call::run, [](Call& c) { c.batch.key_length = 15; }},
    {"keys of 40 bytes", WARPAES_ERROR_KEY_LENGTH, &Call::run, [](Call& c) { c.batch.key_length = 40; }},
    {"keys closer than their length", kStride, &Call::run, [](Call& c) { c.batch.keys.stride = 15; }},
    {"keys beyond the address space", kWrongLength, &Call::run,
     [](Call& c) { c.batch.keys.stride = kMax64 / 2; }},
    {"keys twice", kOption, &Call::run, [](Call& c) { c.batch.keys.pointers = c.inputs.data(); }},
    {"keys where statuses go", kOverlap, &Call::run,
     [](Call& c) { c.batch.statuses = reinterpret_cast<int32_t*>(c.image.key(0)); }},
    {"device memory without a GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::device, [](Call&) {}},
};

TEST_F(BatchMisuse, OfTheWholeCallIsRefusedAndTouchesNothing) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    for (const Row& row : kRows) {
      if (!row.is_for(mode, direction)) continue;
      Call call(mode, cipher, Keys::one, direction);
      expect_refused(call, row.misuse);
      Call with_keys(mode, keyless, Keys::row, direction);
      expect_refused(with_keys, row.misuse);
    }
    expect_each_refused(kKeyRows, [&] { return Call(mode, keyless, Keys::row, direction); });
  });
}

TEST_F(BatchMisuse, KeysBelongToCiphersWithoutOne) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    Call keys_twice(mode, cipher, Keys::row, direction);
    EXPECT_EQ(keys_twice.run(), WARPAES_ERROR_OPTION) << warpaes_last_error();
    keys_twice.expect_untouched();
    Call no_keys(mode, keyless, Keys::one, direction);
    const warpaes_status status = no_keys.run();
    EXPECT_TRUE(status == WARPAES_ERROR_STATE || status == WARPAES_ERROR_NULL_POINTER ||
                status == WARPAES_ERROR_KEY_LENGTH)
        << warpaes_status_name(status);
    no_keys.expect_untouched();
  });
}

/// What the rows spoil is right to begin with: or the table would prove nothing.
TEST_F(BatchMisuse, TheUnspoiltCallsWork) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    Call call(mode, cipher, Keys::one, direction), with_keys(mode, keyless, Keys::row, direction);
    EXPECT_EQ(call.run(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(with_keys.run(), WARPAES_OK) << warpaes_last_error();
    call.batch.input.data = nullptr;
    call.batch.input.stride = 0;
    call.batch.input.pointers = call.inputs.data();
    call.batch.lengths = call.lengths.data();
    EXPECT_EQ(call.run(), WARPAES_OK) << "with arrays: " << warpaes_last_error();
  });
}

/// Messages may share a nonce if each has a key of its own, and so may those that are decrypted: whoever made
/// them has done the harm.
TEST_F(BatchMisuse, OneNonceForAllIsRefusedWhereItDoesHarm) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    if (!mode.needs_nonce()) return;
    Call call(mode, cipher, Keys::one, direction), with_keys(mode, keyless, Keys::row, direction);
    call.batch.nonces.stride = with_keys.batch.nonces.stride = 0;
    if (direction == kDecrypt) {
      EXPECT_NE(call.run(), WARPAES_ERROR_STRIDE);
      return;
    }
    EXPECT_EQ(with_keys.run(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(call.run(), mode.breaks_by_repetition() ? WARPAES_ERROR_STRIDE : WARPAES_OK);
    if (mode.breaks_by_repetition()) call.expect_untouched();
    with_keys.batch.keys.stride = 0;
    EXPECT_EQ(with_keys.run(), mode.breaks_by_repetition() ? WARPAES_ERROR_STRIDE : WARPAES_OK);
    call.batch.count = 1;
    EXPECT_EQ(call.run(), WARPAES_OK) << warpaes_last_error();
  });
}

long most_memory_in_kib() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Where the caller wants no statuses, the library has its own: a GiB here.
TEST(BatchMisuseOfOne, AWrongCountTakesNoMemory) {
  const TestContext context("portable", 1);
  const TestCipher cipher(context, WARPAES_MODE_CBC, Bytes(16, 1));
  Bytes memory(64);
  auto batch = sized<warpaes_batch>();
  batch.count = uint64_t{1} << 28;
  batch.length = 16;
  batch.output = {memory.data(), 16, nullptr};
  batch.nonces = {memory.data() + 32, 0, nullptr};
  const long before = most_memory_in_kib();
  EXPECT_EQ(warpaes_encrypt_batch(cipher.get(), &batch), WARPAES_ERROR_NULL_POINTER);
  EXPECT_LT(most_memory_in_kib() - before, 512 << 10);
}

/// Nor is a lack of memory told of a mistake, however many statuses there would be.
TEST_F(BatchMisuse, AHugeCountIsNoLackOfMemory) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, const warpaes_cipher* keyless,
                   warpaes_direction direction) {
    Call call(mode, cipher, Keys::one, direction), with_keys(mode, keyless, Keys::row, direction);
    for (Call* each : {&call, &with_keys}) {
      each->batch.count = uint64_t{1} << 47;
      each->batch.statuses = nullptr;
      each->batch.input.stride = each->batch.length;
      each->batch.input.stride--;
      EXPECT_EQ(each->run(), kStride) << warpaes_last_error();
      each->batch.input.data = nullptr;
      EXPECT_EQ(each->run(), kNull) << warpaes_last_error();
      each->expect_untouched();
    }
  });
}

}  // namespace
}  // namespace warpaes::core::testing
