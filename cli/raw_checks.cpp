#include <fmt/format.h>

#include <algorithm>

#include "failure.hpp"
#include "failure_report.hpp"
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"
#include "raw_job.hpp"

namespace warpaes::cli {
namespace {

Refusal refuse_length(const RawJob& job, const std::string& name, const std::string& why,
                      const std::string& hint) {
  if (job.encrypts()) return Refusal(ExitCode::error, name + why, hint);
  return Refusal(ExitCode::truncated, name + why,
                 "copy or download it again: its end is missing, or it is of another mode");
}

size_t nonce_bytes_of(const RawJob& job) { return job.iv.empty() ? job.mode.iv_bytes : job.iv.size(); }

void require_length_of_sealed(const RawJob& job, const std::string& name, uint64_t bytes) {
  const uint64_t before = job.iv.empty() ? job.mode.iv_bytes : 0,
                 behind = job.tag.empty() ? job.tag_bytes : 0;
  const uint64_t beside = job.encrypts() ? 0 : before + behind;
  if (bytes < beside) {
    throw refuse_length(job, name, fmt::format(" is shorter than the {} bytes of its nonce and tag", beside),
                        "");
  }
  const uint64_t most = aead_row(*job.mode.aead).most_bytes(nonce_bytes_of(job));
  if (bytes - beside > most) {
    throw Refusal(ExitCode::error,
                  fmt::format("{} is longer than the {} bytes that {} has room for under a nonce of {}", name,
                              most, job.mode.name, nonce_bytes_of(job)),
                  job.mode.length_hint);
  }
}

/// The modes say themselves what they can wrap and unwrap.
void require_length_of_wrapped(const RawJob& job, const std::string& name, uint64_t bytes) {
  try {
    (job.encrypts() ? wrapped_bytes : unwrapped_room)(*job.mode.wrapping, bytes);
  } catch (const Failure& failure) {
    throw refuse_length(job, name, fmt::format(": {}", failure.what()),
                        "--mode kwp wraps what is no multiple of 8 bytes");
  }
}

void require_length_of_parts(const RawJob& job, const std::string& name, uint64_t bytes) {
  const uint64_t unit = job.padded && job.encrypts() ? 1 : job.mode.unit;
  if (bytes % unit != 0) {
    throw refuse_length(job, name, fmt::format(" has {} bytes, which is no multiple of {}", bytes, unit),
                        "leave out --no-padding, or take a mode for any length: ctr, gcm");
  }
  if (bytes < job.mode.least) {
    throw refuse_length(
        job, name, fmt::format(" has {} bytes: {} takes {} or more", bytes, job.mode.name, job.mode.least),
        "take a mode for any length: ctr, gcm");
  }
  if (job.padded && !job.encrypts() && bytes == 0) {
    throw refuse_length(job, name, " is empty, and padded ciphertext is one block at least", "");
  }
  const uint64_t last = job.mode.is_xts() ? bytes % job.data_unit_bytes : 0;
  if (last != 0 && last < kXtsMinUnitBytes) {
    throw refuse_length(job, name,
                        fmt::format(" has {} bytes: its last data unit would be {}, and the least is {}",
                                    bytes, last, kXtsMinUnitBytes),
                        "XTS is for whole sectors: fill the last one up");
  }
}

}  // namespace

void require_possible(const RawJob& job) {
  if (!job.mode.aead) return;
  const size_t nonce_bytes = nonce_bytes_of(job);
  const std::vector<uint8_t> nonce(nonce_bytes);
  uint8_t tag[64];
  int32_t status = 0;
  AeadBatch empty = {};
  empty.direction = job.direction;
  empty.mode = *job.mode.aead;
  empty.messages = 1;
  empty.host_nonce = nonce.data();
  empty.host_nonce_bytes = nonce_bytes;
  empty.tags = tag;
  empty.tag_stride = empty.tag_bytes = job.tag.empty() ? job.tag_bytes : job.tag.size();
  empty.statuses = &status;
  try {
    require_valid_aead(empty);
  } catch (const Failure& failure) {
    throw Refusal(ExitCode::usage, failure.what(), "--nonce and --tag-bytes say how long they are");
  }
}

void require_length(const RawJob& job, const std::string& name, uint64_t bytes) {
  if (job.mode.aead) return require_length_of_sealed(job, name, bytes);
  if (job.mode.wrapping) return require_length_of_wrapped(job, name, bytes);
  if (job.mode.mode) return require_length_of_parts(job, name, bytes);
  if (!job.encrypts() && bytes < sizeof(MacBlock)) {
    throw refuse_length(job, name, fmt::format(" is shorter than the {} bytes of its tag", sizeof(MacBlock)),
                        "");
  }
}

}  // namespace warpaes::cli
