// Containers whose plaintext is in device memory: against the same calls on host memory.
#include <cstring>
#include <thread>

#include "device_calls.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH, kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                   kHeader = WARPAES_CONTAINER_HEADER_LENGTH;
/// Device memory before and behind what a call may write.
constexpr uint64_t kGuard = 33;

/// A container of whole chunks and a shorter one, made on the CPU, and a context that has a GPU.
class ContainerOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpus() == 0) GTEST_SKIP() << "no GPU";
    const TestContext cpu("openssl");
    sealed_.resize(kHeader + plaintext_.size() + (whole_ + 1) * (kSealed - kChunk));
    auto options = sized<warpaes_container_options>();
    options.salt = {key_.data(), 24};
    ContainerHandle maker;
    ASSERT_EQ(warpaes_container_create(cpu.get(), key_.data(), key_.size(), &options, sealed_.data(),
                                       &maker.handle),
              WARPAES_OK);
    const warpaes_chunks all = chunks(0, plaintext_.data(), plaintext_.size(), sealed_.data() + kHeader,
                                      sealed_.size() - kHeader, true);
    ASSERT_EQ(warpaes_container_encrypt(maker.handle, &all), WARPAES_OK) << warpaes_last_error();
    context_ = std::make_unique<TestContext>("cuda");
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  static warpaes_chunks chunks(uint64_t first, const void* input, uint64_t length, void* output,
                               uint64_t capacity, bool ends) {
    auto made = sized<warpaes_chunks>();
    made.first = first;
    made.input = input;
    made.length = length;
    made.output = output;
    made.output_capacity = capacity;
    made.ends = ends ? 1 : 0;
    return made;
  }
  warpaes_chunks on_device(warpaes_chunks made) const {
    made.on_device = 1;
    made.stream = stream_;
    return made;
  }
  void open(ContainerHandle& container) const {
    ASSERT_EQ(warpaes_container_open(context_->get(), key_.data(), key_.size(), nullptr, sealed_.data(),
                                     &container.handle),
              WARPAES_OK);
  }

  /// What the memory holds behind a call that had `bytes` of it: between bytes that nobody has touched.
  static Bytes written(const DeviceBytes& memory, uint64_t bytes) {
    const Bytes all = memory.read();
    EXPECT_EQ(slice(all, 0, kGuard), Bytes(kGuard, kUntouched));
    EXPECT_EQ(slice(all, kGuard + bytes, all.size() - kGuard - bytes),
              Bytes(all.size() - kGuard - bytes, kUntouched));
    return slice(all, kGuard, bytes);
  }

  const uint64_t whole_ = std::min<uint64_t>(extent_of_tests().longest_message / kChunk, 3000);
  const Bytes key_ = counting(32, 5), plaintext_ = counting(whole_ * kChunk + 100, 9);
  Bytes sealed_;
  std::unique_ptr<TestContext> context_;
  cudaStream_t stream_ = nullptr;
};

struct MemorySource {
  explicit MemorySource(const Bytes& from, uint32_t parallel = 1) : bytes(from) {
    plain.length = bytes.size();
    plain.user = this;
    plain.parallel = parallel;
    plain.on_device = 1;
    plain.read = [](void* user, uint64_t offset, void* into, uint64_t length) -> int32_t {
      const auto& self = *static_cast<MemorySource*>(user);
      EXPECT_TRUE(self.plain.parallel == 1 || std::this_thread::get_id() == self.caller);
      if (offset <= self.fails_at && self.fails_at < offset + length) return 5;
      std::memcpy(into, self.bytes.data() + offset, length);
      return 0;
    };
  }
  const Bytes& bytes;
  const std::thread::id caller = std::this_thread::get_id();
  uint64_t fails_at = UINT64_MAX;
  warpaes_container_source plain = sized<warpaes_container_source>();
};

TEST_F(ContainerOnGpu, ReadsAnyRangeToDeviceMemory) {
  ContainerHandle container;
  open(container);
  const uint64_t end = plaintext_.size();
  for (const uint64_t offset :
       {uint64_t{0}, uint64_t{1}, kChunk, 2 * kChunk - 1, end - 101, end - 1, end, UINT64_MAX}) {
    for (const uint64_t length : {uint64_t{0}, uint64_t{100}, kChunk, 2 * kChunk + 7, end}) {
      MemorySource source(sealed_, length % 2 == 0 ? 0 : 1);
      source.plain.stream = stream_;
      const uint64_t expected = offset >= end ? 0 : std::min(length, end - offset);
      const DeviceBytes memory(expected + 2 * kGuard);
      uint64_t got = 77;
      ASSERT_EQ(warpaes_container_read(container.handle, &source.plain, offset, memory.data() + kGuard,
                                       length, &got),
                WARPAES_OK)
          << offset << ", " << length << ": " << warpaes_last_error();
      ASSERT_EQ(got, expected);
      ASSERT_TRUE(written(memory, expected) == slice(plaintext_, std::min(offset, end), expected))
          << offset << ", " << length;
    }
  }
}

TEST_F(ContainerOnGpu, SealsAndOpensChunksOfDeviceMemory) {
  auto options = sized<warpaes_container_options>();
  options.salt = {key_.data(), 24};
  for (const warpaes_container_check check : {WARPAES_CONTAINER_CHECK_SAMPLE, WARPAES_CONTAINER_CHECK_FULL}) {
    options.check = check;
    Bytes header(kHeader);
    ContainerHandle container;
    ASSERT_EQ(warpaes_container_create(context_->get(), key_.data(), key_.size(), &options, header.data(),
                                       &container.handle),
              WARPAES_OK);
    ASSERT_EQ(header, slice(sealed_, 0, kHeader));
    void* pinned = nullptr;
    ASSERT_EQ(warpaes_host_alloc(context_->get(), sealed_.size(), &pinned), WARPAES_OK);
    Bytes pageable(sealed_.size());
    for (uint8_t* const memory : {static_cast<uint8_t*>(pinned), pageable.data()}) {
      for (const auto& [first, count, ends] : {std::tuple(uint64_t{0}, whole_, true),
                                               {uint64_t{0}, uint64_t{1}, false},
                                               {uint64_t{1}, whole_ - 1, false},
                                               {uint64_t{0}, uint64_t{0}, false},
                                               {whole_, uint64_t{0}, true}}) {
        const uint64_t length = ends ? plaintext_.size() - first * kChunk : count * kChunk;
        const uint64_t at = kHeader + first * kSealed, size = length + (count + (ends ? 1 : 0)) * 16;
        const DeviceBytes device(length + 2 * kGuard);
        // On the stream, which the call has to wait for.
        ASSERT_EQ(cudaMemcpyAsync(device.data() + kGuard, plaintext_.data() + first * kChunk, length,
                                  cudaMemcpyHostToDevice, stream_),
                  cudaSuccess);
        std::fill_n(memory, size, kUntouched);
        uint64_t made = 77;
        warpaes_chunks call = on_device(chunks(first, device.data() + kGuard, length, memory, size, ends));
        call.output_length = &made;
        ASSERT_EQ(warpaes_container_encrypt(container.handle, &call), WARPAES_OK) << warpaes_last_error();
        EXPECT_EQ(made, size);
        ASSERT_TRUE(std::equal(memory, memory + size, sealed_.begin() + static_cast<ptrdiff_t>(at)));
        const DeviceBytes opened(length + 2 * kGuard);
        std::vector<int32_t> statuses(count + 1, kUntouched);
        call = on_device(chunks(first, memory, size, opened.data() + kGuard, length, ends));
        call.output_length = &made;
        call.statuses = statuses.data();
        ASSERT_EQ(warpaes_container_decrypt(container.handle, &call), WARPAES_OK) << warpaes_last_error();
        EXPECT_EQ(made, length);
        EXPECT_EQ(std::count(statuses.begin(), statuses.end(), WARPAES_OK), count + (ends ? 1 : 0));
        ASSERT_TRUE(written(opened, length) == slice(plaintext_, first * kChunk, length));
      }
    }
    EXPECT_EQ(warpaes_host_free(context_->get(), pinned), WARPAES_OK);
  }
}

/// Nothing that is not genuine stays on the device: of chunks the wrong one is zero, of a range all is.
TEST_F(ContainerOnGpu, LeavesNothingOfAWrongChunk) {
  ContainerHandle container;
  open(container);
  for (const uint64_t wrong : {uint64_t{0}, whole_ - 1, whole_}) {
    for (const uint64_t byte : {uint64_t{50}, (wrong == whole_ ? 100 : kChunk) + 15}) {  // ciphertext, tag
      Bytes damaged = sealed_;
      damaged[kHeader + wrong * kSealed + byte] ^= 4;
      const DeviceBytes memory(plaintext_.size() + 2 * kGuard);
      std::vector<int32_t> statuses(whole_ + 1, kUntouched);
      uint64_t failed = 0, offset = 0;
      warpaes_chunks call = on_device(chunks(0, damaged.data() + kHeader, damaged.size() - kHeader,
                                             memory.data() + kGuard, plaintext_.size(), true));
      call.statuses = statuses.data();
      call.failed = &failed;
      call.failed_offset = &offset;
      EXPECT_EQ(warpaes_container_decrypt(container.handle, &call), WARPAES_ERROR_AUTHENTICATION);
      EXPECT_EQ(failed, wrong);
      EXPECT_EQ(offset, kHeader + wrong * kSealed);
      std::vector<int32_t> expected_statuses(whole_ + 1, WARPAES_OK);
      expected_statuses[wrong] = WARPAES_ERROR_AUTHENTICATION;
      EXPECT_EQ(statuses, expected_statuses);
      Bytes expected = plaintext_;
      const auto begin = expected.begin() + static_cast<ptrdiff_t>(wrong * kChunk);
      std::fill(begin, wrong == whole_ ? expected.end() : begin + kChunk, uint8_t{0});
      EXPECT_TRUE(written(memory, plaintext_.size()) == expected);
      MemorySource source(damaged);
      uint64_t got = 77;
      EXPECT_EQ(warpaes_container_read(container.handle, &source.plain, 0, memory.data() + kGuard,
                                       plaintext_.size(), &got),
                WARPAES_ERROR_AUTHENTICATION);
      EXPECT_NE(std::string(warpaes_last_error()).find("chunk " + std::to_string(wrong)), std::string::npos);
      EXPECT_EQ(got, 0u);
      EXPECT_TRUE(written(memory, plaintext_.size()) == Bytes(plaintext_.size(), 0));
    }
  }
}

TEST_F(ContainerOnGpu, TellsWhatIsMissingAndWhatWasAppended) {
  ContainerHandle container;
  open(container);
  const DeviceBytes memory(plaintext_.size() + 2 * kGuard);
  const auto status_of = [&](const Bytes& container_bytes, uint64_t fails_at = UINT64_MAX) {
    MemorySource source(container_bytes);
    source.fails_at = fails_at;
    return warpaes_container_read(container.handle, &source.plain, 0, memory.data() + kGuard,
                                  plaintext_.size(), nullptr);
  };
  EXPECT_EQ(status_of(slice(sealed_, 0, kHeader + 2 * kSealed)), WARPAES_ERROR_TRUNCATED);
  EXPECT_EQ(written(memory, 0).size(), 0u) << "nothing was read";
  EXPECT_EQ(status_of(slice(sealed_, 0, sealed_.size() - 1)), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(slice(written(memory, plaintext_.size()), 0, 2 * kChunk), Bytes(2 * kChunk, 0));
  Bytes longer = sealed_;
  longer.push_back(1);
  EXPECT_EQ(status_of(longer), WARPAES_ERROR_TRAILING_DATA);
  EXPECT_EQ(status_of(sealed_, kHeader + 40), WARPAES_ERROR_SOURCE);
  EXPECT_EQ(status_of(sealed_, sealed_.size() - 1), WARPAES_ERROR_SOURCE);
  EXPECT_TRUE(written(memory, plaintext_.size()) == Bytes(plaintext_.size(), 0));
  EXPECT_EQ(status_of(sealed_), WARPAES_OK);
}

TEST_F(ContainerOnGpu, RefusesMemoryThatIsNotTheDevices) {
  ContainerHandle container;
  open(container);
  void* pinned = nullptr;
  ASSERT_EQ(warpaes_host_alloc(context_->get(), kChunk, &pinned), WARPAES_OK);
  Bytes pageable(kChunk), output(2 * kSealed, kUntouched);
  const DeviceBytes memory(kChunk);
  for (void* const host : {pinned, static_cast<void*>(pageable.data())}) {
    const warpaes_chunks seal = on_device(chunks(0, host, kChunk, output.data(), output.size(), false));
    EXPECT_EQ(warpaes_container_encrypt(container.handle, &seal), WARPAES_ERROR_MEMORY_SPACE);
    EXPECT_NE(std::string(warpaes_last_error()).find("chunks->input"), std::string::npos);
    const warpaes_chunks opening =
        on_device(chunks(0, sealed_.data() + kHeader, kSealed, host, kChunk, false));
    EXPECT_EQ(warpaes_container_decrypt(container.handle, &opening), WARPAES_ERROR_MEMORY_SPACE);
    MemorySource source(sealed_);
    EXPECT_EQ(warpaes_container_read(container.handle, &source.plain, 0, host, kChunk, nullptr),
              WARPAES_ERROR_MEMORY_SPACE);
  }
  MemorySource longer(sealed_);  // whose end is nobody's memory
  longer.plain.length = kHeader + (uint64_t{1} << 26) * kSealed + 16;
  EXPECT_EQ(warpaes_container_read(container.handle, &longer.plain, 0, memory.data(), UINT64_MAX, nullptr),
            WARPAES_ERROR_MEMORY_SPACE);
  EXPECT_EQ(memory.read(), Bytes(kChunk, kUntouched));
  EXPECT_EQ(output, Bytes(output.size(), kUntouched));
  EXPECT_EQ(pageable, Bytes(kChunk));
  EXPECT_EQ(warpaes_host_free(context_->get(), pinned), WARPAES_OK);
}

TEST_F(ContainerOnGpu, LeavesACaptureAlone) {
  ContainerHandle container;
  open(container);
  const DeviceBytes memory(kChunk);
  ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
  const warpaes_chunks call =
      on_device(chunks(0, sealed_.data() + kHeader, kSealed, memory.data(), kChunk, false));
  EXPECT_EQ(warpaes_container_decrypt(container.handle, &call), WARPAES_ERROR_CAPTURE);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess) << "which goes on";
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(memory.read(), Bytes(kChunk, kUntouched));
  EXPECT_EQ(warpaes_container_decrypt(container.handle, &call), WARPAES_OK) << warpaes_last_error();
  EXPECT_EQ(memory.read(), slice(plaintext_, 0, kChunk));
}

}  // namespace
}  // namespace warpaes::core::testing
