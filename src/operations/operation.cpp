#include "operations/operation.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstring>

#include "failure.hpp"
#include "modes/regions.hpp"
#include "operations/parted_modes.hpp"
#include "primitives/align.hpp"
#include "primitives/wiped.hpp"
#include "process/residue.hpp"

namespace warpaes::core {
namespace {

/// How much an update in place copies at a time, if it has held bytes from before.
constexpr uint64_t kCopiedAtOnce = 1 << 20;

/// Throws BUFFER_SIZE, or what require_valid() throws. @return where up to so many bytes are to be written
MemoryRange checked_output(const uint8_t* output, uint64_t room, uint64_t bytes) {
  if (room < bytes) {
    throw Failure(WARPAES_ERROR_BUFFER_SIZE,
                  "the output has room for {} bytes, and up to {} are to be written", room, bytes);
  }
  return checked_range("the output", output, bytes);
}

}  // namespace

void PartedMode::seek(uint64_t) {
  throw Failure(WARPAES_ERROR_MODE, "this mode cannot go to another place: CTR can");
}

std::unique_ptr<PartedMode> PartedMode::copy() const {
  throw Failure(
      WARPAES_ERROR_MODE,
      "an operation of this mode cannot be copied, as two messages would have one nonce: CMAC's can");
}

Operation::Operation(const Key& key, const OperationOptions& options)
    : mode_(parted_mode(key, options)),
      shape_(mode_->shape()),
      checked_tag_bytes_(options.direction == WARPAES_DIRECTION_DECRYPT ? options.tag_bytes : 0),
      held_(rounded_up(shape_.unit - 1 + shape_.keep, shape_.unit)) {}

Operation::Operation(const Operation& other)
    : mode_(other.alive().copy()),
      shape_(other.shape_),
      checked_tag_bytes_(other.checked_tag_bytes_),
      held_(other.held_),
      held_bytes_(other.held_bytes_) {}

Operation::~Operation() { die(); }

void Operation::die() {
  OPENSSL_cleanse(held_.data(), held_.size());
  held_bytes_ = 0;
  mode_.reset();
}

PartedMode& Operation::alive() const {
  if (mode_ == nullptr) {
    throw Failure(WARPAES_ERROR_STATE, "the operation is over: it was finished, or a call of it failed");
  }
  return *mode_;
}

template <class Work>
uint64_t Operation::or_die(const Work& work) {
  alive();
  try {
    return work();
  } catch (...) {
    die();
    throw;
  }
}

uint64_t Operation::update_bytes(uint64_t bytes) const {
  alive();
  if (!shape_.makes_output) return 0;
  if (bytes > UINT64_MAX - held_bytes_) throw Failure(WARPAES_ERROR_LENGTH, "more bytes than addresses");
  const uint64_t all = held_bytes_ + bytes;
  return all <= shape_.keep ? 0 : (all - shape_.keep) / shape_.unit * shape_.unit;
}

uint64_t Operation::finish_bytes() const { return alive().finish_bytes(held_bytes_) - checked_tag_bytes_; }

uint64_t Operation::update(const uint8_t* input, uint64_t bytes, uint8_t* output, uint64_t room) {
  return or_die([&] {
    const uint64_t ready = update_bytes(bytes);
    const MemoryRange to = checked_output(output, room, ready),
                      from = checked_range("the input", input, bytes);
    if (!shape_.makes_output) {
      if (bytes != 0) mode_->crypt(input, nullptr, bytes);
      return ready;
    }
    if (input != output) require_apart(to, from);
    try {
      if (input == output && held_bytes_ != 0) {
        update_in_place(output, bytes);
      } else {
        update_apart(input, bytes, output);
      }
    } catch (...) {
      if (ready != 0) OPENSSL_cleanse(output, ready);
      throw;
    }
    return ready;
  });
}

void Operation::hold(const uint8_t* data, uint64_t bytes) {
  std::copy_n(data, bytes, held_.begin() + static_cast<ptrdiff_t>(held_bytes_));
  held_bytes_ += bytes;
}

/// Does first what is held, with as much of the input as makes it whole units, and then units of the input.
void Operation::update_apart(const uint8_t* input, uint64_t bytes, uint8_t* output) {
  const uint64_t ready = update_bytes(bytes);
  uint64_t taken = 0, written = 0;
  if (held_bytes_ != 0 && ready != 0) {
    const uint64_t first = std::min(rounded_up(held_bytes_, shape_.unit), ready);
    if (first > held_bytes_) {
      taken = first - held_bytes_;
      hold(input, taken);
    }
    mode_->crypt(held_.data(), output, first);
    held_bytes_ -= first;
    std::memmove(held_.data(), held_.data() + first, held_bytes_);
    written = first;
  }
  if (written != ready) {
    mode_->crypt(input + taken, output + written, ready - written);
    taken += ready - written;
  }
  if (taken != bytes) hold(input + taken, bytes - taken);
}

/// The output runs ahead of the input by what is held. A part of whole units writes no more than it has read,
/// so a copy of each part is enough.
void Operation::update_in_place(uint8_t* data, uint64_t bytes) {
  const uint64_t most = std::max(kCopiedAtOnce / shape_.unit, uint64_t{1}) * shape_.unit;
  Wiped<std::vector<uint8_t>> copy(std::min(most, bytes));
  uint64_t written = 0;
  for (uint64_t at = 0; at < bytes; at += most) {
    const uint64_t part = std::min(most, bytes - at);
    std::copy_n(data + at, part, copy.begin());
    const uint64_t ready = update_bytes(part);
    update_apart(copy.data(), part, data + written);
    written += ready;
  }
}

void Operation::require_end(bool verified) const {
  if (verified == (checked_tag_bytes_ != 0)) return;
  throw Failure(WARPAES_ERROR_OPTION,
                verified ? "there is no tag to be verified: warpaes_operation_finish ends this operation"
                         : "what was written is not authenticated: warpaes_operation_verify ends this "
                           "operation");
}

uint64_t Operation::finish(uint8_t* output, uint64_t room) {
  const uint64_t written = or_die([&] {
    require_end(false);
    const uint64_t most = finish_bytes();
    checked_output(output, room, most);
    try {
      return mode_->finish(held_.data(), held_bytes_, output);
    } catch (...) {
      if (most != 0) OPENSSL_cleanse(output, most);
      throw;
    }
  });
  die();
  return written;
}

/// A mode ends with the tag that the message ought to have, and whoever sees that could forge it.
uint64_t Operation::verify(std::span<const uint8_t> tag, uint8_t* output, uint64_t room) {
  const uint64_t written = or_die([&] {
    require_end(true);
    if (tag.size() != checked_tag_bytes_) {
      throw Failure(WARPAES_ERROR_TAG_LENGTH,
                    "the tag has {} bytes, and the operation was created for one of {}", tag.size(),
                    checked_tag_bytes_);
    }
    const uint64_t most = finish_bytes();
    require_apart(checked_output(output, room, most), checked_range("the tag", tag.data(), tag.size()));
    SecretBytes end(most + tag.size());
    const uint64_t bytes = mode_->finish(held_.data(), held_bytes_, end.data()) - tag.size();
    if (CRYPTO_memcmp(end.data() + bytes, tag.data(), tag.size()) != 0) {
      wipe_residue(StackDepth::callers_thread);
      throw Failure(WARPAES_ERROR_AUTHENTICATION,
                    "the tag is wrong: nothing that this operation wrote may be used");
    }
    std::copy_n(end.begin(), bytes, output);
    return bytes;
  });
  die();
  return written;
}

void Operation::seek(uint64_t offset) {
  or_die([&] {
    mode_->seek(offset);
    return uint64_t{0};
  });
}

}  // namespace warpaes::core
