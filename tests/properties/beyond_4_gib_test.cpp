// Lengths that do not fit into 32 bits.
#include <sys/mman.h>

#include <algorithm>

#include "../c_api/handles_for_tests.hpp"
#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

/// Pages that exist only once they are written.
class Pages {
 public:
  explicit Pages(size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0)) {}
  ~Pages() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  uint8_t* data() const { return data_ == MAP_FAILED ? nullptr : static_cast<uint8_t*>(data_); }

 private:
  size_t bytes_;
  void* data_;
};

TEST(Beyond4GiB, CtrInPlaceIsOpensslsAtItsEndsAndAroundThe32BitBoundary) {
  constexpr uint64_t kBytes = (uint64_t{1} << 32) + 17;
  const Pages memory(kBytes);
  if (memory.data() == nullptr) GTEST_SKIP() << "no 4 GiB of memory";
  const Bytes raw_key(16, 0x42), counter(16, 0);
  const TestContext context("openssl");
  const TestKey key(context, raw_key);
  ASSERT_EQ(warpaes_ctr_crypt(key.get(), counter.data(), memory.data(), memory.data(), kBytes), WARPAES_OK)
      << warpaes_last_error();

  // The memory was zero, so it is now the key stream: block n of it stands for itself.
  constexpr uint64_t kWindow = 1 << 16;
  for (const uint64_t at :
       {uint64_t{0}, (uint64_t{1} << 31) - kWindow / 2, (uint64_t{1} << 32) - kWindow, (uint64_t{1} << 32)}) {
    Bytes counter_there(16, 0);
    for (int i = 0; i < 8; i++) counter_there[15 - i] = static_cast<uint8_t>(at / 16 >> (8 * i));
    const uint64_t bytes = std::min(kWindow, kBytes - at);
    const Bytes expected = reference::ctr(raw_key, counter_there, Bytes(bytes, 0));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.data() + at)) << "at " << at;
  }
}

}  // namespace
}  // namespace warpaes::testing
