#include "whole_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kHint = "`warpaes encrypt` authenticates chunk by chunk, and has no such limit";

Refusal refuse_too_long(const InputFile& input) {
  return Refusal(ExitCode::error,
                 fmt::format("{} is of more than {} bytes: nothing of it may leave before all of it is "
                             "checked, so it would have to be in memory",
                             shown(input.name()), kMostInMemory),
                 kHint);
}

warpaes::HostBuffer memory_for(const warpaes::Context& context, const InputFile& input, uint64_t bytes) {
  try {
    return {context, bytes};
  } catch (const Error& error) {
    if (error.status() != WARPAES_ERROR_HOST_MEMORY) throw;
    throw Refusal(ExitCode::error,
                  fmt::format("{} has to be in memory as a whole: {}", shown(input.name()), error.what()),
                  kHint);
  }
}

/// One byte more than is expected, so that the end is seen. Files of /proc tell 0 and hold more, and some of
/// them give it to the first read only.
uint64_t first_capacity(const InputFile& input) {
  constexpr uint64_t kOfPipes = 1 << 20, kOfProc = 1 << 16;
  if (!input.size()) return kOfPipes;
  if (*input.size() > kMostInMemory) throw refuse_too_long(input);
  return std::max(*input.size() + 1, kOfProc);
}

}  // namespace

WholeInput::WholeInput(const warpaes::Context& context, InputFile& input)
    : buffer_(memory_for(context, input, first_capacity(input))) {
  read_all(context, input);
}

void WholeInput::read_all(const warpaes::Context& context, InputFile& input) {
  for (;;) {
    size_ += input.read({buffer_.data() + size_, buffer_.size() - size_});
    if (size_ > kMostInMemory) throw refuse_too_long(input);
    if (size_ < buffer_.size()) return;
    warpaes::HostBuffer larger =
        memory_for(context, input, std::min<uint64_t>(2 * buffer_.size(), kMostInMemory + 1));
    std::copy_n(buffer_.data(), size_, larger.data());
    buffer_ = std::move(larger);
  }
}

}  // namespace warpaes::cli
