// What calls on containers refuse.
#include "container_for_tests.hpp"

namespace warpaes::core::testing {
namespace {

/// A container of two whole chunks that has been opened.
struct OpenContainer {
  OpenContainer() {
    EXPECT_EQ(warpaes_container_open(context.get(), made.key.data(), made.key.size(), nullptr,
                                     made.container.data(), &container.handle),
              WARPAES_OK);
  }

  const TestContext context{"openssl", 1};
  const Made made = make(context, 2 * kChunk, 1);
  ContainerHandle container;
};

/// Everything that is refused: with its status, and with nothing written.
TEST(Container, RefusesWhatMakesNoSense) {
  const OpenContainer opened;
  const auto& [context, made, container] = opened;
  Bytes input = counting(2 * kChunk), output(3 * kSealed, kUntouched);
  const warpaes_chunks right = range(0, input.data(), 2 * kChunk, output.data(), output.size(), false);
  struct Row {
    const char* what;
    warpaes_status expected;
    void (*spoil)(warpaes_chunks&);
  };
  const Row rows[] = {
      {"no size", WARPAES_ERROR_OPTION, [](warpaes_chunks& chunks) { chunks.size = 0; }},
      {"on_device", WARPAES_ERROR_OPTION, [](warpaes_chunks& chunks) { chunks.on_device = 2; }},
      {"no GPU", WARPAES_ERROR_UNSUPPORTED, [](warpaes_chunks& chunks) { chunks.on_device = 1; }},
      {"a stream of host memory", WARPAES_ERROR_OPTION,
       [](warpaes_chunks& chunks) { chunks.stream = reinterpret_cast<warpaes_stream>(&chunks); }},
      {"ends", WARPAES_ERROR_OPTION, [](warpaes_chunks& chunks) { chunks.ends = 2; }},
      {"no input", WARPAES_ERROR_NULL_POINTER, [](warpaes_chunks& chunks) { chunks.input = nullptr; }},
      {"no output", WARPAES_ERROR_NULL_POINTER, [](warpaes_chunks& chunks) { chunks.output = nullptr; }},
      {"no whole chunks", WARPAES_ERROR_LENGTH, [](warpaes_chunks& chunks) { chunks.length--; }},
      {"too many", WARPAES_ERROR_LENGTH, [](warpaes_chunks& chunks) { chunks.first = uint64_t{1} << 38; }},
      {"far too many", WARPAES_ERROR_LENGTH, [](warpaes_chunks& chunks) { chunks.first = UINT64_MAX; }},
      {"endless", WARPAES_ERROR_LENGTH,
       [](warpaes_chunks& chunks) { chunks.length = UINT64_MAX / kChunk * kChunk; }},
      {"little room", WARPAES_ERROR_BUFFER_SIZE,
       [](warpaes_chunks& chunks) { chunks.output_capacity = 2 * kSealed - 1; }},
      {"overlap", WARPAES_ERROR_OVERLAP, [](warpaes_chunks& chunks) { chunks.input = chunks.output; }},
  };
  for (const Row& row : rows) {
    warpaes_chunks chunks = right;
    row.spoil(chunks);
    uint64_t length = 77;
    chunks.output_length = &length;
    EXPECT_EQ(warpaes_container_encrypt(container.handle, &chunks), row.expected) << row.what;
    EXPECT_STRNE(warpaes_last_error(), "") << row.what;
    EXPECT_EQ(output, Bytes(output.size(), kUntouched)) << row.what;
  }
  EXPECT_EQ(warpaes_container_encrypt(nullptr, &right), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_container_encrypt(container.handle, nullptr), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(warpaes_container_encrypt(container.handle, &right), WARPAES_OK);
}

/// Statuses are written also when a call fails, so that they must lie where nothing else does.
TEST(Container, RefusesStatusesThatLieInTheChunks) {
  const OpenContainer opened;
  const auto& [context, made, container] = opened;
  Bytes sealed(made.container.begin() + kHeader, made.container.begin() + kHeader + 2 * kSealed);
  const Bytes before = sealed;
  Bytes output(2 * kChunk, kUntouched);
  std::array<int32_t, 3> apart = {-1, -1, -1};
  uint8_t* const unaligned = reinterpret_cast<uint8_t*>(apart.data()) + 1;
  const struct {
    const char* what;
    warpaes_status expected;
    void* statuses;
    bool checks_only;
  } rows[] = {
      {"in the input", WARPAES_ERROR_OVERLAP, sealed.data() + kSealed, false},
      {"in the input, only to check", WARPAES_ERROR_OVERLAP, sealed.data() + kSealed, true},
      {"in the output", WARPAES_ERROR_OVERLAP, output.data() + kChunk, false},
      {"unaligned", WARPAES_ERROR_OPTION, unaligned, false},
      {"apart", WARPAES_OK, apart.data(), true},
  };
  for (const auto& row : rows) {
    warpaes_chunks chunks = range(0, sealed.data(), sealed.size(), output.data(), output.size(), false);
    if (row.checks_only) chunks.output = nullptr, chunks.output_capacity = 0;
    chunks.statuses = static_cast<int32_t*>(row.statuses);
    EXPECT_EQ(warpaes_container_decrypt(container.handle, &chunks), row.expected) << row.what;
    EXPECT_EQ(sealed, before) << row.what;
    EXPECT_EQ(output, Bytes(output.size(), kUntouched)) << row.what;
  }
}

/// The numbers that say how a call went are written before all else.
TEST(Container, RefusesNumbersThatLieInTheChunks) {
  const OpenContainer opened;
  const auto& [context, made, container] = opened;
  Bytes sealed(made.container.begin() + kHeader, made.container.begin() + kHeader + 2 * kSealed);
  const Bytes before = sealed;
  Bytes output(2 * kChunk, kUntouched);
  std::array<int32_t, 2> statuses = {-1, -1};
  uint64_t* const places[] = {reinterpret_cast<uint64_t*>(sealed.data() + kSealed),
                              reinterpret_cast<uint64_t*>(output.data() + kChunk),
                              reinterpret_cast<uint64_t*>(statuses.data())};
  uint64_t* warpaes_chunks::* const numbers[] = {&warpaes_chunks::output_length, &warpaes_chunks::failed,
                                                 &warpaes_chunks::failed_offset};
  for (uint64_t* const place : places) {
    for (const auto number : numbers) {
      warpaes_chunks chunks = range(0, sealed.data(), sealed.size(), output.data(), output.size(), false);
      chunks.statuses = statuses.data();
      chunks.output_capacity = UINT64_MAX;
      chunks.*number = place;
      EXPECT_EQ(warpaes_container_decrypt(container.handle, &chunks), WARPAES_ERROR_OVERLAP);
      EXPECT_EQ(sealed, before);
      EXPECT_EQ(output, Bytes(output.size(), kUntouched));
      EXPECT_EQ(statuses[0], -1);
    }
  }
  for (const auto number : numbers) {
    for (const auto other : numbers) {
      if (number == other) continue;
      uint64_t both = 7;
      warpaes_chunks chunks = range(0, sealed.data(), sealed.size(), output.data(), output.size(), false);
      chunks.*number = chunks.*other = &both;
      EXPECT_EQ(warpaes_container_decrypt(container.handle, &chunks), WARPAES_ERROR_OVERLAP);
      EXPECT_EQ(both, 7u);
    }
  }
}

/// A last chunk that is none: nothing is opened, and it is told where the end is missing.
TEST(Container, TruncatedChunksSayWhere) {
  const OpenContainer opened;
  const auto& [context, made, container] = opened;
  Bytes sealed(made.container.begin() + kHeader, made.container.begin() + kHeader + 2 * kSealed + 5);
  Bytes output(3 * kChunk, kUntouched);
  uint64_t length = 7, failed = 7, offset = 7;
  warpaes_chunks chunks = range(0, sealed.data(), sealed.size(), output.data(), output.size(), true);
  chunks.output_length = &length;
  chunks.failed = &failed;
  chunks.failed_offset = &offset;
  EXPECT_EQ(warpaes_container_decrypt(container.handle, &chunks), WARPAES_ERROR_TRUNCATED);
  EXPECT_EQ(length, 0u);
  EXPECT_EQ(failed, 2u);
  EXPECT_EQ(offset, kHeader + sealed.size());
  EXPECT_EQ(output, Bytes(output.size(), kUntouched));
}

TEST(Container, RefusesOptionsThatMakeNoSense) {
  const TestContext context("openssl", 1);
  const Bytes key(32, 1);
  Bytes header(kHeader, kUntouched);
  const auto create = [&](const warpaes_container_options* options, size_t key_bytes = 32) {
    ContainerHandle container;
    const warpaes_status status = warpaes_container_create(context.get(), key.data(), key_bytes, options,
                                                           header.data(), &container.handle);
    EXPECT_EQ(container.handle == nullptr, status != WARPAES_OK);
    return status;
  };
  auto options = sized<warpaes_container_options>();
  EXPECT_EQ(create(&options, 0), WARPAES_ERROR_KEY_LENGTH);
  options.check = 3;
  EXPECT_EQ(create(&options), WARPAES_ERROR_OPTION);
  options.check = WARPAES_CONTAINER_CHECK_NONE;
  options.salt = {key.data(), 23};
  EXPECT_EQ(create(&options), WARPAES_ERROR_LENGTH);
  options.salt = {nullptr, 24};
  EXPECT_EQ(create(&options), WARPAES_ERROR_NULL_POINTER);
  EXPECT_EQ(header, Bytes(kHeader, kUntouched));
  options.salt = {nullptr, 0};
  EXPECT_EQ(create(&options), WARPAES_OK);
  ContainerHandle container;
  options.salt = {key.data(), 24};
  EXPECT_EQ(warpaes_container_open(context.get(), key.data(), 32, &options, header.data(), &container.handle),
            WARPAES_ERROR_OPTION);
}

}  // namespace
}  // namespace warpaes::core::testing
