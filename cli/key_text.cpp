#include "key_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "secret_file.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

/// "64, 48 or 32"
std::string listed(KeyLengths lengths, size_t factor) {
  std::string text;
  for (size_t i = 0; i < lengths.size(); i++) {
    if (i != 0) text += i + 1 == lengths.size() ? " or " : ", ";
    text += std::to_string(lengths[i] * factor);
  }
  return text;
}

/// Does a terminal show this byte?
bool is_shown(uint8_t byte) { return byte >= 0x20 && byte < 0x7f; }

bool is_white(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

std::span<const uint8_t> without_white_space_around(std::span<const uint8_t> text) {
  while (!text.empty() && is_white(text.front())) text = text.subspan(1);
  while (!text.empty() && is_white(text.back())) text = text.first(text.size() - 1);
  return text;
}

}  // namespace

bool KeyText::is_length(size_t bytes) const { return std::ranges::find(lengths_, bytes) != lengths_.end(); }

std::string KeyText::why_not(std::span<const uint8_t> text, const std::string& name) const {
  constexpr size_t kLengths[] = {16, 24, 32, 48, 64};
  const std::span<const uint8_t> line = without_line_end(text);
  const auto is_key = [&](size_t bytes) { return std::ranges::find(kLengths, bytes) != std::end(kLengths); };
  const bool digits = is_hexadecimal(line) && is_key(line.size() / 2);
  // Random bytes; what a terminal could show is digits with a mistake in them.
  const bool raw = is_key(text.size()) && !std::ranges::all_of(line, is_shown);
  if (digits || raw) {
    return fmt::format("{} holds a key of {} bits, and one of {} is needed", name,
                       8 * (digits ? line.size() / 2 : text.size()), listed(lengths_, 8));
  }
  if (is_key(line.size() / 2) && line.size() % 2 == 0 && std::ranges::all_of(line, is_shown)) {
    return fmt::format("{} holds no key: not all of its {} characters are hexadecimal digits", name,
                       line.size());
  }
  const std::span<const uint8_t> inner = without_white_space_around(line);
  if (inner.size() < line.size() && is_hexadecimal(inner) && is_key(inner.size() / 2)) {
    return fmt::format("{} holds no key: there is white space around its {} hexadecimal digits", name,
                       inner.size());
  }
  const std::string length = !line.empty() && is_hexadecimal(line)
                                 ? fmt::format("{} hexadecimal digits", text.size())
                                 : told_bytes(text.size());
  return fmt::format("{} holds no key: it is {}{} long", name, length,
                     text.size() == kMostBytes ? " or more" : "");
}

SecretKey KeyText::in_any_form(std::span<const uint8_t> text, const std::string& name) const {
  const std::span<const uint8_t> line = without_line_end(text);
  if (is_length(line.size() / 2) && is_hexadecimal(line)) return in_digits(text, name);
  if (!is_length(text.size())) throw Refusal(ExitCode::error, why_not(text, name), hint());
  SecretKey key;
  key.size_ = text.size();
  std::ranges::copy(text, key.bytes_.begin());
  return key;
}

SecretKey KeyText::in_digits(std::span<const uint8_t> text, const std::string& name) const {
  const std::span<const uint8_t> line = without_line_end(text);
  if (!is_hexadecimal(line)) {
    throw Refusal(ExitCode::error, name + " holds something else than pairs of hexadecimal digits", hint());
  }
  if (!is_length(line.size() / 2)) throw Refusal(ExitCode::error, why_not(line, name), hint());
  SecretKey key;
  key.size_ = line.size() / 2;
  decode_hexadecimal(line, std::span(key.bytes_).first(key.size_));
  return key;
}

std::string KeyText::hint() const {
  const size_t usual = lengths_.front();
  const std::string keygen = usual == 32 ? "keygen" : fmt::format("keygen --bits {}", 8 * usual);
  return fmt::format("a key is {} random bytes, or {} hexadecimal digits; `warpaes {} -o FILE` makes one",
                     listed(lengths_, 1), listed(lengths_, 2), keygen);
}

}  // namespace warpaes::cli
