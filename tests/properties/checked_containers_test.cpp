// Which calls of a container's C interface check what was encrypted, with memory that poses as a GPU's.
#include "c_api/container_handle.hpp"
#include "c_api/handles.hpp"
#include "pipeline/context_state.hpp"
#include "staging_fixture.hpp"
#include "warpaes/container.h"

namespace warpaes::core {
namespace {

constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH, kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH;

class CheckedContainers : public ::testing::Test {
 protected:
  CheckedContainers() { posing::device() = {}; }
  ~CheckedContainers() override { warpaes_container_destroy(container_); }

  void create(const warpaes_context& context, warpaes_container_check check) {
    const auto options = with(check);
    ASSERT_EQ(warpaes_container_create(&context, key_.data(), key_.size(), &options, header_, &container_),
              WARPAES_OK)
        << warpaes_last_error();
  }

  void open(const warpaes_context& context, warpaes_container_check check) {
    warpaes_container_destroy(container_);
    const auto options = with(check);
    ASSERT_EQ(warpaes_container_open(&context, key_.data(), key_.size(), &options, header_, &container_),
              WARPAES_OK)
        << warpaes_last_error();
  }

  /// @return how many of them were encrypted once more and compared
  uint64_t checked_of(uint64_t count) {
    const Bytes plaintext = random_bytes(count * kChunk, 3);
    Bytes sealed(count * kSealed);
    uint64_t length = 0;
    warpaes_chunks chunks{};
    chunks.size = sizeof chunks;
    chunks.input = plaintext.data();
    chunks.length = plaintext.size();
    chunks.output = sealed.data();
    chunks.output_capacity = sealed.size();
    chunks.output_length = &length;
    const uint64_t before = checked();
    EXPECT_EQ(warpaes_container_encrypt(container_, &chunks), WARPAES_OK) << warpaes_last_error();
    return checked() - before;
  }

 private:
  static warpaes_container_options with(warpaes_container_check check) {
    warpaes_container_options options{};
    options.size = sizeof options;
    options.check = check;
    return options;
  }

  uint64_t checked() const { return container_->checker ? container_->checker->checked_chunks() : 0; }

  const Bytes key_ = random_bytes(32, 1);
  uint8_t header_[WARPAES_CONTAINER_HEADER_LENGTH] = {};
  warpaes_container* container_ = nullptr;
};

/// Whether a GPU gets a part of a call depends on the call's length and memory. Here none was measured to
/// help, and the next longer call may be another matter, so only those are left out that are too short for
/// one.
TEST_F(CheckedContainers, EveryCallThatAGpuMayShareIsSampled) {
  const warpaes_context context{Context({.threads = 2})};
  context.context.state().speeds.set(
      WorkKind::gcm, {.one_thread = 5, .all_threads = 20, .with_gpu_pageable = 1, .with_gpu_pinned = 1});
  create(context, WARPAES_CONTAINER_CHECK_SAMPLE);
  EXPECT_EQ(checked_of(1), 0u);
  EXPECT_GE(checked_of(512), 8u);
}

TEST_F(CheckedContainers, NoCallOfAContextWithoutAGpuIsSampled) {
  const warpaes_context context{Context({.engine = "openssl", .threads = 2})};
  create(context, WARPAES_CONTAINER_CHECK_SAMPLE);
  EXPECT_EQ(checked_of(512), 0u);
}

TEST_F(CheckedContainers, OneThatWasOpenedChecksAsItsOptionsSay) {
  const warpaes_context context{Context({.engine = "openssl", .threads = 2})};
  create(context, WARPAES_CONTAINER_CHECK_NONE);
  EXPECT_EQ(checked_of(3), 0u);
  open(context, WARPAES_CONTAINER_CHECK_FULL);
  EXPECT_EQ(checked_of(3), 3u);
  open(context, WARPAES_CONTAINER_CHECK_NONE);
  EXPECT_EQ(checked_of(3), 0u);
}

}  // namespace
}  // namespace warpaes::core
