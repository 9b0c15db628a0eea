// Mistakes in the calls for one message, as a table over all modes and both directions. A row says for which
// modes it is, spoils one member of a message that is right, and names the status that the call must return.
#include "misuse_rows.hpp"
#include "modes_of_misuse.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
constexpr uint64_t kMax64 = ~uint64_t{0};

/// A message of 64 bytes and its output in one piece of memory, right until a row spoils it.
class Call {
 public:
  Call(const ModeRow& its_row, const warpaes_cipher* its_cipher, warpaes_direction its_direction)
      : row(its_row), cipher(its_cipher), direction(its_direction), made_(row, row.example(64), direction) {
    message = made_.message;
    std::copy(made_.input.begin(), made_.input.end(), memory.begin());
    std::copy(made_.tag.begin(), made_.tag.end(), memory.begin() + kTag);
    std::copy(made_.example.aad.begin(), made_.example.aad.end(), memory.begin() + kAad);
    std::copy(made_.example.nonce.begin(), made_.example.nonce.end(), memory.begin() + kNonce);
    message.input = memory.data();
    if (message.output != nullptr) message.output = memory.data() + kOutput;
    if (message.output_length != nullptr) message.output_length = &output_length;
    if (message.tag != nullptr) message.tag = memory.data() + kTag;
    if (message.aad != nullptr) message.aad = memory.data() + kAad;
    if (message.nonce != nullptr) message.nonce = memory.data() + kNonce;
  }

  warpaes_status run() {
    before_ = memory;
    return (direction == kEncrypt ? warpaes_encrypt : warpaes_decrypt)(cipher, arguments);
  }
  warpaes_status device() {
    before_ = memory;
    return (direction == kEncrypt ? warpaes_encrypt_device : warpaes_decrypt_device)(cipher, arguments,
                                                                                     nullptr, 0, nullptr);
  }
  void expect_untouched() const { EXPECT_EQ(memory, before_); }

  void place(size_t input_at, size_t output_at) {
    message.input = memory.data() + input_at;
    message.output = memory.data() + output_at;
  }
  void output_length_at(size_t at) {
    message.output_length = reinterpret_cast<uint64_t*>(memory.data() + at);
  }
  void length(uint64_t bytes) {
    message.length = bytes;
    if (row.has_output()) message.output_capacity = kMax64;
  }

  static constexpr size_t kOutput = 128, kTag = 256, kAad = 304, kNonce = 352;
  const ModeRow& row;
  const warpaes_cipher* cipher;
  warpaes_direction direction;
  Bytes memory = Bytes(400, kUntouched);
  uint64_t output_length = 77;
  int32_t status = 0;
  warpaes_bytes string = {memory.data(), 4};
  std::vector<warpaes_bytes> strings = std::vector<warpaes_bytes>(127, string);
  warpaes_message message;
  const warpaes_message* arguments = &message;

 private:
  MessageMemory made_;
  Bytes before_ = memory;
};

/// A row, and the modes and directions that it is for.
struct Row {
  MisuseRow<Call> misuse;
  bool (*is_for)(const ModeRow& row, warpaes_direction direction);
};

constexpr auto kNull = WARPAES_ERROR_NULL_POINTER, kLength = WARPAES_ERROR_LENGTH,
               kNonceLength = WARPAES_ERROR_NONCE_LENGTH, kOverlap = WARPAES_ERROR_OVERLAP,
               kOption = WARPAES_ERROR_OPTION;

bool unpadding(const ModeRow& row, warpaes_direction direction) {
  return row.unpads() && direction == kDecrypt;
}
bool making_tags(const ModeRow& row, warpaes_direction direction) {
  return row.has_tag() && direction == kEncrypt;
}
template <warpaes_mode Mode>
bool only(const ModeRow& row, warpaes_direction) {
  return row.mode == Mode;
}
template <warpaes_mode Mode>
bool all_but(const ModeRow& row, warpaes_direction) {
  return row.mode != Mode;
}

const Row kRows[] = {
    {{"no cipher", kNull, &Call::run, [](Call& c) { c.cipher = nullptr; }}, all},
    {{"no message", kNull, &Call::run, [](Call& c) { c.arguments = nullptr; }}, all},
    {{"no input", kNull, &Call::run, [](Call& c) { c.message.input = nullptr; }}, all},
    {{"no output", kNull, &Call::run, [](Call& c) { c.message.output = nullptr; }}, with_output},
    {{"no nonce", kNull, &Call::run, [](Call& c) { c.message.nonce = nullptr; }}, needing_nonce},
    {{"a nonce of SIV that is null", kNull, &Call::run, [](Call& c) { c.message.nonce_length = 12; }},
     only<WARPAES_MODE_SIV>},
    {{"a nonce of SIV without a length", kOption, &Call::run,
      [](Call& c) { c.message.nonce = c.memory.data() + Call::kNonce; }, "message->nonce_length is 0"},
     only<WARPAES_MODE_SIV>},
    {{"no tag", kNull, &Call::run, [](Call& c) { c.message.tag = nullptr; }}, with_tag},
    {{"no additional data", kNull, &Call::run, [](Call& c) { c.message.aad = nullptr; }}, with_aad},
    {{"no place for the length", kNull, &Call::run, [](Call& c) { c.message.output_length = nullptr; }},
     unpadding},

    {{"an empty nonce", kNonceLength, &Call::run, [](Call& c) { c.message.nonce_length = 0; }, "nonce"},
     needing_nonce},
    {{"too short a nonce", kNonceLength, &Call::run,
      [](Call& c) { c.message.nonce_length = c.row.shortest_nonce - 1; }},
     [](const ModeRow& row, warpaes_direction) { return row.shortest_nonce > 1; }},
    {{"too long a nonce", kNonceLength, &Call::run,
      [](Call& c) { c.message.nonce_length = c.row.longest_nonce + 1; }},
     [](const ModeRow& row, warpaes_direction) { return row.has_nonce() && row.longest_nonce < 100; }},

    {{"part of a block, or of a semiblock", kLength, &Call::run, [](Call& c) { c.message.length--; }},
     in_units},
    {{"less than a block", kLength, &Call::run, [](Call& c) { c.message.length = 15; }}, of_16_or_more},
    {{"the longest number", kLength, &Call::run, [](Call& c) { c.length(kMax64); }}, all},
    {{"to beyond the address space", kLength, &Call::run, [](Call& c) { c.length(kMax64 - 31); }}, all},
    {{"a byte too long", kLength, &Call::run,
      [](Call& c) {
        if (c.row.has_output()) c.place(0, 0);
        c.length(c.row.longest + 1);
      }},
     [](const ModeRow& row, warpaes_direction direction) {
       return row.longest < kMax64 && !(row.wraps_keys() && direction == kDecrypt);
     }},
    {{"2^54 semiblocks", kLength, &Call::run,
      [](Call& c) { c.length((uint64_t{1} << 57) + (c.direction == kEncrypt ? 0 : 8)); }},
     only<WARPAES_MODE_KW>},
    {{"nothing to wrap", kLength, &Call::run, [](Call& c) { c.message.length = 0; }},
     [](const ModeRow& row, warpaes_direction) { return row.wraps_keys(); }},
    {{"8 bytes to wrap or unwrap", kLength, &Call::run, [](Call& c) { c.message.length = 8; }},
     [](const ModeRow& row, warpaes_direction direction) {
       return row.mode == WARPAES_MODE_KW || (row.wraps_keys() && direction == kDecrypt);
     }},
    {{"16 bytes to unwrap", kLength, &Call::run, [](Call& c) { c.message.length = 16; }},
     [](const ModeRow& row, warpaes_direction direction) {
       return row.mode == WARPAES_MODE_KW && direction == kDecrypt;
     }},
    {{"no padding at all", kLength, &Call::run, [](Call& c) { c.message.length = 0; }},
     [](const ModeRow& row, warpaes_direction direction) {
       return row.has_pkcs7() && direction == kDecrypt;
     }},
    {{"2^16 bytes with a nonce of 13", kLength, &Call::run,
      [](Call& c) {
        c.message.nonce_length = 13;
        c.length(65'536);
      }},
     only<WARPAES_MODE_CCM>},
    {{"2^32 bytes with a nonce of 11", kLength, &Call::run,
      [](Call& c) {
        c.message.nonce_length = 11;
        c.length(uint64_t{1} << 32);
      }},
     only<WARPAES_MODE_CCM>},
    {{"too much additional data", kLength, &Call::run,
      [](Call& c) { c.message.aad_length = c.row.longest_aad + 1; }},
     [](const ModeRow& row, warpaes_direction) { return row.has_aad() && row.longest_aad < kMax64; }},
    {{"additional data to beyond the address space", kLength, &Call::run,
      [](Call& c) { c.message.aad_length = kMax64 - 15; }},
     with_aad},

    {{"a byte too little room", WARPAES_ERROR_BUFFER_SIZE, &Call::run,
      [](Call& c) { c.message.output_capacity--; }},
     with_output},
    {{"no room", WARPAES_ERROR_BUFFER_SIZE, &Call::run, [](Call& c) { c.message.output_capacity = 0; }},
     with_output},

    {{"output a byte behind the input", kOverlap, &Call::run, [](Call& c) { c.place(0, 1); }}, with_output},
    {{"output a byte before the input", kOverlap, &Call::run, [](Call& c) { c.place(1, 0); }}, with_output},
    {{"output a block behind the input", kOverlap, &Call::run, [](Call& c) { c.place(0, 16); }}, with_output},
    {{"one byte of overlap", kOverlap, &Call::run, [](Call& c) { c.place(0, c.message.length - 1); }},
     with_output},
    {{"only the last byte that is written overlaps", kOverlap, &Call::run,
      [](Call& c) { c.place(c.message.output_capacity - 1, 0); }},
     with_output},
    {{"tag inside the output", kOverlap, &Call::run,
      [](Call& c) { c.message.tag = c.memory.data() + Call::kOutput + 60; }},
     [](const ModeRow& row, warpaes_direction) { return row.has_tag() && row.has_output(); }},
    {{"tag inside the input", kOverlap, &Call::run, [](Call& c) { c.message.tag = c.memory.data() + 8; }},
     making_tags},
    {{"additional data inside the output", kOverlap, &Call::run,
      [](Call& c) { c.message.aad = c.memory.data() + Call::kOutput; }},
     with_aad},
    {{"nonce inside the output", kOverlap, &Call::run,
      [](Call& c) { c.message.nonce = c.memory.data() + Call::kOutput + 3; }},
     [](const ModeRow& row, warpaes_direction) { return row.needs_nonce() && row.has_output(); }},
    {{"output length inside the input", kOverlap, &Call::run, [](Call& c) { c.output_length_at(0); }}, all},
    {{"output length inside the output", kOverlap, &Call::run,
      [](Call& c) { c.output_length_at(Call::kOutput); }},
     with_output},
    {{"output length that begins before the output", kOverlap, &Call::run,
      [](Call& c) {
        c.message.output = c.memory.data() + Call::kOutput + 4;
        c.output_length_at(Call::kOutput);
      }},
     with_output},
    {{"output length inside the tag", kOverlap, &Call::run, [](Call& c) { c.output_length_at(Call::kTag); }},
     with_tag},
    {{"output length inside the additional data", kOverlap, &Call::run,
      [](Call& c) { c.output_length_at(Call::kAad); }},
     with_aad},
    {{"output length inside the nonce", kOverlap, &Call::run,
      [](Call& c) { c.output_length_at(Call::kNonce); }},
     needing_nonce},
    {{"output length inside the output of a message that is refused for another reason", kOption, &Call::run,
      [](Call& c) {
        c.output_length_at(Call::kOutput);
        c.message.reserved = 1;
      }},
     with_output},
    {{"output length inside a string", kOverlap, &Call::run,
      [](Call& c) {
        c.message.aad = nullptr;
        c.message.aad_length = 0;
        c.strings[1] = {c.memory.data() + Call::kAad, 4};
        c.message.strings = c.strings.data();
        c.message.string_count = 2;
        c.output_length_at(Call::kAad);
      }},
     only<WARPAES_MODE_SIV>},

    {{"a nonce for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.nonce = c.memory.data() + Call::kNonce; }},
     without_nonce},
    {{"a nonce's length for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.nonce_length = 16; }},
     without_nonce},
    {{"a tag for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.tag = c.memory.data() + Call::kTag; }},
     without_tag},
    {{"a tag's length for a mode without", kOption, &Call::run, [](Call& c) { c.message.tag_length = 16; }},
     without_tag},
    {{"additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.aad = c.memory.data() + Call::kAad; }},
     without_aad},
    {{"length of additional data for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.aad_length = 1; }},
     without_aad},
    {{"output for a mode without", kOption, &Call::run,
      [](Call& c) { c.message.output = c.memory.data() + Call::kOutput; }},
     without_output},
    {{"associated strings", kOption, &Call::run, [](Call& c) { c.message.strings = &c.string; }},
     all_but<WARPAES_MODE_SIV>},
    {{"a number of associated strings", kOption, &Call::run, [](Call& c) { c.message.string_count = 1; }},
     all_but<WARPAES_MODE_SIV>},
    {{"data units", kOption, &Call::run, [](Call& c) { c.message.data_unit = 16; }},
     all_but<WARPAES_MODE_XTS>},
    {{"unused bits", kOption, &Call::run, [](Call& c) { c.message.unused_bits = 1; }},
     all_but<WARPAES_MODE_CFB1>},
    {{"reserved", kOption, &Call::run, [](Call& c) { c.message.reserved = 1; }}, all},
    {{"a status in host memory", kOption, &Call::run, [](Call& c) { c.message.status = &c.status; }}, all},
    {{"a size of 0", kOption, &Call::run, [](Call& c) { c.message.size = 0; }}, all},

    {{"8 unused bits", kOption, &Call::run, [](Call& c) { c.message.unused_bits = 8; }},
     only<WARPAES_MODE_CFB1>},
    {{"data units of 15 bytes", kLength, &Call::run, [](Call& c) { c.message.data_unit = 15; }},
     only<WARPAES_MODE_XTS>},
    {{"data units of 2^24 bytes and one", kLength, &Call::run,
      [](Call& c) { c.message.data_unit = (1 << 24) + 1; }},
     only<WARPAES_MODE_XTS>},
    {{"a last data unit of 15 bytes", kLength, &Call::run,
      [](Call& c) {
        c.message.data_unit = 32;
        c.message.length = 47;
      }},
     only<WARPAES_MODE_XTS>},
    {{"strings beside additional data", kOption, &Call::run,
      [](Call& c) {
        c.message.strings = c.strings.data();
        c.message.string_count = 2;
      }},
     only<WARPAES_MODE_SIV>},
    {{"127 strings", kLength, &Call::run,
      [](Call& c) {
        c.message.aad = nullptr;
        c.message.aad_length = 0;
        c.message.strings = c.strings.data();
        c.message.string_count = 127;
      }},
     only<WARPAES_MODE_SIV>},
    {{"126 strings and a nonce", kLength, &Call::run,
      [](Call& c) {
        c.message.aad = nullptr;
        c.message.aad_length = 0;
        c.message.nonce = c.memory.data() + Call::kNonce;
        c.message.nonce_length = 12;
        c.message.strings = c.strings.data();
        c.message.string_count = 126;
      }},
     only<WARPAES_MODE_SIV>},
    {{"a number of strings without them", kNull, &Call::run,
      [](Call& c) {
        c.message.aad = nullptr;
        c.message.aad_length = 0;
        c.message.string_count = 2;
      }},
     only<WARPAES_MODE_SIV>},
    {{"a string that is null", kNull, &Call::run,
      [](Call& c) {
        c.message.aad = nullptr;
        c.message.aad_length = 0;
        c.strings[1].data = nullptr;
        c.message.strings = c.strings.data();
        c.message.string_count = 2;
      }},
     only<WARPAES_MODE_SIV>},

    {{"device memory without a GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::device, [](Call&) {},
      "GPU engine"},
     all},
    {{"device memory without a cipher", kNull, &Call::device, [](Call& c) { c.cipher = nullptr; }}, all},
    {{"device memory without a message", kNull, &Call::device, [](Call& c) { c.arguments = nullptr; }}, all},
};

class MessageMisuse : public ::testing::Test {
 protected:
  /// @param check (row, cipher, direction)
  void for_each_mode(const auto& check) {
    for (const ModeRow& row : mode_rows()) {
      const TestCipher cipher(context_, row.mode, row.example(1).key);
      for (const warpaes_direction direction : {kEncrypt, kDecrypt}) {
        SCOPED_TRACE(row.name + std::string(direction == kEncrypt ? ", encrypt" : ", decrypt"));
        check(row, cipher.get(), direction);
      }
    }
  }

  const TestContext context_{"openssl"};
};

TEST_F(MessageMisuse, EachRowIsRefusedByItsModesAndTouchesNothing) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, warpaes_direction direction) {
    for (const Row& row : kRows) {
      if (!row.is_for(mode, direction)) continue;
      Call call(mode, cipher, direction);
      expect_refused(call, row.misuse);
      EXPECT_TRUE(call.output_length == 77 || call.output_length == 0) << call.output_length;
    }
  });
}

/// What the rows spoil is right to begin with: or the table would prove nothing.
TEST_F(MessageMisuse, WithoutACipherThereIsNoLengthEither) {
  auto message = sized<warpaes_message>();
  for (const auto call : {warpaes_encrypt, warpaes_decrypt}) {
    uint64_t length = 77;
    message.output_length = &length;
    EXPECT_EQ(call(nullptr, &message), kNull);
    EXPECT_EQ(length, 0u);
  }
}

TEST_F(MessageMisuse, TheUnspoiltCallsWork) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, warpaes_direction direction) {
    Call call(mode, cipher, direction);
    const Bytes before = call.memory;
    EXPECT_EQ(call.run(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(call.memory == before, direction == kDecrypt && !mode.has_output());
  });
}

/// Every length of tag, and every direction, that the mode does not have.
TEST_F(MessageMisuse, TagsOfOtherLengthsAreRefused) {
  for_each_mode([](const ModeRow& mode, const warpaes_cipher* cipher, warpaes_direction direction) {
    for (size_t length = 1; mode.has_tag() && length <= 40; length++) {
      if (length < 32 && (mode.tag_lengths >> length & 1)) continue;
      Call call(mode, cipher, direction);
      call.message.tag_length = length;
      EXPECT_EQ(call.run(), WARPAES_ERROR_TAG_LENGTH) << length;
      call.expect_untouched();
    }
  });
}

TEST_F(MessageMisuse, WorkspacesNeedAGpuEngine) {
  for_each_mode([](const ModeRow&, const warpaes_cipher* cipher, warpaes_direction direction) {
    size_t size = 7;
    EXPECT_EQ(warpaes_workspace_size(cipher, direction, 1, 16, &size), WARPAES_ERROR_UNSUPPORTED);
    EXPECT_EQ(warpaes_workspace_size(cipher, direction, 1, 16, nullptr), WARPAES_ERROR_NULL_POINTER);
    EXPECT_EQ(warpaes_workspace_size(nullptr, direction, 1, 16, &size), WARPAES_ERROR_NULL_POINTER);
  });
}

}  // namespace
}  // namespace warpaes::core::testing
