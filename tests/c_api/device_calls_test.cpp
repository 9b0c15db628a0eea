// The calls on device memory, on a GPU, as tables over modes: against OpenSSL's EVP, inside CUDA graphs,
// which forbid what the calls promise not to do (allocate, synchronise), and what is refused before a launch.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <optional>

#include "batch_image.hpp"
#include "device/device.hpp"

namespace warpaes::core::testing {
namespace {

constexpr auto kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
constexpr warpaes_direction kDirections[] = {kEncrypt, kDecrypt};

class DeviceCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
    context_.emplace("cuda");
    stream_.emplace(0);
  }

  DeviceBuffer on_device(const Bytes& bytes) {
    DeviceBuffer buffer(0, std::max<size_t>(bytes.size(), 16));
    copy_to_device(buffer.data(), bytes.data(), bytes.size(), stream());
    synchronize(stream());
    return buffer;
  }
  Bytes fetched(const void* device, size_t count) {
    Bytes copy(count);
    copy_to_host(copy.data(), device, count, stream());
    synchronize(stream());
    return copy;
  }
  /// Device memory for a call of so many messages; null if the engine does not have it.
  std::optional<DeviceBuffer> workspace(const TestCipher& cipher, warpaes_direction direction, uint64_t count,
                                        uint64_t length) {
    size_t size = 0;
    const warpaes_status status = warpaes_workspace_size(cipher.get(), direction, count, length, &size);
    if (status == WARPAES_ERROR_UNSUPPORTED) return std::nullopt;
    EXPECT_EQ(status, WARPAES_OK) << warpaes_last_error();
    return DeviceBuffer(0, size);
  }
  Stream stream() const { return stream_->get(); }

  /// @param check (row, cipher), for the modes that the engine has
  void for_each_mode(const auto& check) {
    for (const ModeRow& row : mode_rows()) {
      SCOPED_TRACE(row.name);
      const TestCipher cipher(*context_, row.mode, row.example(1).key);
      if (cipher.status() == WARPAES_OK) check(row, cipher);
    }
  }

  std::optional<TestContext> context_;
  std::optional<OwnedStream> stream_;
};

warpaes_status run(warpaes_direction direction, const TestCipher& cipher, const warpaes_message& message,
                   const DeviceBuffer& workspace, Stream stream) {
  return (direction == kEncrypt ? warpaes_encrypt_device : warpaes_decrypt_device)(
      cipher.get(), &message, workspace.size() == 0 ? nullptr : workspace.data(), workspace.size(), stream);
}

warpaes_status run(warpaes_direction direction, const TestCipher& cipher, const warpaes_batch& batch,
                   const DeviceBuffer& workspace, Stream stream) {
  return (direction == kEncrypt ? warpaes_encrypt_batch_device : warpaes_decrypt_batch_device)(
      cipher.get(), &batch, workspace.size() == 0 ? nullptr : workspace.data(), workspace.size(), stream);
}

/// A message whose memory, but for the nonce, is the device's.
struct MessageThere {
  MessageThere(const MessageMemory& from, const std::function<DeviceBuffer(const Bytes&)>& copy,
               bool in_place = false)
      : input(copy(from.input)),
        output(copy(from.output)),
        aad(copy(from.example.aad)),
        tag(copy(from.tag)),
        status(copy(Bytes(4, 0xff))),
        length(copy(Bytes(8, 0xff))),
        message(from.message) {
    message.input = input.data();
    if (message.output != nullptr) message.output = in_place ? input.data() : output.data();
    if (message.aad != nullptr) message.aad = aad.data();
    if (message.tag != nullptr) message.tag = tag.data();
    message.output_length = nullptr;
    if (from.row.unpads() && from.direction == kDecrypt) {
      message.output_length = reinterpret_cast<uint64_t*>(length.data());
    }
    if (from.row.notices() && from.direction == kDecrypt) {
      message.status = reinterpret_cast<int32_t*>(status.data());
    }
  }
  DeviceBuffer input, output, aad, tag, status, length;
  warpaes_message message;
};

Bytes number(uint64_t value, size_t size) {
  Bytes made(size);
  for (size_t i = 0; i < size; i++) made[i] = static_cast<uint8_t>(value >> 8 * i);
  return made;
}

/// Modes that do a block of AES for each byte or bit, and chain: kept short.
bool is_slow(const ModeRow& row) {
  return row.mode == WARPAES_MODE_CFB1 || row.mode == WARPAES_MODE_CFB8 || row.wraps_keys();
}

TEST_F(DeviceCalls, MessagesAreOpensslsAndBack) {
  for_each_mode([this](const ModeRow& row, const TestCipher& cipher) {
    for (const size_t length : {0, 1, 15, 16, 17, 528, 4096, 65'537, 1 << 20}) {
      if (is_slow(row) && length > 4096) continue;
      for (const warpaes_direction direction : kDirections) {
        for (const bool in_place : {false, true}) {
          SCOPED_TRACE(std::to_string(length) + (in_place ? " in place" : " apart"));
          if (in_place && row.grown(16) != 16) continue;
          const MessageMemory memory(row, row.example(length), direction);
          MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); }, in_place);
          const auto scratch = workspace(cipher, direction, 1, memory.input.size());
          if (!scratch) continue;
          ASSERT_EQ(run(direction, cipher, there.message, *scratch, stream()), WARPAES_OK)
              << warpaes_last_error();
          Bytes expected = direction == kEncrypt ? memory.answer.output : memory.example.text;
          expected.resize(memory.output.size());
          EXPECT_TRUE(!row.has_output() || fetched(there.message.output, expected.size()) == expected);
          EXPECT_EQ(fetched(there.tag.data(), memory.answer.tag.size()), memory.answer.tag);
          if (there.message.status != nullptr) {
            EXPECT_EQ(fetched(there.status.data(), 4), number(WARPAES_OK, 4));
          }
          if (there.message.output_length != nullptr) {
            EXPECT_EQ(fetched(there.length.data(), 8), number(memory.example.text.size(), 8));
          }
        }
      }
    }
  });
}

TEST_F(DeviceCalls, AWrongMessageIsAStatusAndZeros) {
  for_each_mode([this](const ModeRow& row, const TestCipher& cipher) {
    if (!row.notices()) return;
    MessageMemory memory(row, row.example(1000), kDecrypt);
    const auto scratch = workspace(cipher, kDecrypt, 1, memory.input.size());
    if (!scratch) return;
    if (row.has_pkcs7()) {
      memory.input = wrongly_padded(row, memory.example, memory.input.size());
    } else {
      (row.has_tag() ? memory.tag : memory.input)[3] ^= 1;
    }
    const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
    EXPECT_EQ(run(kDecrypt, cipher, there.message, *scratch, stream()), WARPAES_OK) << warpaes_last_error();
    EXPECT_EQ(fetched(there.status.data(), 4), number(static_cast<uint64_t>(row.noticed()), 4));
    EXPECT_TRUE(fetched(there.output.data(), memory.output.size()) == Bytes(memory.output.size()));
    if (there.message.output_length != nullptr) {
      EXPECT_EQ(fetched(there.length.data(), 8), Bytes(8));
    }
  });
}

/// So long that all multiprocessors have work, at a length that no tile divides.
TEST_F(DeviceCalls, LongMessagesOfChainedModesAreDecryptedInPlaceToo) {
  for (const warpaes_mode mode : {WARPAES_MODE_CBC, WARPAES_MODE_CFB}) {
    const ModeRow& row = row_of(mode);
    const TestCipher cipher(*context_, mode, row.example(1).key);
    const MessageMemory memory(row, row.example((48 << 20) + 16), kDecrypt);
    for (const bool in_place : {false, true}) {
      const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); }, in_place);
      const auto scratch = workspace(cipher, kDecrypt, 1, memory.input.size());
      ASSERT_TRUE(scratch);
      ASSERT_EQ(run(kDecrypt, cipher, there.message, *scratch, stream()), WARPAES_OK) << warpaes_last_error();
      EXPECT_TRUE(fetched(there.message.output, memory.example.text.size()) == memory.example.text);
    }
  }
}

TEST_F(DeviceCalls, XtsHasDataUnits) {
  const ModeRow& row = row_of(WARPAES_MODE_XTS);
  const TestCipher cipher(*context_, row.mode, row.example(1).key);
  for (const size_t unit : {16, 40, 512, 4111}) {
    const size_t length = 5 * unit + 16;
    for (const warpaes_direction direction : kDirections) {
      SCOPED_TRACE(unit);
      MessageMemory memory(row, row.example(length), direction);
      memory.answer.output = xts_of_units(memory.example, unit);
      if (direction == kDecrypt) memory.input = memory.answer.output;
      memory.message.data_unit = unit;
      const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
      const auto scratch = workspace(cipher, direction, 1, length);
      ASSERT_TRUE(scratch);
      ASSERT_EQ(run(direction, cipher, there.message, *scratch, stream()), WARPAES_OK)
          << warpaes_last_error();
      EXPECT_TRUE(fetched(there.output.data(), length) ==
                  (direction == kEncrypt ? memory.answer.output : memory.example.text));
    }
  }
}

// -------------------------------------------------------------------- batches

class DeviceBatches : public DeviceCalls {
 protected:
  /// What the whole image is after the call, `call` being given the batch.
  void expect_right(BatchImage& image, warpaes_direction direction, const auto& call) {
    const DeviceBuffer memory(0, image.memory.size());
    image.begin(direction);
    for (const size_t m : {size_t{5}, image.count() - 1}) {
      if (m < image.count()) image.damage(m);
    }
    const warpaes_batch batch = image.batch(memory.data());
    const Bytes expected = image.expected();
    copy_to_device(memory.data(), image.memory.data(), image.memory.size(), stream());
    synchronize(stream());
    ASSERT_EQ(call(batch), WARPAES_OK) << warpaes_last_error();
    image.memory = fetched(memory.data(), image.memory.size());
    image.expect_right(expected);
  }
};

TEST_F(DeviceBatches, OfEveryModeInEveryArrangementAreOpenssls) {
  for_each_mode([this](const ModeRow& row, const TestCipher&) {
    for (const Arrangement& arrangement : arrangements()) {
      for (const Keys keys : kKeys) {
        SCOPED_TRACE(arrangement.name + std::string(", ") + name_of(keys));
        BatchImage image(row, arrangement, keys, 75, 96);
        const TestCipher cipher(*context_, row.mode, image.cipher_key());
        if (cipher.status() != WARPAES_OK) continue;
        for (const warpaes_direction direction : kDirections) {
          const auto scratch = workspace(cipher, direction, image.count(), 128);
          if (!scratch) continue;
          expect_right(image, direction, [&](const warpaes_batch& batch) {
            return run(direction, cipher, batch, *scratch, stream());
          });
          if (HasFatalFailure()) return;
        }
      }
    }
  });
}

/// A call in a graph, which is launched twice.
class Captured {
 public:
  Captured(Stream stream, const auto& call) : stream_(stream) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    status_ = call();
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph_), cudaSuccess);
    EXPECT_EQ(cudaGraphInstantiate(&ready_, graph_, 0), cudaSuccess);
  }
  ~Captured() {
    cudaGraphExecDestroy(ready_);
    cudaGraphDestroy(graph_);
  }
  Captured(const Captured&) = delete;
  warpaes_status status() const { return status_; }
  void launch() const { EXPECT_EQ(cudaGraphLaunch(ready_, stream_), cudaSuccess); }

 private:
  Stream stream_;
  warpaes_status status_ = WARPAES_ERROR_INTERNAL;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

TEST_F(DeviceBatches, CanBeCapturedAndReplayed) {
  for_each_mode([this](const ModeRow& row, const TestCipher&) {
    for (const Keys keys : {Keys::one, Keys::row}) {
      BatchImage image(row, arrangements()[0], keys, 1000, is_slow(row) ? 48 : 512);
      const TestCipher cipher(*context_, row.mode, image.cipher_key());
      if (cipher.status() != WARPAES_OK) continue;
      for (const warpaes_direction direction : kDirections) {
        const auto scratch = workspace(cipher, direction, image.count(), 640);
        if (!scratch) continue;
        expect_right(image, direction, [&](const warpaes_batch& batch) {
          const Captured graph(stream(), [&] { return run(direction, cipher, batch, *scratch, stream()); });
          graph.launch();
          graph.launch();
          synchronize(stream());
          return graph.status();
        });
        if (HasFatalFailure()) return;
      }
    }
  });
}

TEST_F(DeviceCalls, MessagesCanBeCapturedAndReplayed) {
  for_each_mode([this](const ModeRow& row, const TestCipher& cipher) {
    for (const warpaes_direction direction : kDirections) {
      const MessageMemory memory(row, row.example(is_slow(row) ? 512 : 100'000), direction);
      const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
      const auto scratch = workspace(cipher, direction, 1, memory.input.size());
      if (!scratch) continue;
      const Captured graph(stream(),
                           [&] { return run(direction, cipher, there.message, *scratch, stream()); });
      ASSERT_EQ(graph.status(), WARPAES_OK) << warpaes_last_error();
      Bytes expected = direction == kEncrypt ? memory.answer.output : memory.example.text;
      expected.resize(memory.output.size());
      for (int round = 0; round < 2; round++) {
        fill_device(there.output.data(), 0x77, there.output.size(), stream());
        graph.launch();
        EXPECT_TRUE(fetched(there.output.data(), expected.size()) == expected);
        EXPECT_EQ(fetched(there.tag.data(), memory.answer.tag.size()), memory.answer.tag);
      }
    }
  });
}

// --------------------------------------------------------------------- misuse

TEST_F(DeviceCalls, HostPointersInMessagesAreRefused) {
  Bytes host(4096);
  const PinnedBuffer pinned(0, 4096);
  using Spoil = void (*)(warpaes_message&, uint8_t*);
  const Spoil spoils[] = {
      [](warpaes_message& m, uint8_t* at) { m.input = at; },
      [](warpaes_message& m, uint8_t* at) { m.output = m.output == nullptr ? nullptr : at; },
      [](warpaes_message& m, uint8_t* at) { m.aad = m.aad == nullptr ? nullptr : at; },
      [](warpaes_message& m, uint8_t* at) { m.tag = m.tag == nullptr ? nullptr : at; },
      [](warpaes_message& m, uint8_t* at) {
        m.status = m.status == nullptr ? nullptr : reinterpret_cast<int32_t*>(at);
      },
      [](warpaes_message& m, uint8_t* at) {
        m.output_length = m.output_length == nullptr ? nullptr : reinterpret_cast<uint64_t*>(at);
      },
  };
  for_each_mode([&](const ModeRow& row, const TestCipher& cipher) {
    for (const warpaes_direction direction : kDirections) {
      const MessageMemory memory(row, row.example(48), direction);
      const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
      const auto scratch = workspace(cipher, direction, 1, memory.input.size());
      if (!scratch) continue;
      for (const Spoil spoil : spoils) {
        for (uint8_t* const wrong : {host.data(), pinned.data()}) {
          warpaes_message message = there.message;
          spoil(message, wrong);
          if (std::memcmp(&message, &there.message, sizeof message) == 0) continue;
          EXPECT_EQ(run(direction, cipher, message, *scratch, stream()), WARPAES_ERROR_MEMORY_SPACE)
              << warpaes_last_error();
        }
      }
      EXPECT_EQ(run(direction, cipher, there.message, *scratch, stream()), WARPAES_OK)
          << warpaes_last_error();
    }
  });
  synchronize(stream());
}

void spoil_place(auto& place, uint8_t* at) {
  if (place.data != nullptr) place.data = at;
  if (place.pointers != nullptr) place.pointers = reinterpret_cast<decltype(place.pointers)>(at);
}

TEST_F(DeviceBatches, HostPointersInBatchesAreRefused) {
  Bytes host(1 << 16);
  using Spoil = void (*)(warpaes_batch&, uint8_t*);
  const Spoil spoils[] = {
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.input, at); },
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.output, at); },
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.nonces, at); },
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.aad, at); },
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.tags, at); },
      [](warpaes_batch& b, uint8_t* at) { spoil_place(b.keys, at); },
      [](warpaes_batch& b, uint8_t* at) {
        if (b.lengths != nullptr) b.lengths = reinterpret_cast<uint64_t*>(at);
      },
      [](warpaes_batch& b, uint8_t* at) {
        if (b.aad_lengths != nullptr) b.aad_lengths = reinterpret_cast<uint64_t*>(at);
      },
      [](warpaes_batch& b, uint8_t* at) {
        if (b.output_lengths != nullptr) b.output_lengths = reinterpret_cast<uint64_t*>(at);
      },
      [](warpaes_batch& b, uint8_t* at) { b.statuses = reinterpret_cast<int32_t*>(at); },
  };
  for_each_mode([&](const ModeRow& row, const TestCipher&) {
    for (const Arrangement& arrangement : arrangements()) {
      for (const Keys keys : kKeys) {
        SCOPED_TRACE(arrangement.name + std::string(", ") + name_of(keys));
        BatchImage image(row, arrangement, keys, 3, 48);
        const TestCipher cipher(*context_, row.mode, image.cipher_key());
        const auto scratch = workspace(cipher, kEncrypt, 3, 64);
        if (cipher.status() != WARPAES_OK || !scratch) continue;
        image.begin(kEncrypt);
        const DeviceBuffer memory = on_device(image.memory);
        const warpaes_batch right = image.batch(memory.data());
        for (const Spoil spoil : spoils) {
          warpaes_batch batch = right;
          spoil(batch, host.data());
          if (std::memcmp(&batch, &right, sizeof batch) == 0) continue;
          EXPECT_EQ(run(kEncrypt, cipher, batch, *scratch, stream()), WARPAES_ERROR_MEMORY_SPACE)
              << warpaes_last_error();
        }
      }
    }
  });
}

/// Statuses that are not aligned would cost the process its GPU.
TEST_F(DeviceBatches, NeedStatusesWhereOnlyTheyTell) {
  for_each_mode([this](const ModeRow& row, const TestCipher& cipher) {
    for (const warpaes_direction direction : kDirections) {
      const auto scratch = workspace(cipher, direction, 3, 64);
      if (!scratch) continue;
      for (const size_t arrangement : {0, 5}) {  // rows, scattered
        BatchImage image(row, arrangements()[arrangement], Keys::one, 3, 48);
        image.begin(direction);
        const DeviceBuffer memory(0, image.memory.size());
        warpaes_batch batch = image.batch(memory.data());
        copy_to_device(memory.data(), image.memory.data(), image.memory.size(), stream());
        synchronize(stream());
        batch.statuses = reinterpret_cast<int32_t*>(reinterpret_cast<uintptr_t>(batch.statuses) + 1);
        EXPECT_EQ(run(direction, cipher, batch, *scratch, stream()), WARPAES_ERROR_OPTION);
        batch.statuses = nullptr;
        const bool needed = arrangement != 0 || (direction == kDecrypt && row.notices());
        EXPECT_EQ(run(direction, cipher, batch, *scratch, stream()),
                  needed ? WARPAES_ERROR_NULL_POINTER : WARPAES_OK)
            << warpaes_last_error();
      }
    }
  });
  synchronize(stream());
}

TEST_F(DeviceCalls, MisuseOfWorkspaceAndStatusIsRefusedBeforeALaunch) {
  for_each_mode([this](const ModeRow& row, const TestCipher& cipher) {
    for (const warpaes_direction direction : kDirections) {
      const MessageMemory memory(row, row.example(4096), direction);
      const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
      const auto scratch = workspace(cipher, direction, 1, memory.input.size());
      if (!scratch) continue;
      Bytes host(scratch->size() + 16);
      const auto call = [&](void* at, size_t size) {
        return (direction == kEncrypt ? warpaes_encrypt_device : warpaes_decrypt_device)(
            cipher.get(), &there.message, at, size, stream());
      };
      if (scratch->size() > 0) {
        EXPECT_EQ(call(nullptr, 0), WARPAES_ERROR_WORKSPACE);
        EXPECT_EQ(call(scratch->data(), scratch->size() - 1), WARPAES_ERROR_WORKSPACE);
        EXPECT_EQ(call(scratch->data() + 1, scratch->size()), WARPAES_ERROR_WORKSPACE);
        EXPECT_EQ(call(host.data(), scratch->size()), WARPAES_ERROR_MEMORY_SPACE);
        EXPECT_EQ(call(const_cast<void*>(there.message.input), scratch->size()), WARPAES_ERROR_OVERLAP);
      }
      if (there.message.status != nullptr) {
        warpaes_message message = there.message;
        message.status = nullptr;
        EXPECT_EQ(run(direction, cipher, message, *scratch, stream()), WARPAES_ERROR_NULL_POINTER);
        message.status = reinterpret_cast<int32_t*>(there.status.data() + 1);
        EXPECT_EQ(run(direction, cipher, message, *scratch, stream()), WARPAES_ERROR_OPTION);
      }
      if (there.message.output != nullptr) {
        warpaes_message message = there.message;
        message.output = there.input.data() + 8;
        EXPECT_EQ(run(direction, cipher, message, *scratch, stream()), WARPAES_ERROR_OVERLAP);
      }
      EXPECT_EQ(fetched(there.output.data(), memory.output.size()), memory.output);
    }
  });
}

TEST_F(DeviceCalls, WorkspacesOfImpossibleBatchesAreRefused) {
  const TestCipher gcm(*context_, WARPAES_MODE_GCM, Bytes(16));
  size_t size = 1;
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), kEncrypt, 1, uint64_t{1} << 36, &size), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), kEncrypt, ~uint64_t{0}, 1, &size), WARPAES_ERROR_LENGTH);
  EXPECT_EQ(warpaes_workspace_size(gcm.get(), 2, 1, 1, &size), WARPAES_ERROR_OPTION);
}

// ------------------------------------------------------------------ lifetimes

/// CUDA does not survive a fork: the child is told so, and automatic choice goes on on the CPU.
TEST_F(DeviceCalls, AForkedChildIsToldSo) {
  const TestContext automatic("auto");
  const ModeRow& row = row_of(WARPAES_MODE_ECB);
  MessageMemory memory(row, row.example(16));
  const TestCipher forced(*context_, row.mode, memory.example.key),
      chosen(automatic, row.mode, memory.example.key);
  const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(30);
    uint32_t devices = 7;
    const bool right =
        warpaes_encrypt_device(forced.get(), &there.message, nullptr, 0, stream()) == WARPAES_ERROR_FORKED &&
        memory.run(forced.get()) == WARPAES_ERROR_FORKED && memory.run(chosen.get()) == WARPAES_OK &&
        warpaes_device_count(&devices) == WARPAES_OK && devices == 0;
    _exit(right ? 0 : 1);
  }
  int result = 0;
  ASSERT_EQ(waitpid(child, &result, 0), child);
  EXPECT_TRUE(WIFEXITED(result) && WEXITSTATUS(result) == 0) << result;
  EXPECT_EQ(warpaes_encrypt_device(forced.get(), &there.message, nullptr, 0, stream()), WARPAES_OK)
      << "the parent keeps its GPU: " << warpaes_last_error();
}

TEST_F(DeviceCalls, ACipherMayGoWhileItsWorkRuns) {
  const ModeRow& row = row_of(WARPAES_MODE_CTR);
  const MessageMemory memory(row, row.example(16 << 20));
  const MessageThere there(memory, [this](const Bytes& bytes) { return on_device(bytes); });
  {
    const TestCipher passing(*context_, row.mode, memory.example.key);
    ASSERT_EQ(warpaes_encrypt_device(passing.get(), &there.message, nullptr, 0, stream()), WARPAES_OK);
  }
  EXPECT_TRUE(fetched(there.output.data(), memory.output.size()) == memory.answer.output);
}

}  // namespace
}  // namespace warpaes::core::testing
