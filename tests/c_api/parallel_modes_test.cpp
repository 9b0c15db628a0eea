// XTS, CBC, CFB and OFB of one message through the C ABI: what a caller can do wrong, and on device memory
// against OpenSSL's EVP, in place, and inside a CUDA graph.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <optional>

#include "device/device.hpp"
#include "evp_reference.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kBytes = 64;
constexpr uint64_t kMax64 = ~uint64_t{0};
constexpr uint8_t kUntouched = 0x5a;

/// The arguments of all calls, right until a row spoils them.
struct Call {
  const warpaes_key* key;
  const warpaes_key* tweak_key;
  const warpaes_key* equal_key;
  const warpaes_key* longer_key;
  const warpaes_key* foreign_key;
  Bytes memory = Bytes(3 * kBytes, kUntouched), vector = Bytes(16, 1);
  const void* input = memory.data();
  void* output = memory.data() + kBytes;
  uint64_t bytes = kBytes, unit = 32;
  const uint8_t* iv = vector.data();
  size_t workspace_bytes = 0;
  size_t* workspace_bytes_to = &workspace_bytes;

  void place(size_t input_at, size_t output_at) {
    input = memory.data() + input_at;
    output = memory.data() + output_at;
  }
  warpaes_status cbc() { return warpaes_cbc_encrypt(key, iv, input, output, bytes); }
  warpaes_status cbc_open() { return warpaes_cbc_decrypt(key, iv, input, output, bytes); }
  warpaes_status cfb() { return warpaes_cfb_encrypt(key, iv, input, output, bytes); }
  warpaes_status cfb_open() { return warpaes_cfb_decrypt(key, iv, input, output, bytes); }
  warpaes_status ofb() { return warpaes_ofb_crypt(key, iv, input, output, bytes); }
  warpaes_status xts() { return warpaes_xts_encrypt(key, tweak_key, iv, unit, input, output, bytes); }
  warpaes_status xts_open() { return warpaes_xts_decrypt(key, tweak_key, iv, unit, input, output, bytes); }
  warpaes_status cbc_device() {
    return warpaes_cbc_decrypt_device(key, iv, input, output, bytes, nullptr, 0, nullptr);
  }
  warpaes_status cfb_device() {
    return warpaes_cfb_decrypt_device(key, iv, input, output, bytes, nullptr, 0, nullptr);
  }
  warpaes_status xts_device() {
    return warpaes_xts_encrypt_device(key, tweak_key, iv, unit, input, output, bytes, nullptr);
  }
  warpaes_status xts_open_device() {
    return warpaes_xts_decrypt_device(key, tweak_key, iv, unit, input, output, bytes, nullptr);
  }
  warpaes_status workspace() {
    return warpaes_chained_decrypt_workspace_bytes(key, bytes, workspace_bytes_to);
  }
};

struct Row {
  const char* what;
  warpaes_status expected;
  warpaes_status (Call::*call)();
  void (*spoil)(Call& c);
};

const Row kRows[] = {
    {"CBC without a key", WARPAES_ERROR_NULL_POINTER, &Call::cbc, [](Call& c) { c.key = nullptr; }},
    {"CBC without a vector", WARPAES_ERROR_NULL_POINTER, &Call::cbc_open, [](Call& c) { c.iv = nullptr; }},
    {"CBC without input", WARPAES_ERROR_NULL_POINTER, &Call::cbc, [](Call& c) { c.input = nullptr; }},
    {"CBC without output", WARPAES_ERROR_NULL_POINTER, &Call::cbc_open, [](Call& c) { c.output = nullptr; }},
    {"CBC of part of a block", WARPAES_ERROR_LENGTH, &Call::cbc, [](Call& c) { c.bytes = 17; }},
    {"CBC decryption of part of a block", WARPAES_ERROR_LENGTH, &Call::cbc_open,
     [](Call& c) { c.bytes = 15; }},
    {"CBC, output a block behind the input", WARPAES_ERROR_OVERLAP, &Call::cbc,
     [](Call& c) { c.place(0, 16); }},
    {"CBC to beyond the address space", WARPAES_ERROR_LENGTH, &Call::cbc_open,
     [](Call& c) { c.bytes = kMax64 - 15; }},
    {"CFB without a vector", WARPAES_ERROR_NULL_POINTER, &Call::cfb, [](Call& c) { c.iv = nullptr; }},
    {"CFB without input", WARPAES_ERROR_NULL_POINTER, &Call::cfb_open, [](Call& c) { c.input = nullptr; }},
    {"CFB, overlap of one byte", WARPAES_ERROR_OVERLAP, &Call::cfb_open,
     [](Call& c) { c.place(0, kBytes - 1); }},
    {"CFB to beyond the address space", WARPAES_ERROR_LENGTH, &Call::cfb, [](Call& c) { c.bytes = kMax64; }},
    {"OFB without a key", WARPAES_ERROR_NULL_POINTER, &Call::ofb, [](Call& c) { c.key = nullptr; }},
    {"OFB without a vector", WARPAES_ERROR_NULL_POINTER, &Call::ofb, [](Call& c) { c.iv = nullptr; }},
    {"OFB, output a byte before the input", WARPAES_ERROR_OVERLAP, &Call::ofb,
     [](Call& c) { c.place(1, 0); }},

    {"XTS without a key", WARPAES_ERROR_NULL_POINTER, &Call::xts, [](Call& c) { c.key = nullptr; }},
    {"XTS without a tweak key", WARPAES_ERROR_NULL_POINTER, &Call::xts_open,
     [](Call& c) { c.tweak_key = nullptr; }},
    {"XTS without a tweak", WARPAES_ERROR_NULL_POINTER, &Call::xts, [](Call& c) { c.iv = nullptr; }},
    {"XTS without input", WARPAES_ERROR_NULL_POINTER, &Call::xts, [](Call& c) { c.input = nullptr; }},
    {"XTS without output", WARPAES_ERROR_NULL_POINTER, &Call::xts_open, [](Call& c) { c.output = nullptr; }},
    {"XTS with one key twice", WARPAES_ERROR_XTS_KEYS, &Call::xts, [](Call& c) { c.tweak_key = c.key; }},
    {"XTS with equal keys", WARPAES_ERROR_XTS_KEYS, &Call::xts_open,
     [](Call& c) { c.tweak_key = c.equal_key; }},
    {"XTS with keys of two sizes", WARPAES_ERROR_XTS_KEYS, &Call::xts,
     [](Call& c) { c.tweak_key = c.longer_key; }},
    {"XTS with keys of two contexts", WARPAES_ERROR_XTS_KEYS, &Call::xts,
     [](Call& c) { c.tweak_key = c.foreign_key; }},
    {"XTS, data units of 0 bytes", WARPAES_ERROR_LENGTH, &Call::xts, [](Call& c) { c.unit = 0; }},
    {"XTS, data units of 15 bytes", WARPAES_ERROR_LENGTH, &Call::xts_open, [](Call& c) { c.unit = 15; }},
    {"XTS, data units of 2^20 blocks and a byte", WARPAES_ERROR_LENGTH, &Call::xts,
     [](Call& c) { c.unit = (uint64_t{16} << 20) + 1; }},
    {"XTS of 15 bytes", WARPAES_ERROR_LENGTH, &Call::xts, [](Call& c) { c.bytes = 15; }},
    {"XTS, a last data unit of 15 bytes", WARPAES_ERROR_LENGTH, &Call::xts_open,
     [](Call& c) { c.bytes = 32 + 15; }},
    {"XTS, output a data unit behind the input", WARPAES_ERROR_OVERLAP, &Call::xts,
     [](Call& c) { c.place(0, 32); }},
    {"XTS to beyond the address space", WARPAES_ERROR_LENGTH, &Call::xts_open,
     [](Call& c) { c.bytes = kMax64 - 31; }},

    {"device CBC, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::cbc_device, [](Call&) {}},
    {"device CFB, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::cfb_device, [](Call&) {}},
    {"device XTS, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::xts_device, [](Call&) {}},
    {"device XTS decryption, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::xts_open_device, [](Call&) {}},
    {"workspace, no GPU engine", WARPAES_ERROR_UNSUPPORTED, &Call::workspace, [](Call&) {}},
    {"workspace size to nowhere", WARPAES_ERROR_NULL_POINTER, &Call::workspace,
     [](Call& c) { c.workspace_bytes_to = nullptr; }},
};

class ParallelModesMisuse : public ::testing::Test {
 protected:
  Call call() {
    return {key_.get(), tweak_key_.get(), equal_key_.get(), longer_key_.get(), foreign_key_.get()};
  }

  const TestContext context_{"openssl"}, other_context_{"openssl"};
  const TestKey key_{context_, Bytes(16, 1)}, tweak_key_{context_, Bytes(16, 2)},
      equal_key_{context_, Bytes(16, 1)}, longer_key_{context_, Bytes(32, 2)},
      foreign_key_{other_context_, Bytes(16, 2)};
};

TEST_F(ParallelModesMisuse, EachRowIsRefusedAndTouchesNothing) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.what);
    Call spoilt = call();
    row.spoil(spoilt);
    EXPECT_STREQ(warpaes_status_name((spoilt.*row.call)()), warpaes_status_name(row.expected))
        << warpaes_last_error();
    EXPECT_STRNE(warpaes_last_error(), "");
    EXPECT_EQ(spoilt.memory, Bytes(spoilt.memory.size(), kUntouched));
  }
}

TEST_F(ParallelModesMisuse, TheUnspoiltCallsWork) {
  for (const auto function :
       {&Call::cbc, &Call::cbc_open, &Call::cfb, &Call::cfb_open, &Call::ofb, &Call::xts, &Call::xts_open}) {
    Call right = call();
    EXPECT_EQ((right.*function)(), WARPAES_OK) << warpaes_last_error();
    EXPECT_NE(right.memory, Bytes(right.memory.size(), kUntouched));
    right.input = right.output = nullptr;
    right.bytes = 0;
    EXPECT_EQ((right.*function)(), WARPAES_OK) << "nothing to do needs no memory: " << warpaes_last_error();
  }
}

class ParallelModesOnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
    context_.emplace("cuda");
    key_.emplace(*context_, raw_key_);
    tweak_key_.emplace(*context_, raw_tweak_key_);
    stream_.emplace(0);
  }

  DeviceBuffer on_device(const Bytes& bytes) {
    DeviceBuffer buffer(0, std::max<size_t>(bytes.size(), 16));
    copy_to_device(buffer.data(), bytes.data(), bytes.size(), stream());
    synchronize(stream());
    return buffer;
  }
  Bytes fetched(const void* device, size_t bytes) {
    Bytes copy(bytes);
    copy_to_host(copy.data(), device, bytes, stream());
    synchronize(stream());
    return copy;
  }
  DeviceBuffer workspace_for(size_t bytes) {
    size_t needed = 0;
    EXPECT_EQ(warpaes_chained_decrypt_workspace_bytes(key_->get(), bytes, &needed), WARPAES_OK);
    return DeviceBuffer(0, std::max<size_t>(needed, 16));
  }
  Stream stream() const { return stream_->get(); }
  static Bytes counting(size_t bytes, size_t seed = 0) {
    Bytes made(bytes);
    for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(i * 7 + i / 256 + seed);
    return made;
  }

  const Bytes raw_key_ = counting(32), raw_tweak_key_ = counting(32, 77), vector_ = counting(16, 9);
  std::optional<TestContext> context_;
  std::optional<TestKey> key_, tweak_key_;
  std::optional<OwnedStream> stream_;
};

struct Unchained {
  const char* name;  // EVP's
  warpaes_status (*decrypt)(const warpaes_key*, const uint8_t*, const void*, void*, uint64_t, void*, size_t,
                            warpaes_stream);
};
constexpr Unchained kUnchained[] = {{"CBC", warpaes_cbc_decrypt_device}, {"CFB", warpaes_cfb_decrypt_device}};

TEST_F(ParallelModesOnDevice, DecryptionIsOpensslsInPlaceToo) {
  for (const Unchained& mode : kUnchained) {
    for (const size_t bytes : {0, 16, 512, 528, 65536, 1 << 20, (48 << 20) + 16}) {
      SCOPED_TRACE(std::string(mode.name) + " of " + std::to_string(bytes));
      const Bytes plaintext = counting(bytes);
      const DeviceBuffer memory = on_device(reference::crypt(mode.name, raw_key_, vector_, plaintext)),
                         apart = on_device(Bytes(bytes)), workspace = workspace_for(bytes);
      ASSERT_EQ(
          mode.decrypt(key_->get(), vector_.data(), memory.data(), apart.data(), bytes, nullptr, 0, stream()),
          WARPAES_OK)
          << warpaes_last_error();
      EXPECT_TRUE(fetched(apart.data(), bytes) == plaintext);
      ASSERT_EQ(mode.decrypt(key_->get(), vector_.data(), memory.data(), memory.data(), bytes,
                             workspace.data(), workspace.size(), stream()),
                WARPAES_OK)
          << warpaes_last_error();
      EXPECT_TRUE(fetched(memory.data(), bytes) == plaintext) << "in place";
    }
  }
}

TEST_F(ParallelModesOnDevice, XtsIsOpenssls) {
  Bytes both = raw_key_;
  both.insert(both.end(), raw_tweak_key_.begin(), raw_tweak_key_.end());
  for (const size_t bytes : {16, 17, 4096, 4111, 1 << 20, (1 << 20) + 5}) {
    SCOPED_TRACE(bytes);
    const Bytes plaintext = counting(bytes);
    const DeviceBuffer memory = on_device(plaintext);
    ASSERT_EQ(warpaes_xts_encrypt_device(key_->get(), tweak_key_->get(), vector_.data(), bytes, memory.data(),
                                         memory.data(), bytes, stream()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_TRUE(fetched(memory.data(), bytes) == reference::xts(both, vector_, plaintext));
    ASSERT_EQ(warpaes_xts_decrypt_device(key_->get(), tweak_key_->get(), vector_.data(), bytes, memory.data(),
                                         memory.data(), bytes, stream()),
              WARPAES_OK);
    EXPECT_TRUE(fetched(memory.data(), bytes) == plaintext);
  }
}

TEST_F(ParallelModesOnDevice, MisuseIsRefusedBeforeALaunch) {
  Bytes host(1024);
  const DeviceBuffer device = on_device(Bytes(4096));
  for (const Unchained& mode : kUnchained) {
    const auto decrypt = [&](const void* input, void* output, void* workspace, size_t workspace_bytes) {
      return mode.decrypt(key_->get(), vector_.data(), input, output, 1024, workspace, workspace_bytes,
                          stream());
    };
    EXPECT_EQ(decrypt(host.data(), device.data(), nullptr, 0), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(decrypt(device.data(), host.data(), nullptr, 0), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(decrypt(device.data(), device.data(), nullptr, 0), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(decrypt(device.data(), device.data(), device.data() + 2048, 15), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(decrypt(device.data(), device.data(), device.data() + 2049, 1024), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(decrypt(device.data(), device.data(), device.data() + 512, 1024), WARPAES_ERROR_OVERLAP);
    EXPECT_EQ(decrypt(device.data(), device.data(), host.data(), 1024), WARPAES_ERROR_MEMORY_SPACE);
  }
  EXPECT_EQ(warpaes_xts_encrypt_device(key_->get(), tweak_key_->get(), vector_.data(), 512, host.data(),
                                       device.data(), 1024, stream()),
            WARPAES_ERROR_MEMORY_SPACE);
  EXPECT_EQ(fetched(device.data(), 4096), Bytes(4096));
}

TEST_F(ParallelModesOnDevice, CanBeCapturedAndReplayed) {
  const size_t bytes = 1 << 20;
  const Bytes plaintext = counting(bytes);
  const Bytes ciphertext = reference::crypt("CBC", raw_key_, vector_, plaintext);
  const DeviceBuffer memory = on_device(ciphertext), sectors = on_device(plaintext),
                     workspace = workspace_for(bytes);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(warpaes_cbc_decrypt_device(key_->get(), vector_.data(), memory.data(), memory.data(), bytes,
                                       workspace.data(), workspace.size(), stream()),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(warpaes_xts_encrypt_device(key_->get(), tweak_key_->get(), vector_.data(), 512, sectors.data(),
                                       sectors.data(), bytes, stream()),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(warpaes_xts_decrypt_device(key_->get(), tweak_key_->get(), vector_.data(), 512, sectors.data(),
                                       sectors.data(), bytes, stream()),
            WARPAES_OK);
  ASSERT_EQ(cudaStreamEndCapture(stream(), &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  for (int round = 0; round < 2; round++) {
    copy_to_device(memory.data(), ciphertext.data(), bytes, stream());
    ASSERT_EQ(cudaGraphLaunch(replay, stream()), cudaSuccess);
    EXPECT_TRUE(fetched(memory.data(), bytes) == plaintext);
    EXPECT_TRUE(fetched(sectors.data(), bytes) == plaintext);
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
}

}  // namespace
}  // namespace warpaes::testing
