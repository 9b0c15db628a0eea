// Whatever a key file holds: it is refused with a sentence, or the key has one of the lengths that were asked
// for and is what the file holds, in digits or raw.
#include <algorithm>
#include <string>
#include <vector>

#include "failure_report.hpp"
#include "fuzz_target.hpp"
#include "hexadecimal.hpp"
#include "key_text.hpp"
#include "primitives/hex.hpp"
#include "secret_file.hpp"

namespace {

using namespace warpaes::core;
using namespace warpaes::cli;
using fuzz::require;

constexpr size_t kAllLengths[] = {32, 16, 24, 64, 48};
using View = std::span<const uint8_t>;

bool same(View a, View b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// The two readers of digits, the one without branches and the ordinary one, take and give the same.
void check_digits(View text) {
  const std::string digits(text.begin(), text.end());
  bool ordinary = true;
  std::vector<uint8_t> bytes;
  try {
    bytes = bytes_of_hex(digits);
  } catch (const std::invalid_argument&) {
    ordinary = false;
  }
  require(is_hexadecimal(text) == ordinary, "both readers take the same for digits");
  if (!ordinary) return;
  std::vector<uint8_t> decoded(text.size() / 2), again(text.size());
  decode_hexadecimal(text, decoded);
  require(decoded == bytes, "both readers give the same");
  encode_hexadecimal(decoded, again);
  require(bytes_of_hex(std::string(again.begin(), again.end())) == bytes, "digits come back");
}

void check_key(View text, KeyLengths lengths, bool only_digits) {
  const KeyText reader(lengths);
  try {
    const SecretKey key = only_digits ? reader.in_digits(text, "key") : reader.in_any_form(text, "key");
    const View line = without_line_end(text);
    require(std::find(lengths.begin(), lengths.end(), key.bytes().size()) != lengths.end(),
            "a key has a length that was asked for");
    std::vector<uint8_t> digits(line.size() / 2);
    if (is_hexadecimal(line)) decode_hexadecimal(line, digits);
    const bool is_of_digits = is_hexadecimal(line) && same(key.bytes(), digits);
    require(is_of_digits || (!only_digits && same(key.bytes(), text)), "a key is what the file holds");
  } catch (const Refusal& refusal) {
    require(!refusal.complaint().message.empty() && !refusal.complaint().hint.empty(), "refusals say why");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  const View text(data, bytes);
  check_digits(text);
  for (const bool only_digits : {false, true}) {
    check_key(text, kContainerKeys, only_digits);
    check_key(text, kAllLengths, only_digits);
  }
  return 0;
}
