// The container in the C interface and its C++ wrapper: against the published format, chunk by chunk.
#include "container_for_tests.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::core::testing {
namespace {

/// All chunks of a container in one call.
struct Opened {
  warpaes_status status;
  Bytes plaintext;
  std::vector<int32_t> statuses;
  uint64_t failed = 0, offset = 0, length = 77;
};

Opened open_all(const TestContext& context, const Made& made, const Bytes& bytes,
                uint64_t container_length = 0) {
  ContainerHandle container;
  Opened opened{warpaes_container_open(context.get(), made.key.data(), made.key.size(), nullptr, bytes.data(),
                                       &container.handle),
                {},
                std::vector<int32_t>(bytes.size() / kSealed + 2, kUntouched)};
  if (opened.status != WARPAES_OK) return opened;
  opened.plaintext.assign(bytes.size(), kUntouched);
  warpaes_chunks chunks = range(0, bytes.data() + kHeader, bytes.size() - kHeader, opened.plaintext.data(),
                                opened.plaintext.size(), true);
  chunks.statuses = opened.statuses.data();
  chunks.failed = &opened.failed;
  chunks.failed_offset = &opened.offset;
  chunks.output_length = &opened.length;
  chunks.container_length = container_length;
  opened.status = warpaes_container_decrypt(container.handle, &chunks);
  opened.plaintext.resize(opened.length);
  return opened;
}

TEST(Container, OpensHoweverManyChunksACallSealed) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, kChunk - 1, kChunk, kChunk + 1, 5 * kChunk + 77}) {
      for (const uint64_t chunks_a_call : {1, 2, 100}) {
        for (const size_t key_bytes : {16, 32}) {
          const Made made = make(context, bytes, chunks_a_call, nullptr, key_bytes);
          const Opened opened = open_all(context, made, made.container);
          ASSERT_EQ(opened.status, WARPAES_OK) << engine << ", " << bytes << ": " << warpaes_last_error();
          ASSERT_EQ(opened.plaintext, made.plaintext) << engine << ", " << bytes;
          EXPECT_EQ(opened.failed, UINT64_MAX);
        }
      }
    }
  }
}

/// What the specification's reference makes of these inputs is in tests/container/vectors_test.cpp, for the
/// code beneath. This one is for the header.
TEST(Container, HasAHeaderOfSaltAndCommitment) {
  const TestContext context("openssl", 1);
  const Bytes salt = counting(24, 9), name = counting(10);
  auto options = sized<warpaes_container_options>();
  options.salt = {salt.data(), salt.size()};
  const Made made = make(context, 100, 1, &options);
  EXPECT_EQ(slice(made.container, 0, 24), salt);
  EXPECT_EQ(make(context, 100, 1, &options).container, made.container) << "the same salt";
  EXPECT_NE(make(context, 100, 1).container, made.container) << "a fresh salt";
  options.context = {name.data(), name.size()};
  EXPECT_NE(make(context, 100, 1, &options).container, made.container) << "another context string";
}

TEST(Container, OpensWithItsKeyAndContextOnly) {
  const TestContext context("openssl", 1);
  const Bytes name = counting(10);
  auto options = sized<warpaes_container_options>();
  options.context = {name.data(), name.size()};
  const Made made = make(context, 100, 1, &options);
  const auto open = [&](const Bytes& key, const warpaes_container_options* with, size_t changed) {
    Bytes header = slice(made.container, 0, kHeader);
    if (changed < kHeader) header[changed] ^= 1;
    ContainerHandle container;
    const warpaes_status status =
        warpaes_container_open(context.get(), key.data(), key.size(), with, header.data(), &container.handle);
    EXPECT_EQ(container.handle != nullptr, status == WARPAES_OK);
    return status;
  };
  EXPECT_EQ(open(made.key, &options, kHeader), WARPAES_OK);
  EXPECT_EQ(open(made.key, nullptr, kHeader), WARPAES_ERROR_CONTAINER_KEY);
  EXPECT_EQ(open(slice(made.key, 0, 16), &options, kHeader), WARPAES_ERROR_CONTAINER_KEY);
  EXPECT_EQ(open(slice(made.key, 0, 24), &options, kHeader), WARPAES_ERROR_KEY_LENGTH);
  for (size_t byte = 0; byte < kHeader; byte++) {
    EXPECT_EQ(open(made.key, &options, byte), WARPAES_ERROR_CONTAINER_KEY) << byte;
  }
}

TEST(Container, TellsWhichChunkIsDamagedAndOpensTheOthers) {
  const TestContext context("openssl", 2);
  const Made made = make(context, 3 * kChunk + 100, 100);
  for (uint64_t chunk = 0; chunk < 4; chunk++) {
    Bytes damaged = made.container;
    damaged[kHeader + chunk * kSealed + 50] ^= 0x20;
    const Opened opened = open_all(context, made, damaged);
    EXPECT_EQ(opened.status, WARPAES_ERROR_AUTHENTICATION);
    EXPECT_EQ(opened.failed, chunk);
    EXPECT_EQ(opened.offset, kHeader + chunk * kSealed);
    Bytes expected = made.plaintext;
    const auto begin = expected.begin() + static_cast<ptrdiff_t>(chunk * kChunk);
    std::fill(begin, chunk == 3 ? expected.end() : begin + kChunk, uint8_t{0});
    EXPECT_EQ(opened.plaintext, expected);
    for (uint64_t i = 0; i < 4; i++) {
      EXPECT_EQ(opened.statuses[i], i == chunk ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK);
    }
    EXPECT_EQ(opened.statuses[4], kUntouched);
  }
}

/// Without an output. The chunks that are damaged are those that opening finds, whatever their length is.
TEST(Container, ChecksChunksWithoutPlaintext) {
  for (const std::string& engine : usable_engines()) {
    const TestContext context(engine.c_str(), 2);
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, kChunk - 1, 3 * kChunk, 3 * kChunk + 100}) {
      const Made made = make(context, bytes, 100);
      ContainerHandle container;
      ASSERT_EQ(warpaes_container_open(context.get(), made.key.data(), made.key.size(), nullptr,
                                       made.container.data(), &container.handle),
                WARPAES_OK);
      const uint64_t chunks = bytes / kChunk + 1;
      for (uint64_t wrong = 0; wrong <= chunks; wrong++) {                 // the last time, none is
        for (const uint64_t from_its_end : {uint64_t{1}, uint64_t{17}}) {  // the tag, and ciphertext
          Bytes sealed = slice(made.container, kHeader, made.container.size() - kHeader);
          const uint64_t end = std::min((wrong + 1) * kSealed, sealed.size());
          if (from_its_end > end - std::min(wrong * kSealed, end)) continue;  // it is empty
          if (wrong < chunks) sealed[end - from_its_end] ^= 1;
          std::vector<int32_t> statuses(chunks, kUntouched), expected(chunks, WARPAES_OK);
          if (wrong < chunks) expected[wrong] = WARPAES_ERROR_AUTHENTICATION;
          uint64_t failed = 0, length = 77;
          warpaes_chunks call = range(0, sealed.data(), sealed.size(), nullptr, 0, true);
          call.statuses = statuses.data();
          call.failed = &failed;
          call.output_length = &length;
          EXPECT_EQ(warpaes_container_decrypt(container.handle, &call),
                    wrong < chunks ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK)
              << engine << ", " << bytes << ", " << wrong << ": " << warpaes_last_error();
          EXPECT_EQ(statuses, expected);
          EXPECT_EQ(failed, wrong < chunks ? wrong : UINT64_MAX);
          EXPECT_EQ(length, bytes);
        }
      }
      warpaes_chunks call = range(0, made.plaintext.data(), 0, nullptr, 0, true);
      EXPECT_EQ(warpaes_container_encrypt(container.handle, &call), WARPAES_ERROR_BUFFER_SIZE);
    }
  }
}

TEST(Container, TellsWhatWasAppendedAndWhatIsMissing) {
  const TestContext context("openssl", 1);
  const Made made = make(context, kChunk + 100, 100);
  Bytes longer = made.container;
  longer.push_back(7);
  const Opened appended = open_all(context, made, longer);
  EXPECT_EQ(appended.status, WARPAES_ERROR_TRAILING_DATA);
  EXPECT_EQ(appended.failed, 1u);
  EXPECT_EQ(appended.offset, made.container.size());
  EXPECT_NE(std::string(warpaes_last_error()).find("bytes follow"), std::string::npos);
  const Opened counted = open_all(context, made, longer, longer.size());
  EXPECT_EQ(counted.status, WARPAES_ERROR_TRAILING_DATA);
  EXPECT_NE(std::string(warpaes_last_error()).find("and 1 bytes follow"), std::string::npos)
      << warpaes_last_error();
  const Opened cut = open_all(context, made, slice(made.container, 0, kHeader + kSealed + 15));
  EXPECT_EQ(cut.status, WARPAES_ERROR_TRUNCATED);
  EXPECT_EQ(cut.length, 0u);
  uint64_t size = 7;
  EXPECT_EQ(warpaes_container_size(WARPAES_DIRECTION_DECRYPT, kHeader + kSealed, &size),
            WARPAES_ERROR_TRUNCATED);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(warpaes_container_size(WARPAES_DIRECTION_DECRYPT, made.container.size(), &size), WARPAES_OK);
  EXPECT_EQ(size, made.plaintext.size());
  EXPECT_EQ(warpaes_container_size(WARPAES_DIRECTION_ENCRYPT, uint64_t{1} << 52, &size),
            WARPAES_ERROR_LENGTH);
}

TEST(Container, WritesNoStatusBehindThoseThatItWasGiven) {
  const Context context({.engine = "openssl", .threads = 1});
  const Bytes key = counting(32), plaintext = counting(3 * kChunk + 9);
  ContainerHeader header;
  const Container container = Container::create(context, key, header);
  Bytes sealed(container_size(plaintext.size()) - header.size()), opened(plaintext.size());
  container.encrypt({.input = plaintext, .output = sealed, .ends = true});
  std::vector<int32_t> statuses(4, kUntouched);
  const auto open_with = [&](size_t entries) {
    return container.decrypt(
        {.input = sealed, .output = opened, .ends = true, .statuses = std::span(statuses).first(entries)});
  };
  EXPECT_THROW((void)open_with(3), Error);
  EXPECT_TRUE(open_with(0)) << "none are wanted";
  EXPECT_EQ(statuses, std::vector<int32_t>(4, kUntouched));
  EXPECT_TRUE(open_with(4));
  EXPECT_EQ(statuses, std::vector<int32_t>(4, WARPAES_OK));
}

TEST(Container, WritesAndReadsByItsCPlusPlusFace) {
  const Context context({.engine = "openssl", .threads = 2});
  const Bytes key = counting(32), plaintext = counting(3 * kChunk + 9);
  ContainerHeader header;
  const Container container = Container::create(context, key, header, {.check = ContainerCheck::full});
  Bytes sealed(container_size(plaintext.size()) - header.size()), opened(plaintext.size());
  EXPECT_EQ(container.encrypt({.input = plaintext, .output = sealed, .ends = true}), sealed.size());
  EXPECT_EQ(container.plan(plaintext.size()).engine, std::string("openssl/evp"));
  EXPECT_GE(container.plan().chunks_a_call, 1u);
  EXPECT_EQ(container.plan(plaintext.size()).on_device, 0u);
  std::vector<int32_t> statuses(4, kUntouched);
  EXPECT_TRUE(container.decrypt({.input = sealed, .output = opened, .ends = true, .statuses = statuses}));
  EXPECT_EQ(opened, plaintext);
  EXPECT_EQ(statuses, std::vector<int32_t>(4, WARPAES_OK));
  EXPECT_EQ(plaintext_size(header.size() + sealed.size()), plaintext.size());
  EXPECT_EQ(plaintext_size(3), std::nullopt);
  sealed[20] ^= 1;
  const ChunkVerdict verdict = container.decrypt({.input = sealed, .output = opened, .ends = true});
  EXPECT_EQ(verdict.status(), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(verdict.failed(), 0u);
}

}  // namespace
}  // namespace warpaes::core::testing
