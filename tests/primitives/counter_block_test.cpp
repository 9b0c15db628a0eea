#include "primitives/counter_block.hpp"

#include <gtest/gtest.h>

#include "primitives/hex.hpp"

namespace warpaes::core {
namespace {

using Step = CounterBlock (*)(CounterBlock, uint64_t);

std::string after(Step step, std::string_view counter, uint64_t blocks) {
  std::vector<uint8_t> bytes = bytes_of_hex(counter);
  store_counter(bytes.data(), step(load_counter(bytes.data()), blocks));
  return hex_of_bytes(bytes);
}

struct Case {
  Step step;
  const char* before;
  uint64_t blocks;
  const char* after;
};

constexpr Case kCases[] = {
    {add128, "00000000000000000000000000000000", 1, "00000000000000000000000000000001"},
    {add128, "000102030405060708090a0b0c0d0eff", 1, "000102030405060708090a0b0c0d0f00"},
    {add128, "000000000000000000000000ffffffff", 1, "00000000000000000000000100000000"},
    {add128, "0000000000000000ffffffffffffffff", 1, "00000000000000010000000000000000"},
    {add128, "ffffffffffffffffffffffffffffffff", 1, "00000000000000000000000000000000"},
    {add128, "fffffffffffffffffffffffffffffffe", 5, "00000000000000000000000000000003"},
    {add128, "0000000000000000fffffffffffffff0", 0xffffffffffffffff, "0000000000000001ffffffffffffffef"},
    {add128, "00000000000000000000000000000007", 0, "00000000000000000000000000000007"},
    {add32, "000102030405060708090a0b00000001", 1, "000102030405060708090a0b00000002"},
    {add32, "000102030405060708090a0bffffffff", 1, "000102030405060708090a0b00000000"},
    {add32, "fffffffffffffffffffffffffffffffe", 3, "ffffffffffffffffffffffff00000001"},
    {add32, "000102030405060708090a0b00000001", 0xfffffffe, "000102030405060708090a0bffffffff"},
    {add32, "000102030405060708090a0b00000001", 0x100000000, "000102030405060708090a0b00000001"},
};

TEST(CounterBlock, CarriesAndWraps) {
  for (const Case& c : kCases) {
    EXPECT_EQ(after(c.step, c.before, c.blocks), c.after) << c.before << " + " << c.blocks;
  }
}

TEST(ByteOrder, LoadsAndStores) {
  const std::vector<uint8_t> bytes = bytes_of_hex("0102030405060708");
  EXPECT_EQ(load_le32(bytes.data()), 0x04030201u);
  EXPECT_EQ(load_be32(bytes.data()), 0x01020304u);
  EXPECT_EQ(load_le64(bytes.data()), 0x0807060504030201u);
  EXPECT_EQ(load_be64(bytes.data()), 0x0102030405060708u);
  std::vector<uint8_t> stored(24);
  store_le32(stored.data(), 0x04030201u);
  store_be32(stored.data() + 4, 0x05060708u);
  store_le64(stored.data() + 8, 0x0807060504030201u);
  store_be64(stored.data() + 16, 0x0102030405060708u);
  EXPECT_EQ(hex_of_bytes(stored), "010203040506070801020304050607080102030405060708");
}

TEST(Hex, RefusesWhatIsNone) {
  EXPECT_EQ(hex_of_bytes(bytes_of_hex("00fFA5")), "00ffa5");
  EXPECT_THROW(bytes_of_hex("0"), std::invalid_argument);
  EXPECT_THROW(bytes_of_hex("0g"), std::invalid_argument);
  EXPECT_THROW(bytes_of_hex("0 "), std::invalid_argument);
}

}  // namespace
}  // namespace warpaes::core
