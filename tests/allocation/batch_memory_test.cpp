// Lets batches run out of memory in the middle of a call. No message may be called done then, and all must be
// told that memory was lacking, as the caller is.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "failing_memory.hpp"
#include "failure.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core::testing {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kMessages = 40, kBytes = 1024;

Batch batch_of(warpaes_mode mode, Bytes& data, const Bytes& nonces, Bytes& tags,
               std::vector<int32_t>& statuses) {
  Batch batch{};
  batch.mode = mode;
  batch.direction = WARPAES_DIRECTION_ENCRYPT;
  batch.messages = kMessages;
  batch.bytes = batch.input_stride = batch.output_stride = kBytes;
  batch.input = batch.output = data.data();
  batch.nonces = nonces.data();
  batch.nonce_bytes = batch.nonce_stride = mode == WARPAES_MODE_GCM ? 12 : 16;
  if (mode == WARPAES_MODE_GCM) {
    batch.tags = tags.data();
    batch.tag_bytes = batch.tag_stride = 16;
  }
  batch.statuses = statuses.data();
  return batch;
}

/// @return did memory run out?
bool runs_out_of_memory(const Key& key, const Batch& batch) {
  try {
    batch_host(key, batch);
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), WARPAES_ERROR_HOST_MEMORY) << failure.what();
    return true;
  }
}

TEST(BatchMemory, EachMessageIsToldThatMemoryWasLacking) {
  const std::vector<int32_t> untouched(kMessages, -1), lacking(kMessages, WARPAES_ERROR_HOST_MEMORY);
  int told = 0;
  for (const char* engine : {"openssl", "portable"}) {
    const Context context({.engine = engine, .threads = 2});
    for (const warpaes_mode mode : {WARPAES_MODE_GCM, WARPAES_MODE_CBC, WARPAES_MODE_CTR}) {
      for (int64_t n = 0, failed = 1; failed != 0; n++) {
        const Key key(context, Bytes(16, 3));
        Bytes data(kMessages * kBytes, 1), tags(16 * kMessages);
        const Bytes nonces(16 * kMessages, 2);
        std::vector<int32_t> statuses = untouched;
        const Batch batch = batch_of(mode, data, nonces, tags, statuses);
        FailingMemory::fail_at(n);
        const bool ran_out = runs_out_of_memory(key, batch);
        failed = FailingMemory::stop() ? 1 : 0;
        if (!ran_out) continue;
        EXPECT_TRUE(statuses == lacking || statuses == untouched)
            << engine << ", mode " << mode << ", allocation " << n << ": " << statuses.front();
        told += statuses == lacking;
      }
    }
  }
  EXPECT_GT(told, 3);
}

}  // namespace
}  // namespace warpaes::core::testing
