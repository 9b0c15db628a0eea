#include <random>

#include "composed_cases.hpp"
#include "evp_reference.hpp"

namespace warpaes::conformance {
namespace {

class Generator {
 public:
  explicit Generator(const ComposedVisitor& visit) : visit_(visit) {}

  void visit_key_size(size_t key_bytes) {
    for (size_t bytes = 0; bytes <= 100; bytes++) visit_length(key_bytes, bytes);
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
    for (const auto direction : {WARPAES_ENCRYPT, WARPAES_DECRYPT}) {
      const bool encrypting = direction == WARPAES_ENCRYPT;
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
    const Bytes sealed = reference::cbc_pkcs7(key, iv, data);
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
      ComposedCase test = make(WARPAES_DECRYPT, reference::crypt("CBC", key, iv, text));
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
        ComposedCase test = make(WARPAES_DECRYPT, damaged);
        test.status = WARPAES_ERROR_AUTHENTICATION;
        test.name = std::to_string(data.size()) + " bytes, damaged at " + std::to_string(at);
        visit_(test);
      }
    }
  }

  const ComposedVisitor& visit_;
  std::mt19937_64 random_{3962};
};

}  // namespace

void visit_composed_generated(const ComposedVisitor& visit) {
  Generator generator(visit);
  for (const size_t key_bytes : {16, 24, 32}) generator.visit_key_size(key_bytes);
}

}  // namespace warpaes::conformance
