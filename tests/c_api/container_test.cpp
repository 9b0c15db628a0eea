// The container in the C interface and its C++ face: against the published format, chunk by chunk and at any
// place, and what is refused.
#include <cstring>
#include <map>

#include "handles_for_tests.hpp"
#include "warpaes/warpaes.hpp"

namespace warpaes::core::testing {
namespace {

constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH, kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                   kHeader = WARPAES_CONTAINER_HEADER_LENGTH;

/// A container in memory, made by `chunks_a_call` chunks at a time.
struct Made {
  Bytes key = counting(32, 5), plaintext, container;
};

warpaes_chunks range(uint64_t first, const uint8_t* input, uint64_t length, uint8_t* output,
                     uint64_t capacity, bool ends) {
  auto chunks = sized<warpaes_chunks>();
  chunks.first = first;
  chunks.input = input;
  chunks.length = length;
  chunks.output = output;
  chunks.output_capacity = capacity;
  chunks.ends = ends ? 1 : 0;
  return chunks;
}

Made make(const TestContext& context, uint64_t bytes, uint64_t chunks_a_call,
          const warpaes_container_options* options = nullptr, size_t key_bytes = 32) {
  Made made;
  made.key.resize(key_bytes);
  made.plaintext = counting(bytes);
  uint64_t size = 0;
  EXPECT_EQ(warpaes_container_size(WARPAES_DIRECTION_ENCRYPT, bytes, &size), WARPAES_OK);
  made.container.assign(size, kUntouched);
  ContainerHandle container;
  EXPECT_EQ(warpaes_container_create(context.get(), made.key.data(), made.key.size(), options,
                                     made.container.data(), &container.handle),
            WARPAES_OK)
      << warpaes_last_error();
  const uint64_t step = chunks_a_call * kChunk;
  for (uint64_t at = 0;; at += step) {
    const bool ends = at + step > bytes;
    const uint64_t to = kHeader + at / kChunk * kSealed;
    uint64_t length = 0;
    warpaes_chunks chunks = range(at / kChunk, made.plaintext.data() + at, ends ? bytes - at : step,
                                  made.container.data() + to, size - to, ends);
    chunks.output_length = &length;
    EXPECT_EQ(warpaes_container_encrypt(container.handle, &chunks), WARPAES_OK) << warpaes_last_error();
    if (!ends) continue;
    EXPECT_EQ(to + length, size);
    return made;
  }
}

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

/// Memory as a source, which counts and can fail.
struct CountedSource {
  explicit CountedSource(const Bytes& from) : bytes(from) {
    plain.length = bytes.size();
    plain.user = this;
    plain.read = [](void* user, uint64_t offset, void* into, uint64_t length) -> int32_t {
      auto& self = *static_cast<CountedSource*>(user);
      if (self.fails || offset > self.bytes.size() || length > self.bytes.size() - offset) return 5;
      std::memcpy(into, self.bytes.data() + offset, length);
      self.read += length;
      return 0;
    };
  }
  const Bytes& bytes;
  bool fails = false;
  uint64_t read = 0;
  warpaes_container_source plain = sized<warpaes_container_source>();
};

class ContainerRead : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(warpaes_container_open(context_.get(), made_.key.data(), made_.key.size(), nullptr,
                                     made_.container.data(), &container_.handle),
              WARPAES_OK);
  }
  warpaes_status read(CountedSource& source, uint64_t offset, uint64_t length) {
    into_.assign(length, kUntouched);
    got_ = 77;
    return warpaes_container_read(container_.handle, &source.plain, offset, into_.data(), length, &got_);
  }

  TestContext context_{"openssl", 2};
  Made made_ = make(context_, 60 * kChunk + 100, 100);
  ContainerHandle container_;
  Bytes into_;
  uint64_t got_ = 0;
};

TEST_F(ContainerRead, ReadsAnyRangeAndNoMoreThanItsChunks) {
  CountedSource source(made_.container);
  const uint64_t end = made_.plaintext.size();
  for (const uint64_t offset : {uint64_t{0}, uint64_t{1}, kChunk - 1, kChunk, 3 * kChunk + 5, end - 101,
                                end - 100, end - 1, end, end + 1, UINT64_MAX}) {
    for (const uint64_t length : {uint64_t{0}, uint64_t{1}, uint64_t{100}, kChunk, 2 * kChunk + 7, end}) {
      source.read = 0;
      ASSERT_EQ(read(source, offset, length), WARPAES_OK) << warpaes_last_error();
      const uint64_t expected = offset >= end ? 0 : std::min(length, end - offset);
      ASSERT_EQ(got_, expected) << offset << ", " << length;
      EXPECT_EQ(slice(into_, 0, expected), slice(made_.plaintext, std::min(offset, end), expected));
      // From the end on that is the last chunk, which proves it.
      const uint64_t chunks =
          expected == 0 ? offset >= end : (offset + expected - 1) / kChunk - offset / kChunk + 1;
      EXPECT_LE(source.read, chunks * kSealed) << offset << ", " << length;
    }
  }
}

TEST_F(ContainerRead, GivesNothingThatIsNotGenuine) {
  Bytes damaged = made_.container;
  damaged[kHeader + 40 * kSealed + 9] ^= 1;
  CountedSource source(damaged);
  EXPECT_EQ(read(source, 39 * kChunk, kChunk), WARPAES_OK);
  EXPECT_EQ(read(source, 30 * kChunk + 1, 15 * kChunk), WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(got_, 0u);
  EXPECT_EQ(into_, Bytes(into_.size(), 0)) << "also what was right before the wrong chunk";
  source.fails = true;
  EXPECT_EQ(read(source, 0, 10), WARPAES_ERROR_SOURCE);
  EXPECT_EQ(into_, Bytes(10, 0));
  const Bytes cut = slice(made_.container, 0, kHeader + 2 * kSealed);
  CountedSource of_cut(cut);
  EXPECT_EQ(read(of_cut, 0, 10), WARPAES_ERROR_TRUNCATED);
}

/// Whoever cuts a container behind a chunk and appends a tag's worth of bytes has made a possible length.
TEST_F(ContainerRead, FindsAnEndThatWasMadeUp) {
  for (const uint64_t kept : {uint64_t{0}, uint64_t{1}, uint64_t{2}}) {
    Bytes made_up = slice(made_.container, 0, kHeader + kept * kSealed);
    made_up.insert(made_up.end(), 16, uint8_t{7});
    CountedSource source(made_up);
    for (const uint64_t offset : {uint64_t{0}, kept * kChunk / 2, kept * kChunk, kept * kChunk + 1}) {
      EXPECT_EQ(read(source, offset, kept * kChunk), WARPAES_ERROR_AUTHENTICATION) << kept << ", " << offset;
      const uint64_t readable = kept * kChunk - std::min(offset, kept * kChunk);
      EXPECT_EQ(slice(into_, 0, readable), Bytes(readable, 0));
    }
    if (kept != 0) {
      EXPECT_EQ(read(source, 0, kept * kChunk - 1), WARPAES_OK) << "not up to the end";
    }
  }
}

TEST_F(ContainerRead, BringsWhatTheSourceThrowsThroughTheCInterface) {
  const Context context({.engine = "openssl"});
  ContainerHeader header;
  std::copy_n(made_.container.begin(), header.size(), header.begin());
  const std::optional<Container> container = Container::open(context, made_.key, header);
  ASSERT_TRUE(container.has_value());
  Bytes into(10);
  const auto throws = [](uint64_t, Output) { throw std::runtime_error("the disk is gone"); };
  EXPECT_THROW(container->read(made_.container.size(), throws, 0, into), std::runtime_error);
  const auto reads = [&](uint64_t offset, Output to) {
    std::memcpy(to.data(), made_.container.data() + offset, to.size());
  };
  EXPECT_EQ(container->read(made_.container.size(), reads, 5, into), 10u);
  EXPECT_EQ(into, slice(made_.plaintext, 5, 10));
  header[0] ^= 1;
  EXPECT_FALSE(Container::open(context, made_.key, header).has_value());
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

/// Everything that is refused: with its status, and with nothing written.
TEST(Container, RefusesWhatMakesNoSense) {
  const TestContext context("openssl", 1);
  const Made made = make(context, 2 * kChunk, 1);
  ContainerHandle container;
  ASSERT_EQ(warpaes_container_open(context.get(), made.key.data(), 32, nullptr, made.container.data(),
                                   &container.handle),
            WARPAES_OK);
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
