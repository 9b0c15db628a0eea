// The calls on device memory, on a GPU: against OpenSSL's EVP, refused pointers, and inside a CUDA graph,
// which forbids what they promise not to do (allocate, synchronise).
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "device/device.hpp"
#include "evp_reference.hpp"
#include "handles_for_tests.hpp"

namespace warpaes::testing {
namespace {

constexpr size_t kLengths[] = {0, 1, 15, 16, 17, 4096, 65537, 1 << 20};

class DeviceCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
    context_.emplace("cuda");
    key_.emplace(*context_, raw_key_);
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
  DeviceBuffer workspace_for(uint64_t messages, uint64_t bytes) {
    size_t needed = 0;
    EXPECT_EQ(warpaes_aead_workspace_bytes(key(), WARPAES_AEAD_GCM, messages, bytes, &needed), WARPAES_OK)
        << warpaes_last_error();
    return DeviceBuffer(0, needed);
  }
  const warpaes_key* key() const { return key_->get(); }
  Stream stream() const { return stream_->get(); }

  static Bytes counting(size_t bytes) {
    Bytes made(bytes);
    for (size_t i = 0; i < bytes; i++) made[i] = static_cast<uint8_t>(i * 7 + i / 256);
    return made;
  }

  const Bytes raw_key_ = counting(32), counter_ = Bytes(16, 0xff), nonce_ = counting(12), aad_ = counting(45);
  std::optional<TestContext> context_;
  std::optional<TestKey> key_;
  std::optional<OwnedStream> stream_;
};

TEST_F(DeviceCalls, EcbAndCtrAreOpenssls) {
  for (const size_t bytes : kLengths) {
    SCOPED_TRACE(bytes);
    const Bytes input = counting(bytes), blocks = counting(bytes / 16 * 16);
    const DeviceBuffer memory = on_device(input), output = on_device(Bytes(bytes));
    ASSERT_EQ(warpaes_ctr_crypt_device(key(), counter_.data(), memory.data(), output.data(), bytes, stream()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_TRUE(fetched(output.data(), bytes) == reference::ctr(raw_key_, counter_, input));
    ASSERT_EQ(warpaes_ecb_encrypt_device(key(), memory.data(), memory.data(), blocks.size(), stream()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_TRUE(fetched(memory.data(), blocks.size()) == reference::ecb(raw_key_, true, blocks));
    ASSERT_EQ(warpaes_ecb_decrypt_device(key(), memory.data(), memory.data(), blocks.size(), stream()),
              WARPAES_OK);
    EXPECT_TRUE(fetched(memory.data(), blocks.size()) == blocks);
  }
}

TEST_F(DeviceCalls, GcmIsOpensslsAndAWrongTagIsAStatusAndZeros) {
  for (const size_t bytes : kLengths) {
    SCOPED_TRACE(bytes);
    const Bytes input = counting(bytes);
    const reference::Sealed expected = reference::gcm(raw_key_, nonce_, aad_, input, 16);
    const DeviceBuffer aad = on_device(aad_), memory = on_device(input), tag = on_device(Bytes(16)),
                       status = on_device(Bytes(4, 0xff)), workspace = workspace_for(1, bytes);
    ASSERT_EQ(warpaes_aead_encrypt_device(key(), WARPAES_AEAD_GCM, nonce_.data(), 12, aad.data(), aad_.size(),
                                          memory.data(), memory.data(), bytes, tag.data(), 16,
                                          workspace.data(), workspace.size(), stream()),
              WARPAES_OK)
        << warpaes_last_error();
    EXPECT_TRUE(fetched(memory.data(), bytes) == expected.ciphertext);
    EXPECT_EQ(fetched(tag.data(), 16), expected.tag);

    const DeviceBuffer opened = on_device(Bytes(bytes, 0x77));
    const auto open = [&](const Bytes& nonce) {
      EXPECT_EQ(warpaes_aead_decrypt_device(key(), WARPAES_AEAD_GCM, nonce.data(), nonce.size(), aad.data(),
                                            aad_.size(), memory.data(), opened.data(), bytes, tag.data(), 16,
                                            reinterpret_cast<int32_t*>(status.data()), workspace.data(),
                                            workspace.size(), stream()),
                WARPAES_OK)
          << warpaes_last_error();
      return fetched(status.data(), 4);
    };
    EXPECT_EQ(open(nonce_), (Bytes{WARPAES_OK, 0, 0, 0}));
    EXPECT_TRUE(fetched(opened.data(), bytes) == input);
    EXPECT_EQ(open(Bytes(12, 0)), (Bytes{WARPAES_ERROR_AUTHENTICATION, 0, 0, 0}));
    EXPECT_TRUE(fetched(opened.data(), bytes) == Bytes(bytes, 0));
  }
}

TEST_F(DeviceCalls, HostPointersAreRefused) {
  Bytes host(64);
  const PinnedBuffer pinned(0, 64);
  const DeviceBuffer device = on_device(host);
  for (uint8_t* wrong : {host.data(), pinned.data()}) {
    EXPECT_EQ(warpaes_ecb_encrypt_device(key(), wrong, device.data(), 16, stream()),
              WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(warpaes_ecb_decrypt_device(key(), device.data(), wrong, 16, stream()),
              WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(warpaes_ctr_crypt_device(key(), counter_.data(), wrong, wrong, 16, stream()),
              WARPAES_ERROR_MEMORY_SPACE);
    const DeviceBuffer workspace = workspace_for(1, 16);
    const auto seal = [&](const void* aad, void* tag, void* scratch) {
      return warpaes_aead_encrypt_device(key(), WARPAES_AEAD_GCM, nonce_.data(), 12, aad, 16, device.data(),
                                         device.data() + 16, 16, tag, 16, scratch, workspace.size(),
                                         stream());
    };
    EXPECT_EQ(seal(wrong, device.data() + 32, workspace.data()), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(seal(device.data() + 48, wrong, workspace.data()), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(seal(device.data() + 48, device.data() + 32, wrong), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_EQ(seal(device.data() + 48, device.data() + 32, nullptr), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(seal(device.data() + 48, device.data() + 32, workspace.data() + 1), WARPAES_ERROR_WORKSPACE);
    EXPECT_EQ(seal(device.data() + 48, device.data() + 32, workspace.data()), WARPAES_OK)
        << warpaes_last_error();
  }
  synchronize(stream());
}

TEST_F(DeviceCalls, MisuseIsRefusedBeforeALaunch) {
  const DeviceBuffer device = on_device(Bytes(256));
  EXPECT_EQ(warpaes_ecb_encrypt_device(key(), device.data(), device.data() + 128, 17, stream()),
            WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_ecb_encrypt_device(key(), device.data(), device.data() + 16, 32, stream()),
            WARPAES_ERROR_OVERLAP);
  EXPECT_EQ(warpaes_ctr_crypt_device(key(), nullptr, device.data(), device.data(), 16, stream()),
            WARPAES_ERROR_NULL_POINTER);
  const DeviceBuffer workspace = workspace_for(1, 16);
  EXPECT_EQ(warpaes_aead_decrypt_device(key(), WARPAES_AEAD_GCM, nonce_.data(), 12, nullptr, 0, device.data(),
                                        device.data(), 16, device.data() + 64, 16,
                                        reinterpret_cast<int32_t*>(device.data() + 129), workspace.data(),
                                        workspace.size(), stream()),
            WARPAES_ERROR_OPTION)
      << "statuses that are not aligned would cost the process its GPU";
  size_t needed = 1;
  EXPECT_EQ(warpaes_aead_workspace_bytes(key(), WARPAES_AEAD_GCM, 1, uint64_t{1} << 36, &needed),
            WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_aead_workspace_bytes(key(), WARPAES_AEAD_GCM, ~uint64_t{0}, 1, &needed),
            WARPAES_ERROR_LENGTH);
}

TEST_F(DeviceCalls, CanBeCapturedAndReplayed) {
  const size_t bytes = 100'000;
  const Bytes input = counting(bytes);
  const DeviceBuffer from = on_device(input), counted = on_device(Bytes(bytes)),
                     sealed = on_device(Bytes(bytes)), tag = on_device(Bytes(16)),
                     workspace = workspace_for(1, bytes);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(warpaes_ctr_crypt_device(key(), counter_.data(), from.data(), counted.data(), bytes, stream()),
            WARPAES_OK)
      << warpaes_last_error();
  EXPECT_EQ(warpaes_aead_encrypt_device(key(), WARPAES_AEAD_GCM, nonce_.data(), 12, nullptr, 0, from.data(),
                                        sealed.data(), bytes, tag.data(), 16, workspace.data(),
                                        workspace.size(), stream()),
            WARPAES_OK)
      << warpaes_last_error();
  ASSERT_EQ(cudaStreamEndCapture(stream(), &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);

  const reference::Sealed expected = reference::gcm(raw_key_, nonce_, {}, input, 16);
  for (int round = 0; round < 2; round++) {
    fill_device(sealed.data(), 0, bytes, stream());
    fill_device(counted.data(), 0, bytes, stream());
    ASSERT_EQ(cudaGraphLaunch(replay, stream()), cudaSuccess);
    EXPECT_TRUE(fetched(counted.data(), bytes) == reference::ctr(raw_key_, counter_, input));
    EXPECT_TRUE(fetched(sealed.data(), bytes) == expected.ciphertext);
    EXPECT_EQ(fetched(tag.data(), 16), expected.tag);
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
}

/// CUDA does not survive a fork: the child is told so, and automatic choice goes on on the CPU.
TEST_F(DeviceCalls, AForkedChildIsToldSo) {
  const DeviceBuffer memory = on_device(Bytes(16));
  const TestContext automatic("auto");
  const TestKey automatic_key(automatic, raw_key_);
  Bytes block(16);
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    const bool right =
        warpaes_ecb_encrypt_device(key(), memory.data(), memory.data(), 16, stream()) ==
            WARPAES_ERROR_FORKED &&
        warpaes_ecb_encrypt(key(), block.data(), block.data(), 16) == WARPAES_ERROR_FORKED &&
        warpaes_ecb_encrypt(automatic_key.get(), block.data(), block.data(), 16) == WARPAES_OK &&
        warpaes_device_count() == 0;
    _exit(right ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
  EXPECT_EQ(warpaes_ecb_encrypt_device(key(), memory.data(), memory.data(), 16, stream()), WARPAES_OK)
      << "the parent keeps its GPU: " << warpaes_last_error();
}

TEST_F(DeviceCalls, AKeyMayGoWhileItsWorkRuns) {
  const size_t bytes = 16 << 20;
  const Bytes input = counting(bytes);
  const DeviceBuffer memory = on_device(input);
  {
    const TestKey passing(*context_, raw_key_);
    ASSERT_EQ(warpaes_ctr_crypt_device(passing.get(), counter_.data(), memory.data(), memory.data(), bytes,
                                       stream()),
              WARPAES_OK);
  }
  EXPECT_TRUE(fetched(memory.data(), bytes) == reference::ctr(raw_key_, counter_, input));
}

}  // namespace
}  // namespace warpaes::testing
