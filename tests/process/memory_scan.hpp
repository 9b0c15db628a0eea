// Searches the whole of this process's memory for bytes that should not be in it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "smaps.hpp"

namespace warpaes::core::testing {

/// Windows of 8 bytes to search for. They are kept disguised, or the search would find what it searches for.
class Needles {
 public:
  /// Every 8 bytes of these.
  void add(std::span<const uint8_t> bytes);
  /// Of the key, both of its schedules and GHASH's subkey. The schedules are computed in a child process, so
  /// that nothing of them is ever in this one because of the search.
  void add_key(std::span<const uint8_t> key);
  /// The tweaks of so many blocks of XTS' data unit with this number, computed in a child process as well.
  /// @param key XTS' second one
  void add_tweaks(std::span<const uint8_t> key, std::span<const uint8_t> number, size_t blocks);

  const std::vector<uint64_t>& disguised() const { return disguised_; }

 private:
  /// Windows of 8 bytes that a child process computes.
  void add_from_child(const std::function<std::vector<uint64_t>()>& windows);

  std::vector<uint64_t> disguised_;
};

/// A place in memory with one of the needles.
struct Hit {
  const uint8_t* address;
  Mapping mapping;
};

/// In all memory that can be written, at any alignment; the first of each mapping's are kept, 1000 at most.
std::vector<Hit> find(const Needles& needles);

/// "7ffc12345678 in [stack]", a line a hit.
std::string describe(const std::vector<Hit>& hits);

}  // namespace warpaes::core::testing
