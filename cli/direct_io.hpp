// Files that are read and written past the page cache (open(2), O_DIRECT), so that a file larger than memory
// does not drive out what other programs have there. Places, lengths and memory are multiples of a block
// then; what is none goes by way of memory here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace warpaes::cli {

/// Has an open file bypass the page cache. Throws if its file system cannot do that.
/// @return bytes of a block
uint64_t bypass_page_cache(int fd, const std::string& name);

/// As read_at_fully(), of a file that bypasses the page cache.
size_t read_at_directly(int fd, uint64_t block, uint64_t offset, std::span<uint8_t> into,
                        const std::string& name);

/// Memory that begins at a multiple of a block; wiped when it goes.
class Blocks {
 public:
  Blocks(uint64_t block, uint64_t bytes);
  std::span<uint8_t> bytes() const { return {memory_.get(), bytes_}; }

 private:
  struct Free {
    uint64_t bytes;
    void operator()(uint8_t* memory) const;
  };
  uint64_t bytes_;
  std::unique_ptr<uint8_t, Free> memory_;
};

/// A new file that bypasses the page cache, written in any order and by several threads, each byte once. A
/// block that several pieces share is kept until all of them are there.
class DirectWriter {
 public:
  /// @param expected length of the file, or 0: within it, no write has to wait for another that makes it
  /// longer
  DirectWriter(int fd, std::string name, uint64_t expected);

  void write_at(uint64_t offset, std::span<const uint8_t> bytes);
  /// Writes the last block, of which only a part belongs to the file, and gives the file its length.
  void complete();

 private:
  struct Shared {
    Blocks memory;
    uint64_t filled = 0;
  };

  void keep(uint64_t offset, std::span<const uint8_t> bytes);
  void write_blocks(uint64_t offset, std::span<const uint8_t> bytes);
  void cut_at(uint64_t bytes) const;
  void put_all(uint64_t offset, std::span<const uint8_t> blocks) const;

  const int fd_;
  const std::string name_;
  const uint64_t block_;
  std::mutex mutex_;
  std::map<uint64_t, Shared> shared_;  // by the block's place
  uint64_t end_ = 0;                   // of the file
};

}  // namespace warpaes::cli
