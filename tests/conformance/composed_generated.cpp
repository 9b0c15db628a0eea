#include <random>

#include "composed_cases.hpp"
#include "evp_reference.hpp"
#include "primitives/byte_order.hpp"

namespace warpaes::core::conformance {
namespace {

class Generator {
 public:
  explicit Generator(const ComposedVisitor& visit) : visit_(visit) {}

  void visit_key_size(size_t key_bytes) {
    for (size_t bytes = 0; bytes <= 100; bytes++) visit_length(key_bytes, bytes);
    for (size_t semiblocks = 1; semiblocks <= 4; semiblocks++) {
      for (size_t wrong = 0; wrong <= 8; wrong++) {  // 8: none
        for (uint64_t length = 0; length <= 8 * semiblocks + 9; length++) {
          visit_kwp_check(key_bytes, semiblocks, length, wrong);
        }
        visit_kwp_check(key_bytes, semiblocks, UINT32_MAX, wrong);
      }
    }
    for (const size_t bytes : {255, 256, 257, 511, 4'095, 4'096, 4'097, 4'100})
      visit_length(key_bytes, bytes);
  }

 private:
  Bytes random(size_t count) {
    Bytes bytes(count);
    for (uint8_t& each : bytes) each = static_cast<uint8_t>(random_());
    return bytes;
  }

  /// make(direction, input), both ways.
  template <class Make>
  void both(const Make& make, const Bytes& plaintext, const Bytes& ciphertext) {
    for (const auto direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
      const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
      ComposedCase test = make(direction, encrypting ? plaintext : ciphertext);
      test.expected = encrypting ? ciphertext : plaintext;
      test.name = std::to_string(plaintext.size()) + " bytes" + (encrypting ? "" : ", decrypt");
      visit_(test);
    }
  }

  void visit_length(size_t key_bytes, size_t bytes) {
    const Bytes key = random(key_bytes), iv = random(16), data = random(bytes);
    visit_cfb(key, iv, data);
    visit_cts(key, iv, data);
    visit_pkcs7(key, iv, data);
    visit_wrap(key, data);
  }

  void visit_cfb(const Bytes& key, const Bytes& iv, const Bytes& data) {
    for (const unsigned bits : {1u, 8u}) {
      if (bits == 1 && data.size() > 300) continue;
      const auto make = [&](Direction direction, const Bytes& input) {
        return cfb_short_case(bits, direction, key, iv, input);
      };
      both(make, data, reference::crypt(bits == 1 ? "CFB1" : "CFB8", key, iv, data));
    }
  }

  void visit_cts(const Bytes& key, const Bytes& iv, const Bytes& data) {
    if (data.size() < 16) return;
    for (const int variant : {1, 2, 3}) {
      const auto make = [&](Direction direction, const Bytes& input) {
        return cts_case(variant, direction, key, iv, input);
      };
      both(make, data, reference::cbc_cts(variant, key, iv, data));
    }
  }

  void visit_pkcs7(const Bytes& key, const Bytes& iv, const Bytes& data) {
    const Bytes sealed = reference::pkcs7("CBC", key, iv, data);
    const auto make = [&](Direction direction, const Bytes& input) {
      return pkcs7_case(direction, key, iv, input);
    };
    both(make, data, sealed);
    // Every last block that an attacker could make of a padding of `length` bytes and one wrong byte.
    const size_t length = sealed.size() - data.size();
    for (size_t wrong = 0; wrong <= length; wrong++) {
      Bytes text = data;
      text.insert(text.end(), length, static_cast<uint8_t>(length));
      if (wrong == length) {
        text.back() = length % 2 == 0 ? 0 : 17;
      } else {
        text[data.size() + wrong] ^= wrong + 1 == length ? 0x80 : 1;
      }
      ComposedCase test = make(WARPAES_DIRECTION_DECRYPT, reference::crypt("CBC", key, iv, text));
      test.status = WARPAES_ERROR_PADDING;
      test.name = std::to_string(data.size()) + " bytes, wrong padding byte " + std::to_string(wrong);
      visit_(test);
    }
  }

  void visit_wrap(const Bytes& key, const Bytes& data) {
    for (const bool padded : {false, true}) {
      if (data.empty() || (!padded && (data.size() < 16 || data.size() % 8 != 0))) continue;
      const auto make = [&](Direction direction, const Bytes& input) {
        return wrap_case(padded, direction, key, input);
      };
      const Bytes wrapped = reference::key_wrap(padded, key, data);
      both(make, data, wrapped);
      for (const size_t at : {size_t{0}, size_t{7}, wrapped.size() / 2, wrapped.size() - 1}) {
        Bytes damaged = wrapped;
        damaged[at] ^= 1;
        ComposedCase test = make(WARPAES_DIRECTION_DECRYPT, damaged);
        test.status = WARPAES_ERROR_AUTHENTICATION;
        test.name = std::to_string(data.size()) + " bytes, damaged at " + std::to_string(at);
        visit_(test);
      }
    }
  }

  /// What KWP must look at besides the cipher: a prefix, a length and zeros, each as an attacker with the key
  /// would make it.
  void visit_kwp_check(size_t key_bytes, size_t semiblocks, uint64_t length, size_t wrong) {
    const Bytes key = random(key_bytes);
    Bytes text = random(8 * semiblocks), check = {0xa6, 0x59, 0x59, 0xa6, 0, 0, 0, 0};
    store_be32(check.data() + 4, static_cast<uint32_t>(length));
    for (size_t at = length; at < text.size(); at++) text[at] = 0;
    const bool is_length = length > 8 * (semiblocks - 1) && length <= 8 * semiblocks;
    const size_t first_wrong = is_length ? length : text.size();
    if (first_wrong + wrong < text.size()) {
      text[first_wrong + wrong] = 1;
    } else {
      check[wrong % 4] ^= wrong == 8 ? 0 : 1;
    }
    Bytes whole = check;
    whole.insert(whole.end(), text.begin(), text.end());
    ComposedCase test = wrap_case(
        true, WARPAES_DIRECTION_DECRYPT, key,
        semiblocks == 1 ? reference::ecb(key, true, whole) : reference::key_wrap_with(check, key, text));
    test.name = std::to_string(semiblocks) + " semiblocks said to be " + std::to_string(length) +
                " bytes, fault " + std::to_string(wrong);
    if (is_length && wrong == 8) {
      test.expected.assign(text.begin(), text.begin() + static_cast<ptrdiff_t>(length));
    } else {
      test.status = WARPAES_ERROR_AUTHENTICATION;
    }
    visit_(test);
  }

  const ComposedVisitor& visit_;
  std::mt19937_64 random_{3962};
};

}  // namespace

void visit_composed_generated(const ComposedVisitor& visit) {
  Generator generator(visit);
  for (const size_t key_bytes : {16, 24, 32}) generator.visit_key_size(key_bytes);
}

}  // namespace warpaes::core::conformance
