#include "salvage_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

uint64_t bytes_of(const std::vector<ByteRange>& ranges) {
  uint64_t bytes = 0;
  for (const ByteRange& range : ranges) bytes += range.bytes;
  return bytes;
}

/// Without a last chunk that was empty.
std::vector<ByteRange> lost_bytes(const PassResult& found) {
  std::vector<ByteRange> lost;
  std::ranges::copy_if(found.lost, std::back_inserter(lost),
                       [](const ByteRange& range) { return range.bytes != 0; });
  return lost;
}

/// "3 bytes are lost, and zeros in OUTPUT: 5 to 7"
std::string told_losses(const std::vector<ByteRange>& lost, const std::string& output) {
  constexpr size_t kMostNamed = 20;
  std::string text;
  for (size_t i = 0; i < lost.size() && i < kMostNamed; i++) {
    text +=
        fmt::format("{}{} to {}", i == 0 ? ": " : ", ", lost[i].offset, lost[i].offset + lost[i].bytes - 1);
  }
  if (lost.size() > kMostNamed) {
    text += fmt::format(" and {} more, which --json lists", lost.size() - kMostNamed);
  }
  const uint64_t bytes = bytes_of(lost);
  return fmt::format("{} {} lost, and zeros in {}{}", told_bytes(bytes), bytes == 1 ? "is" : "are", output,
                     text);
}

/// What --salvage could not save, or "".
std::string told_damage(const PassResult& found, const std::string& output) {
  std::vector<std::string> sentences;
  const std::vector<ByteRange> lost = lost_bytes(found);
  if (!lost.empty()) sentences.push_back(told_losses(lost, output));
  if (found.end_is_missing) {
    sentences.emplace_back("the end is missing");
  } else if (found.last_is_lost) {
    sentences.push_back(fmt::format("the last {} damaged or cut off, so perhaps the end is missing",
                                    lost.empty() ? "chunk, of no bytes, was" : "of them were"));
  }
  if (found.appended != 0) {
    const bool one = found.appended == 1;
    sentences.push_back(fmt::format("{} {} its end and {} left out", told_bytes(found.appended),
                                    one ? "follows" : "follow", one ? "is" : "are"));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

/// What is left of a file with such damage.
std::string told_rest(const PassResult& found, const std::string& output) {
  if (found.lost.empty() && !found.end_is_missing) {
    return "all that was encrypted is in " + output + " and right: it was authenticated";
  }
  const bool any = bytes_of(found.lost) < found.plaintext_bytes;
  return any ? "the rest was authenticated and is right" : "nothing of it could be saved";
}

}  // namespace

void require_sound(const PassResult& found, const std::string& input, const std::string& output) {
  const std::string name = shown_output(output);
  const std::string damage = told_damage(found, name);
  if (damage.empty()) return;
  Complaint complaint;
  complaint.code = ExitCode::damaged;
  complaint.message = fmt::format("{}: {}", shown(input), damage);
  complaint.hint = told_rest(found, name);
  complaint.output = output;
  complaint.lost = lost_bytes(found);
  throw Refusal(complaint);
}

}  // namespace warpaes::cli
