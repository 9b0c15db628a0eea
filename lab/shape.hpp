// How the work of a lesson is laid out, and which parts of that can be varied as axes of a study.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpaes::core::lab {

/// Where a table or the round keys lie.
enum Space : uint32_t { kGlobal, kConstant, kShared, kParameter };

struct Shape {
  uint32_t threads = 256;          // of a thread block
  uint32_t blocks_per_thread = 1;  // AES blocks of 16 bytes for each thread
  uint32_t table_copies = 1;       // in shared memory
  uint32_t keys_in = kParameter;   // a Space
  uint32_t tables_in = kShared;    // a Space
  uint32_t grid = 0;               // thread blocks of the grid; 0: as many as the lesson wants
};

/// One member of Shape that a lesson lets vary, and the values that it may have.
struct Axis {
  using Member = uint32_t Shape::*;

  std::string_view name;  // the name of the option of `warpaes lab run`
  std::string_view meaning;
  Member member;
  std::span<const uint32_t> values;
  std::span<const std::string_view> value_names = {};  // of an axis whose values are a Space
};

inline constexpr uint32_t kThreadValues[] = {32, 64, 128, 256, 512, 1024};
inline constexpr uint32_t kBlockValues[] = {1, 2, 4, 8};
inline constexpr uint32_t kCopyValues[] = {1, 2, 4, 8, 16, 32};
inline constexpr uint32_t kSpaceValues[] = {kGlobal, kConstant, kShared, kParameter};
inline constexpr std::string_view kSpaceNames[] = {"global", "constant", "shared", "parameter"};

inline constexpr Axis kThreads = {"threads", "threads in a block of the grid", &Shape::threads,
                                  kThreadValues};
inline constexpr Axis kBlocksPerThread = {"blocks-per-thread",
                                          "blocks of 16 bytes that a thread has at work at a time",
                                          &Shape::blocks_per_thread, kBlockValues};
inline constexpr Axis kTableCopies = {"copies", "copies of the table in shared memory", &Shape::table_copies,
                                      kCopyValues};
inline constexpr Axis kKeysIn = {"keys-in", "memory that the round keys are in", &Shape::keys_in,
                                 kSpaceValues, kSpaceNames};
inline constexpr Axis kTablesIn = {"tables-in", "memory that the tables are in", &Shape::tables_in,
                                   kSpaceValues, kSpaceNames};

/// All members of Shape that some lesson lets vary, each with all of its values.
std::span<const Axis> all_axes();

/// A value in words, for example "128" or "shared"; and all values of an axis.
std::string value_name(const Axis& axis, uint32_t value);
std::string value_names(const Axis& axis);

}  // namespace warpaes::core::lab
