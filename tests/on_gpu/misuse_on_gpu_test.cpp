// A table of wrong places, lengths and strides on a GPU. Each must give a clear status before any launch, and
// nothing may be written.
#include <algorithm>

#include "refused_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kBytes = 4096, kMax64 = ~uint64_t{0};

/// What a row's call is: of one message, or of four as a batch.
struct Kind {
  warpaes_mode mode;
  warpaes_direction direction;
  bool is_batch;
};
constexpr Kind kEcb = {WARPAES_MODE_ECB, WARPAES_DIRECTION_ENCRYPT, false},
               kEcbOpen = {WARPAES_MODE_ECB, WARPAES_DIRECTION_DECRYPT, false},
               kCtr = {WARPAES_MODE_CTR, WARPAES_DIRECTION_ENCRYPT, false},
               kGcm = {WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT, false},
               kGcmOpen = {WARPAES_MODE_GCM, WARPAES_DIRECTION_DECRYPT, false},
               kCmac = {WARPAES_MODE_CMAC, WARPAES_DIRECTION_ENCRYPT, false},
               kCmacCheck = {WARPAES_MODE_CMAC, WARPAES_DIRECTION_DECRYPT, false},
               kCmacCheckBatch = {WARPAES_MODE_CMAC, WARPAES_DIRECTION_DECRYPT, true},
               kSiv = {WARPAES_MODE_SIV, WARPAES_DIRECTION_ENCRYPT, false},
               kPkcs7Open = {WARPAES_MODE_CBC_PKCS7, WARPAES_DIRECTION_DECRYPT, false},
               kGcmBatch = {WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT, true},
               kGcmBatchOpen = {WARPAES_MODE_GCM, WARPAES_DIRECTION_DECRYPT, true},
               kEaxBatch = {WARPAES_MODE_EAX, WARPAES_DIRECTION_ENCRYPT, true},
               kSivBatch = {WARPAES_MODE_SIV, WARPAES_DIRECTION_ENCRYPT, true};

/// Right until a row spoils it.
struct Call {
  const Kind kind;
  const TestCipher cipher;
  const DeviceBytes memory{16 * kBytes};
  const DeviceBytes scratch;
  Bytes host = Bytes(kBytes, kUntouched), nonce = Bytes(16, 0);
  uint8_t* pinned = nullptr;
  std::vector<warpaes_bytes> strings{3, {memory.data() + 5 * kBytes, 20}};  // of SIV
  uint8_t* const output = memory.data() + kBytes;
  uint8_t* const tag = memory.data() + 2 * kBytes;
  uint8_t* const status = memory.data() + 2 * kBytes + 256;
  warpaes_message message = sized<warpaes_message>();
  warpaes_batch batch = sized<warpaes_batch>();
  uint8_t* workspace = scratch.data();
  size_t workspace_size = scratch.size();

  Call(const TestContext& context, const Kind& of)
      : kind(of),
        cipher(context, of.mode, Bytes(key_lengths_of(listed(of.mode)).front(), 1)),
        scratch(std::max<size_t>(testing::workspace_size(cipher.get(), of.direction, 4, kBytes), 4096)) {
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), kBytes), cudaSuccess);
    set_message();
    batch.count = 4;
    batch.length = batch.input.stride = batch.output.stride = 64;
    batch.input.data = memory.data();
    const warpaes_mode_info& info = listed(of.mode).info;
    if (info.has_output != 0) batch.output.data = output;
    if (info.longest_nonce != 0) batch.nonces = {memory.data() + 3 * kBytes, 12, nullptr};
    batch.nonce_length = info.longest_nonce != 0 ? 12 : 0;
    batch.tags = {tag, 16, nullptr};
    batch.statuses = reinterpret_cast<int32_t*>(status);
  }
  ~Call() { cudaFreeHost(pinned); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void set_message() {
    const warpaes_mode_info& info = listed(kind.mode).info;
    const bool judges = kind.direction == WARPAES_DIRECTION_DECRYPT && listed(kind.mode).can_refuse();
    message.input = memory.data();
    set_length(kBytes);
    if (info.has_output != 0) message.output = output;
    if (info.recommended_nonce != 0) {
      message.nonce = nonce.data();
      message.nonce_length = info.recommended_nonce;
    }
    if (info.tag_lengths != 0) message.tag = tag;
    if (kind.mode == WARPAES_MODE_SIV) {
      message.strings = strings.data();
      message.string_count = strings.size();
    }
    if (judges) message.status = reinterpret_cast<int32_t*>(status);
    if (judges && info.tag_lengths == 0) message.output_length = reinterpret_cast<uint64_t*>(status + 64);
  }
  void set_length(uint64_t length) {
    message.length = length;
    if (listed(kind.mode).info.has_output != 0) message.output_capacity = length;
  }

  warpaes_status run() const {
    const bool encrypts = kind.direction == WARPAES_DIRECTION_ENCRYPT;
    if (kind.is_batch) {
      const auto call = encrypts ? warpaes_encrypt_batch_device : warpaes_decrypt_batch_device;
      return call(cipher.get(), &batch, workspace, workspace_size, nullptr);
    }
    const auto call = encrypts ? warpaes_encrypt_device : warpaes_decrypt_device;
    return call(cipher.get(), &message, workspace, workspace_size, nullptr);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  Kind kind;
  void (*spoil)(Call& c);
};

/// Its address is looked at, and not its end.
void nonces_of_4_gib(Call& c) {
  c.batch.count = 1;
  c.batch.nonce_length = uint64_t{1} << 32;
}

const Row kRows[] = {
    {"ECB from host memory", WARPAES_ERROR_MEMORY_SPACE, kEcb,
     [](Call& c) { c.message.input = c.host.data(); }},
    {"ECB to host memory", WARPAES_ERROR_MEMORY_SPACE, kEcbOpen,
     [](Call& c) { c.message.output = c.host.data(); }},
    {"ECB from pinned memory", WARPAES_ERROR_MEMORY_SPACE, kEcb, [](Call& c) { c.message.input = c.pinned; }},
    {"ECB, overlap", WARPAES_ERROR_OVERLAP, kEcb, [](Call& c) { c.message.output = c.memory.data() + 16; }},
    {"ECB, part of a block", WARPAES_ERROR_LENGTH, kEcbOpen, [](Call& c) { c.set_length(kBytes - 1); }},
    {"ECB, beyond the address space", WARPAES_ERROR_LENGTH, kEcb, [](Call& c) { c.set_length(kMax64 - 15); }},
    {"ECB from null", WARPAES_ERROR_NULL_POINTER, kEcb, [](Call& c) { c.message.input = nullptr; }},
    {"ECB, too little room", WARPAES_ERROR_BUFFER_SIZE, kEcb, [](Call& c) { c.message.output_capacity--; }},
    {"ECB with a nonce", WARPAES_ERROR_OPTION, kEcb,
     [](Call& c) { c.message.nonce = c.nonce.data(), c.message.nonce_length = 16; }},
    {"ECB with a status", WARPAES_ERROR_OPTION, kEcbOpen,
     [](Call& c) { c.message.status = reinterpret_cast<int32_t*>(c.status); }},
    {"CTR to pinned memory", WARPAES_ERROR_MEMORY_SPACE, kCtr, [](Call& c) { c.message.output = c.pinned; }},
    {"CTR, overlap of one byte", WARPAES_ERROR_OVERLAP, kCtr,
     [](Call& c) { c.message.output = c.memory.data() + kBytes - 1; }},
    {"CTR, beyond the address space", WARPAES_ERROR_LENGTH, kCtr, [](Call& c) { c.set_length(kMax64); }},
    {"CTR, no nonce", WARPAES_ERROR_NULL_POINTER, kCtr, [](Call& c) { c.message.nonce = nullptr; }},
    {"CTR, asked for the length of its output", WARPAES_ERROR_OPTION, kCtr,
     [](Call& c) { c.message.output_length = reinterpret_cast<uint64_t*>(c.status); }},
    {"PKCS#7, a length of the output in host memory", WARPAES_ERROR_MEMORY_SPACE, kPkcs7Open,
     [](Call& c) { c.message.output_length = reinterpret_cast<uint64_t*>(c.host.data()); }},
    {"GCM, tag in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcm,
     [](Call& c) { c.message.tag = c.host.data(); }},
    {"GCM, workspace in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcm,
     [](Call& c) { c.workspace = c.pinned; }},
    {"GCM, no workspace", WARPAES_ERROR_WORKSPACE, kGcm, [](Call& c) { c.workspace = nullptr; }},
    {"GCM, workspace a byte too small", WARPAES_ERROR_WORKSPACE, kGcm,
     [](Call& c) {
       c.workspace_size = workspace_size(c.cipher.get(), WARPAES_DIRECTION_ENCRYPT, 1, kBytes) - 1;
     }},
    {"GCM, workspace 8-byte aligned", WARPAES_ERROR_WORKSPACE, kGcmOpen, [](Call& c) { c.workspace += 8; }},
    {"GCM, output inside the workspace", WARPAES_ERROR_OVERLAP, kGcm,
     [](Call& c) { c.workspace = c.output - 16; }},
    {"GCM, tag inside the output", WARPAES_ERROR_OVERLAP, kGcm,
     [](Call& c) { c.message.tag = c.output + kBytes - 1; }},
    {"GCM, status inside the tag", WARPAES_ERROR_OVERLAP, kGcmOpen,
     [](Call& c) { c.message.status = reinterpret_cast<int32_t*>(c.tag + 12); }},
    {"GCM, status not aligned", WARPAES_ERROR_OPTION, kGcmOpen,
     [](Call& c) { c.message.status = reinterpret_cast<int32_t*>(c.status + 1); }},
    {"GCM, decryption without a status", WARPAES_ERROR_NULL_POINTER, kGcmOpen,
     [](Call& c) { c.message.status = nullptr; }},
    {"GCM, additional data in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcm,
     [](Call& c) { c.message.aad = c.host.data(), c.message.aad_length = 5; }},
    {"GCM, a byte too long", WARPAES_ERROR_LENGTH, kGcm,
     [](Call& c) { c.set_length((uint64_t{1} << 36) - 31); }},
    {"CMAC from host memory", WARPAES_ERROR_MEMORY_SPACE, kCmac,
     [](Call& c) { c.message.input = c.host.data(); }},
    {"CMAC with an output", WARPAES_ERROR_OPTION, kCmac,
     [](Call& c) { c.message.output = c.output, c.message.output_capacity = kBytes; }},
    {"CMAC, a tag in host memory to be checked", WARPAES_ERROR_MEMORY_SPACE, kCmacCheck,
     [](Call& c) { c.message.tag = c.host.data(); }},
    {"CMAC, checked without a status", WARPAES_ERROR_NULL_POINTER, kCmacCheck,
     [](Call& c) { c.message.status = nullptr; }},
    {"CMAC, status inside the tag", WARPAES_ERROR_OVERLAP, kCmacCheck,
     [](Call& c) { c.message.status = reinterpret_cast<int32_t*>(c.tag + 12); }},
    {"CMAC batch, checked without statuses", WARPAES_ERROR_NULL_POINTER, kCmacCheckBatch,
     [](Call& c) { c.batch.statuses = nullptr; }},
    {"SIV, a string in host memory", WARPAES_ERROR_MEMORY_SPACE, kSiv,
     [](Call& c) { c.strings[2].data = c.host.data(); }},
    {"SIV, a string that is nowhere", WARPAES_ERROR_NULL_POINTER, kSiv,
     [](Call& c) { c.strings[1].data = nullptr; }},
    {"SIV, a string in the output", WARPAES_ERROR_OVERLAP, kSiv,
     [](Call& c) { c.strings[1].data = c.output; }},
    {"SIV, a string in the workspace", WARPAES_ERROR_OVERLAP, kSiv,
     [](Call& c) { c.strings[0].data = c.workspace + 300; }},
    {"SIV, strings without a workspace", WARPAES_ERROR_WORKSPACE, kSiv,
     [](Call& c) { c.workspace = nullptr; }},
    {"SIV, strings in a workspace a byte too small", WARPAES_ERROR_WORKSPACE, kSiv,
     [](Call& c) {
       c.workspace_size = workspace_size(c.cipher.get(), WARPAES_DIRECTION_ENCRYPT, 1, kBytes) - 1;
     }},
    {"PKCS#7, padding taken off without a length", WARPAES_ERROR_NULL_POINTER, kPkcs7Open,
     [](Call& c) { c.message.output_length = nullptr; }},
    {"EAX batch, nonces of 2^32 bytes", WARPAES_ERROR_UNSUPPORTED, kEaxBatch, nonces_of_4_gib},
    {"SIV batch, nonces of 2^32 bytes", WARPAES_ERROR_UNSUPPORTED, kSivBatch, nonces_of_4_gib},
    {"batch from host memory", WARPAES_ERROR_MEMORY_SPACE, kGcmBatch,
     [](Call& c) { c.batch.input.data = c.host.data(); }},
    {"batch, nonces in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcmBatch,
     [](Call& c) { c.batch.nonces.data = c.host.data(); }},
    {"batch, an array of nonces in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcmBatch,
     [](Call& c) { c.batch.nonces = {nullptr, 0, reinterpret_cast<const void* const*>(c.host.data())}; }},
    {"batch, lengths in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcmBatch,
     [](Call& c) { c.batch.lengths = reinterpret_cast<const uint64_t*>(c.host.data()); }},
    {"batch, statuses in host memory", WARPAES_ERROR_MEMORY_SPACE, kGcmBatch,
     [](Call& c) { c.batch.statuses = reinterpret_cast<int32_t*>(c.host.data()); }},
    {"batch with arrays and without statuses", WARPAES_ERROR_NULL_POINTER, kGcmBatch,
     [](Call& c) {
       c.batch.lengths = reinterpret_cast<const uint64_t*>(c.memory.data() + 4 * kBytes);
       c.batch.statuses = nullptr;
     }},
    {"batch, decrypted without statuses", WARPAES_ERROR_NULL_POINTER, kGcmBatchOpen,
     [](Call& c) { c.batch.statuses = nullptr; }},
    {"batch, an array and a base", WARPAES_ERROR_OPTION, kGcmBatch,
     [](Call& c) {
       c.batch.input.pointers = reinterpret_cast<const void* const*>(c.memory.data() + 4 * kBytes);
     }},
    {"batch, a key for each message besides the cipher's", WARPAES_ERROR_OPTION, kGcmBatch,
     [](Call& c) { c.batch.keys = {c.memory.data() + 4 * kBytes, 16, nullptr}, c.batch.key_length = 16; }},
    {"batch, strides overflow", WARPAES_ERROR_LENGTH, kGcmBatch,
     [](Call& c) { c.batch.input.stride = kMax64 / 3; }},
    {"batch, more messages than addresses", WARPAES_ERROR_LENGTH, kGcmBatch,
     [](Call& c) { c.batch.count = uint64_t{1} << 60; }},
    {"batch, short stride", WARPAES_ERROR_STRIDE, kGcmBatch, [](Call& c) { c.batch.output.stride = 63; }},
    {"batch, no workspace", WARPAES_ERROR_WORKSPACE, kGcmBatch, [](Call& c) { c.workspace = nullptr; }},
    {"batch of a structure that nobody filled in", WARPAES_ERROR_OPTION, kGcmBatch,
     [](Call& c) { c.batch.size = 0; }},
};

TEST(MisuseOnGpu, EachRowIsRefusedAndTouchesNothing) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call call(context, row.kind);
    row.spoil(call);
    EXPECT_STREQ(warpaes_status_name(call.run()), warpaes_status_name(row.expected)) << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the GPU is lost";
    EXPECT_EQ(call.memory.read(call.memory.size()), Bytes(call.memory.size(), kUntouched));
    EXPECT_EQ(call.scratch.read(call.scratch.size()), Bytes(call.scratch.size(), kUntouched));
    EXPECT_EQ(call.host, Bytes(kBytes, kUntouched));
  }
}

/// What the rows spoil is right to begin with.
TEST(MisuseOnGpu, TheUnspoiltCallsWork) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    const Call call(context, row.kind);
    EXPECT_EQ(call.run(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
}

template <class Item>
Bytes bytes_of(const std::vector<Item>& items) {
  const auto* const begin = reinterpret_cast<const uint8_t*>(items.data());
  return {begin, begin + items.size() * sizeof(Item)};
}

/// A length near 2^64 is that message's fault, also where padding it would wrap round, and all others are
/// done.
TEST(MisuseOnGpu, LengthsThatCannotBePaddedAreRefusedOneByOne) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  const TestCipher cipher(context, WARPAES_MODE_CBC_PKCS7, Bytes(16, 1));
  constexpr size_t kCount = 3, kRoom = 32;
  const DeviceBytes text(2 * kCount * kRoom), iv(16), arrays(256);
  std::vector<const uint8_t*> places;
  for (size_t i = 0; i < 2 * kCount; i++) places.push_back(text.data() + i * kRoom);
  Bytes image = bytes_of(places);
  for (const Bytes& more : {bytes_of<uint64_t>({kMax64 - 7, 20, kMax64}), Bytes(256)}) {
    image.insert(image.end(), more.begin(), more.end());
  }
  image.resize(arrays.size());
  arrays.write(image);
  const auto* const pointers = reinterpret_cast<const void* const*>(arrays.data());
  constexpr size_t kLengthsAt = 2 * kCount * sizeof(void*), kStatusesAt = 128;
  auto batch = sized<warpaes_batch>();
  batch.count = kCount;
  batch.length = kMax64;
  batch.lengths = reinterpret_cast<const uint64_t*>(arrays.data() + kLengthsAt);
  batch.input.pointers = pointers;
  batch.output.pointers = const_cast<void* const*>(pointers + kCount);
  batch.nonces.data = iv.data();
  batch.statuses = reinterpret_cast<int32_t*>(arrays.data() + kStatusesAt);
  ASSERT_EQ(warpaes_encrypt_batch_device(cipher.get(), &batch, nullptr, 0, nullptr), WARPAES_OK)
      << warpaes_last_error();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(arrays.read(kCount * sizeof(int32_t), kStatusesAt),
            bytes_of<int32_t>({WARPAES_ERROR_LENGTH, WARPAES_OK, WARPAES_ERROR_LENGTH}));
}

TEST(MisuseOnGpu, NothingToDoNeedsNoMemory) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  for (const Kind& kind : {kEcb, kEcbOpen, kCtr, kGcm}) {
    Call call(context, kind);
    call.message.input = call.message.output = nullptr;
    call.set_length(0);
    EXPECT_EQ(call.run(), WARPAES_OK) << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    if (kind.mode != WARPAES_MODE_GCM) continue;
    const Bytes tag_of_nothing = call.memory.read(16, 2 * kBytes);
    EXPECT_NE(tag_of_nothing, Bytes(16, kUntouched));
    Call open(context, kGcmOpen);
    open.memory.write(call.memory.read());
    open.message.input = open.message.output = nullptr;
    open.set_length(0);
    EXPECT_EQ(open.run(), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(open.memory.read(4, 2 * kBytes + 256), Bytes(4, 0));
  }
}

/// Every call of the table, with all of its memory on the host or its output a byte behind its input.
TEST(MisuseOnGpu, EveryModeRefusesHostMemoryAndOverlap) {
  if (gpus() == 0) GTEST_SKIP() << "no GPU";
  const TestContext context("cuda");
  for (const DeviceCall& call : calls_for_recommended_lengths()) {
    SCOPED_TRACE(call.name());
    const ModeMessage message = message_of(*call.mode, {.length = 96});
    const TestCipher cipher(context, call.mode->mode, message.key);
    const MessageImage image(message, call.direction, {.on_device = true});
    const DeviceBytes workspace(workspace_size(cipher.get(), call.direction, 1, 200)),
        memory(image.before().size());
    Bytes host = image.before();
    const MessageCall on_host = image.arguments(host.data());
    EXPECT_EQ(call.run(cipher.get(), on_host.message, workspace, nullptr), WARPAES_ERROR_MEMORY_SPACE)
        << warpaes_last_error();
    EXPECT_TRUE(host == image.before());
    if (call.mode->info.has_output == 0) continue;
    memory.write(image.before());
    MessageCall overlapping = image.arguments(memory.data());
    overlapping.message.input = static_cast<uint8_t*>(overlapping.message.output) + 1;
    EXPECT_EQ(call.run(cipher.get(), overlapping.message, workspace, nullptr), WARPAES_ERROR_OVERLAP)
        << warpaes_last_error();
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the GPU is lost";
    EXPECT_TRUE(memory.read() == image.before());
  }
}

}  // namespace
}  // namespace warpaes::core::testing
