#include "direct_io.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "interrupt.hpp"

namespace warpaes::cli {
namespace {

/// A multiple of what nearly all disks and file systems ask for.
constexpr uint64_t kUsualBlock = 4096;
/// Read or written at once by way of memory here.
constexpr uint64_t kBetween = 1 << 20;

bool is_multiple(const void* memory, uint64_t block) {
  return reinterpret_cast<uintptr_t>(memory) % block == 0;
}

/// Each thread has its own, from its first use to its end.
std::span<uint8_t> memory_between(uint64_t block) {
  thread_local std::unique_ptr<Blocks> memory;
  thread_local uint64_t its_block = 0;
  if (its_block < block) {
    memory = std::make_unique<Blocks>(block, std::max(kBetween, block));
    its_block = block;
  }
  return memory->bytes();
}

Refusal refuse_direct(const std::string& name) {
  return Refusal(ExitCode::error, name + " cannot bypass the page cache: its file system has no O_DIRECT",
                 "leave out --direct, or take a file on a disk");
}

}  // namespace

uint64_t bypass_page_cache(int fd, const std::string& name) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0) throw_errno(name);
  if (fcntl(fd, F_SETFL, flags | O_DIRECT) != 0) {
    if (errno == EINVAL) throw refuse_direct(name);
    throw_errno(name);
  }
  struct statx status = {};
  // Systems before Linux 6.1 do not tell.
  if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) != 0 || !(status.stx_mask & STATX_DIOALIGN)) {
    return kUsualBlock;
  }
  if (status.stx_dio_offset_align == 0) throw refuse_direct(name);
  return std::max<uint64_t>({kUsualBlock, status.stx_dio_offset_align, status.stx_dio_mem_align});
}

size_t read_at_directly(int fd, uint64_t block, uint64_t offset, std::span<uint8_t> into,
                        const std::string& name) {
  size_t done = 0;
  while (done < into.size()) {
    throw_if_interrupted();
    const std::span<uint8_t> rest = into.subspan(done);
    const uint64_t place = offset + done, before = place % block;
    const bool fits = before == 0 && rest.size() >= block && is_multiple(rest.data(), block);
    std::span<uint8_t> to = fits ? rest.first(rest.size() - rest.size() % block) : memory_between(block);
    if (!fits)
      to = to.first(std::min<uint64_t>((before + rest.size() + block - 1) / block * block, to.size()));
    const ssize_t got = pread(fd, to.data(), to.size(), static_cast<off_t>(place - before));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_errno("reading " + name);
    if (static_cast<uint64_t>(got) <= before) break;  // the file's end
    const size_t usable = std::min<size_t>(static_cast<size_t>(got) - before, rest.size());
    if (!fits) std::copy_n(to.begin() + static_cast<ptrdiff_t>(before), usable, rest.begin());
    done += usable;
  }
  return done;
}

Blocks::Blocks(uint64_t block, uint64_t bytes)
    : bytes_(bytes), memory_(static_cast<uint8_t*>(std::aligned_alloc(block, bytes)), Free{bytes}) {
  if (!memory_) throw std::bad_alloc();
}

void Blocks::Free::operator()(uint8_t* memory) const {
  OPENSSL_cleanse(memory, bytes);
  std::free(memory);
}

DirectWriter::DirectWriter(int fd, std::string name, uint64_t expected)
    : fd_(fd), name_(std::move(name)), block_(bypass_page_cache(fd, name_)) {
  cut_at(expected);
}

void DirectWriter::cut_at(uint64_t bytes) const {
  if (ftruncate(fd_, static_cast<off_t>(bytes)) != 0) throw_errno("writing " + name_);
}

void DirectWriter::write_at(uint64_t offset, std::span<const uint8_t> bytes) {
  const uint64_t to_boundary = (block_ - offset % block_) % block_;
  const std::span<const uint8_t> head = bytes.first(std::min<uint64_t>(to_boundary, bytes.size()));
  const std::span<const uint8_t> rest = bytes.subspan(head.size());
  const std::span<const uint8_t> whole = rest.first(rest.size() - rest.size() % block_);
  keep(offset, head);
  write_blocks(offset + head.size(), whole);
  keep(offset + head.size() + whole.size(), rest.subspan(whole.size()));
}

/// A part of one block.
void DirectWriter::keep(uint64_t offset, std::span<const uint8_t> bytes) {
  if (bytes.empty()) return;
  const uint64_t inside = offset % block_, place = offset - inside;
  std::map<uint64_t, Shared>::node_type whole;
  {
    const std::scoped_lock lock(mutex_);
    end_ = std::max(end_, offset + bytes.size());
    auto [found, is_new] = shared_.try_emplace(place, Shared{Blocks(block_, block_)});
    const std::span<uint8_t> memory = found->second.memory.bytes();
    if (is_new) std::ranges::fill(memory, uint8_t{0});
    std::ranges::copy(bytes, memory.begin() + static_cast<ptrdiff_t>(inside));
    found->second.filled += bytes.size();
    if (found->second.filled < block_) return;
    whole = shared_.extract(found);
  }
  put_all(place, whole.mapped().memory.bytes());
}

void DirectWriter::write_blocks(uint64_t offset, std::span<const uint8_t> bytes) {
  if (bytes.empty()) return;
  {
    const std::scoped_lock lock(mutex_);
    end_ = std::max(end_, offset + bytes.size());
  }
  if (is_multiple(bytes.data(), block_)) return put_all(offset, bytes);
  const std::span<uint8_t> between = memory_between(block_);
  while (!bytes.empty()) {
    const size_t part = std::min(bytes.size(), between.size());
    std::ranges::copy(bytes.first(part), between.begin());
    put_all(offset, between.first(part));
    offset += part;
    bytes = bytes.subspan(part);
  }
}

void DirectWriter::put_all(uint64_t offset, std::span<const uint8_t> blocks) const {
  while (!blocks.empty()) {
    throw_if_interrupted();
    const ssize_t put = pwrite(fd_, blocks.data(), blocks.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_errno("writing " + name_);
    offset += static_cast<size_t>(put);
    blocks = blocks.subspan(static_cast<size_t>(put));
  }
}

void DirectWriter::complete() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [place, shared] : shared_) put_all(place, shared.memory.bytes());
  shared_.clear();
  cut_at(end_);
}

}  // namespace warpaes::cli
