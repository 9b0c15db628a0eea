#include "spool.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include "failure_report.hpp"
#include "interrupt.hpp"
#include "secret_file.hpp"
#include "shown_name.hpp"
#include "warpaes/kdf.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kHint = "TMPDIR names another folder, with room for all of the message";
constexpr const char* kName = "a temporary file";

/// Of plaintext, in the file. A worker's share of a piece is a multiple of it, so that what is read lies in
/// whole blocks.
constexpr uint64_t kBlock = 512 << 10;
constexpr size_t kTag = 16;
static_assert(kKeptInMemory % kBlock == 0);

/// For files that may be large: hier(7) has /var/tmp on a disk.
std::string folder_of_spools() {
  const char* const wanted = getenv("TMPDIR");
  return wanted && *wanted ? wanted : "/var/tmp";
}

warpaes::Cipher cipher_of_fresh_key(const warpaes::Context& context) {
  SecretBytes key(32);
  warpaes::random(key.bytes());
  return {context, Mode::gcm, key.bytes()};
}

/// A block's number: each is written once under the spool's key.
std::array<uint8_t, 12> nonce_of(uint64_t offset) {
  std::array<uint8_t, 12> nonce = {};
  uint64_t number = offset / kBlock;
  for (size_t i = 0; number != 0; i++, number >>= 8) nonce[i] = static_cast<uint8_t>(number);
  return nonce;
}

uint64_t place_in_file(uint64_t offset) { return offset / kBlock * (kBlock + kTag); }

void read_whole(int file, uint64_t place, std::span<uint8_t> into) {
  if (read_at_fully(file, place, into, kName) < into.size()) {
    throw Refusal(ExitCode::error, "a temporary file became shorter");
  }
}

}  // namespace

void Spool::write(std::span<const uint8_t> bytes) {
  if (!file_) {
    if (size() + bytes.size() <= kKeptInMemory) return hold(bytes);
    create_file();
  }
  while (!bytes.empty()) {
    if (held_bytes_ == 0 && bytes.size() >= kBlock) {
      seal(bytes.first(kBlock));
      bytes = bytes.subspan(kBlock);
      continue;
    }
    const uint64_t taken = std::min<uint64_t>(bytes.size(), kBlock - held_bytes_);
    hold(bytes.first(taken));
    bytes = bytes.subspan(taken);
    if (held_bytes_ < kBlock) continue;
    held_bytes_ = 0;
    seal({held_.data(), kBlock});
  }
}

void Spool::hold(std::span<const uint8_t> bytes) {
  if (held_bytes_ + bytes.size() > held_.size()) {
    const uint64_t wanted = std::max<uint64_t>(held_bytes_ + bytes.size(), kBlock);
    warpaes::HostBuffer larger(context_, std::max(wanted, std::min(2 * held_bytes_, kKeptInMemory)));
    std::copy_n(held_.data(), held_bytes_, larger.data());
    held_ = std::move(larger);
  }
  std::ranges::copy(bytes, held_.data() + held_bytes_);
  held_bytes_ += bytes.size();
}

/// What was held goes there, but for what is no whole block.
void Spool::create_file() {
  const std::string folder = folder_of_spools();
  file_ = FileDescriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600));
  if (!file_) {
    std::string name = folder + "/warpaes.XXXXXX";
    file_ = FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
    if (file_) unlink(name.c_str());
  }
  if (!file_) {
    const std::string why = std::generic_category().message(errno);
    throw Refusal(ExitCode::error, "making a temporary file in " + shown(folder) + ": " + why, kHint);
  }
  cipher_ = cipher_of_fresh_key(context_);
  sealed_ = warpaes::HostBuffer(context_, kBlock + kTag);
  const warpaes::HostBuffer before = std::exchange(held_, {});
  const uint64_t bytes = std::exchange(held_bytes_, 0), whole = bytes / kBlock * kBlock;
  for (uint64_t at = 0; at < whole; at += kBlock) seal({before.data() + at, kBlock});
  hold({before.data() + whole, bytes - whole});
}

void Spool::seal(std::span<const uint8_t> block) {
  const std::span<uint8_t> sealed(sealed_.data(), sealed_.size());
  cipher_->encrypt({.input = block,
                    .output = sealed.first(kBlock),
                    .nonce = nonce_of(in_file_),
                    .tag = sealed.last(kTag)});
  try {
    write_fully(file_.get(), sealed, kName);
  } catch (const std::system_error& error) {
    throw Refusal(ExitCode::error, error.what(), kHint);
  }
  in_file_ += kBlock;
}

/// @param block as many bytes as a block has
void Spool::open(uint64_t offset, std::span<uint8_t> block) const {
  std::array<uint8_t, kTag> tag;
  read_whole(file_.get(), place_in_file(offset), block);
  read_whole(file_.get(), place_in_file(offset) + kBlock, tag);
  if (!cipher_->decrypt({.input = block, .output = block, .nonce = nonce_of(offset), .tag = tag})) {
    throw Refusal(ExitCode::error, "a temporary file does not hold any more what was written to it",
                  "its disk may be failing; TMPDIR names another folder");
  }
}

void Spool::read_at(uint64_t offset, std::span<uint8_t> into) const {
  while (!into.empty()) {
    if (offset >= in_file_) {
      const uint64_t from = offset - in_file_;
      if (into.size() > held_bytes_ - std::min(from, held_bytes_)) {
        throw std::out_of_range("reading behind the end of what was kept");
      }
      std::copy_n(held_.data() + from, into.size(), into.begin());
      return;
    }
    const uint64_t within = offset % kBlock, taken = std::min<uint64_t>(kBlock - within, into.size());
    if (taken == kBlock) {
      open(offset, into.first(kBlock));
    } else {
      warpaes::HostBuffer block(context_, kBlock);
      open(offset - within, {block.data(), block.size()});
      std::copy_n(block.data() + within, taken, into.begin());
    }
    offset += taken;
    into = into.subspan(taken);
  }
}

}  // namespace warpaes::cli
