#include <fmt/format.h>

#include <algorithm>

#include "failure_report.hpp"
#include "raw_job.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

Refusal refuse_length(const RawJob& job, const std::string& name, const std::string& why,
                      const std::string& hint) {
  if (job.encrypts()) return Refusal(ExitCode::error, name + why, hint);
  return Refusal(ExitCode::truncated, name + why,
                 "copy or download it again: its end is missing, or it is of another mode");
}

void require_length_of_sealed(const RawJob& job, const std::string& name, uint64_t bytes) {
  const uint64_t beside = job.bytes_beside();
  if (bytes < beside) {
    throw refuse_length(job, name, fmt::format(" is shorter than the {} bytes of its nonce and tag", beside),
                        "");
  }
  const uint64_t most = job.mode.longest_message(job.nonce_length());
  if (bytes - beside > most) {
    throw Refusal(ExitCode::error,
                  fmt::format("{} is longer than the {} bytes that {} has room for under a nonce of {}", name,
                              most, job.mode.name, job.nonce_length()),
                  job.mode.length_hint);
  }
}

/// The library says itself what it can wrap and unwrap.
void require_length_of_wrapped(const RawJob& job, const std::string& name, uint64_t bytes) {
  try {
    (void)output_size(job.mode.mode, job.direction, bytes);
  } catch (const Error& error) {
    const bool kwp_has_it = job.mode.mode == Mode::kw && bytes != 0;
    throw refuse_length(job, name, fmt::format(": {}", error.what()),
                        kwp_has_it ? "--mode kwp wraps what is no multiple of 8 bytes" : "");
  }
}

void require_length_of_parts(const RawJob& job, const std::string& name, uint64_t bytes) {
  const uint64_t unit = job.padded && job.encrypts() ? 1 : job.mode.info.message_multiple;
  if (bytes % unit != 0) {
    throw refuse_length(job, name,
                        fmt::format(" has {}, which is no multiple of {}", told_bytes(bytes), unit),
                        "leave out --no-padding, or take a mode for any length: ctr, gcm");
  }
  const uint64_t least = job.mode.is_xts() ? 0 : job.mode.info.shortest_message;  // data units: see below
  if (bytes < least) {
    throw refuse_length(job, name,
                        fmt::format(" has {}: {} takes {} or more", told_bytes(bytes), job.mode.name, least),
                        "take a mode for any length: ctr, gcm");
  }
  if (job.padded && !job.encrypts() && bytes == 0) {
    throw refuse_length(job, name, " is empty, and padded ciphertext is one block at least", "");
  }
  const uint64_t last = job.mode.is_xts() ? bytes % job.data_unit : 0;
  if (last != 0 && last < kShortestDataUnit) {
    throw refuse_length(job, name,
                        fmt::format(" has {}: its last data unit would be {}, and the least is {}",
                                    told_bytes(bytes), last, kShortestDataUnit),
                        "XTS is for whole sectors: fill the last one up");
  }
}

/// "12", "7 to 13" or "1 or more".
std::string range_text(uint64_t least, uint64_t most) {
  if (least == most) return told_bytes(least);
  if (most == UINT64_MAX) return told_bytes(least) + " or more";
  return fmt::format("{} to {} bytes", least, most);
}

/// Of lengths that are bits: "12 to 16 bytes", "8, 12, 16 bytes".
std::string lengths_text(uint32_t lengths) {
  std::vector<unsigned> each;
  for (unsigned length = 0; length < 32; length++) {
    if (lengths >> length & 1) each.push_back(length);
  }
  if (each.empty() || each.back() - each.front() + 1 == each.size()) {
    return each.empty() ? "no length" : range_text(each.front(), each.back());
  }
  std::string all;
  for (const unsigned length : each) all += (all.empty() ? "" : ", ") + std::to_string(length);
  return all + " bytes";
}

}  // namespace

void require_possible(const RawJob& job) {
  if (!job.mode.is_aead()) return;
  const ModeInfo& info = job.mode.info;
  const char* const hint = "--nonce and --tag-bytes say how long they are";
  const size_t nonce = job.nonce_length();
  if (nonce < info.shortest_nonce || nonce > info.longest_nonce) {
    throw Refusal(ExitCode::usage,
                  fmt::format("{} takes a nonce of {}, not of {}", job.mode.name,
                              range_text(info.shortest_nonce, info.longest_nonce), nonce),
                  hint);
  }
  if (job.tag_length >= 32 || (info.tag_lengths >> job.tag_length & 1) == 0) {
    throw Refusal(ExitCode::usage,
                  fmt::format("{} takes a tag of {}, not of {}", job.mode.name,
                              lengths_text(info.tag_lengths), job.tag_length),
                  hint);
  }
}

void require_length(const RawJob& job, const std::string& name, uint64_t bytes) {
  if (job.mode.is_aead()) return require_length_of_sealed(job, name, bytes);
  if (job.mode.wraps()) return require_length_of_wrapped(job, name, bytes);
  if (job.mode.streams()) return require_length_of_parts(job, name, bytes);
  if (bytes < job.bytes_beside()) {
    throw refuse_length(job, name,
                        fmt::format(" is shorter than the {} bytes of its tag", job.bytes_beside()), "");
  }
}

}  // namespace warpaes::cli
