#include "text_source.hpp"

#include <algorithm>

namespace warpaes::cli {

namespace {

std::optional<uint64_t> text_in_place(const InputFile& from, size_t tag_length) {
  // Files of /proc and /sys, whose lengths are not true, are short.
  constexpr uint64_t kLong = 1 << 20;
  const std::optional<uint64_t> bytes = from.size();
  if (!bytes || *bytes < kLong || !from.has_random_access()) return std::nullopt;
  return *bytes - tag_length;
}

}  // namespace

InputText::InputText(InputFile& from, size_t tag_length)
    : from_(from), tag_length_(tag_length), in_place_(text_in_place(from, tag_length)) {
  if (!in_place_) return;
  tag_.resize(tag_length);
  from.read_all_at(*in_place_, tag_);
}

std::optional<uint64_t> InputText::expected() const {
  if (!from_.size()) return std::nullopt;
  return *from_.size() - std::min<uint64_t>(tag_length_, *from_.size());
}

uint64_t InputText::read(uint64_t offset, std::span<uint8_t> into) {
  if (in_place_) {
    const uint64_t wanted = std::min<uint64_t>(into.size(), *in_place_ - std::min(offset, *in_place_));
    from_.read_all_at(offset, into.first(wanted));
    return wanted;
  }
  const size_t got = from_.read(into);
  const std::span<const uint8_t> next = from_.peek(tag_length_);
  if (got == into.size() && next.size() == tag_length_) return got;
  // The input ends here, and its last bytes are the tag: some of them may have been read.
  const size_t read_of_tag = std::min(got, tag_length_ - next.size());
  tag_.assign(into.begin() + static_cast<ptrdiff_t>(got - read_of_tag),
              into.begin() + static_cast<ptrdiff_t>(got));
  tag_.insert(tag_.end(), next.begin(), next.end());
  return got - read_of_tag;
}

uint64_t SpoolingText::read(uint64_t offset, std::span<uint8_t> into) {
  const uint64_t got = from_.read(offset, into);
  spool_.write(into.first(got));
  return got;
}

}  // namespace warpaes::cli
