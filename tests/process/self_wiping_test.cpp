// Objects that promise to wipe themselves are built in memory of the test, filled, destroyed, and then looked
// for in that memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "engines/portable/portable_engine.hpp"
#include "modes/chain.hpp"
#include "modes/mac_chain.hpp"
#include "primitives/ghash.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core::testing {
namespace {

/// Bytes that are not zero while the object lives, and after it was destroyed.
struct Remains {
  size_t before, after;
};

template <class Object>
Remains remains_of(const std::function<Object*(void* place)>& build) {
  const auto place = std::make_unique<uint8_t[]>(sizeof(Object) + alignof(Object));
  void* aligned = place.get();
  size_t room = sizeof(Object) + alignof(Object);
  std::align(alignof(Object), sizeof(Object), aligned, room);
  Object* const object = build(aligned);
  const auto nonzero = [aligned] {
    const auto* const bytes = static_cast<const volatile uint8_t*>(aligned);
    return static_cast<size_t>(
        std::count_if(bytes, bytes + sizeof(Object), [](uint8_t byte) { return byte != 0; }));
  };
  const size_t before = nonzero();
  std::destroy_at(object);
  return {before, nonzero()};
}

TEST(SelfWiping, SecretBlocks) {
  const Remains remains = remains_of<SecretBlock>([](void* place) {
    auto* const block = new (place) SecretBlock;
    block->fill(0xa5);
    return block;
  });
  EXPECT_EQ(remains.before, 16u);
  EXPECT_EQ(remains.after, 0u);
}

/// What it is made of is wiped as well.
TEST(SelfWiping, SecretBlocksOfTemporaries) {
  MacBlock temporary;
  temporary.fill(0xa5);
  const SecretBlock block(std::move(temporary));  // NOLINT(performance-move-const-arg)
  EXPECT_EQ(block[15], 0xa5);
  EXPECT_EQ(std::count(temporary.begin(), temporary.end(), 0), 16);  // NOLINT(bugprone-use-after-move)
}

TEST(SelfWiping, ChainScratches) {
  const Remains remains = remains_of<ChainScratch>([](void* place) {
    auto* const scratch = new (place) ChainScratch;
    scratch->fill(0xa5);
    return scratch;
  });
  EXPECT_EQ(remains.before, 4096u);
  EXPECT_EQ(remains.after, 0u);
}

TEST(SelfWiping, GhashWithItsKeyAndSum) {
  const Remains remains = remains_of<Ghash>([](void* place) {
    auto* const ghash = new (place) Ghash({0x0123456789abcdef, 0xfedcba9876543211});
    ghash->add({0x1111111111111111, 0x2222222222222222});
    return ghash;
  });
  EXPECT_GT(remains.before, 30u);
  EXPECT_EQ(remains.after, 0u);
}

/// Two references stay, to the engine and its key.
TEST(SelfWiping, CmacWithItsSubkeysAndChain) {
  const uint8_t raw_key[16] = {1};
  const auto key = portable_t_tables.prepare(KeySchedule(raw_key), 0);
  const Remains remains = remains_of<Cmac>([&key, &raw_key](void* place) {
    auto* const cmac = new (place) Cmac(portable_t_tables, *key);
    cmac->start();
    cmac->add(raw_key, 16);
    cmac->add(raw_key, 5);
    return cmac;
  });
  EXPECT_GT(remains.before, 60u - 2 * sizeof(void*));  // bytes of addresses may be zero
  EXPECT_LE(remains.after, 2 * sizeof(void*) + 1);     // and how many bytes were held
}

}  // namespace
}  // namespace warpaes::core::testing
