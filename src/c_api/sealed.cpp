// Sealed messages: nonce, ciphertext and tag in one piece.

#include <algorithm>
#include <array>

#include "c_api/arguments.hpp"
#include "derivation/derivation.hpp"
#include "modes/regions.hpp"

using namespace warpaes::core;
using namespace warpaes::core::c_api;

namespace {

constexpr size_t kLongestNonce = 16;  // the longest of the recommended nonces

/// Where the parts of a sealed message are.
struct Layout {
  explicit Layout(const ModeRow& mode_row) : mode(mode_row), nonce(mode.recommended_nonce) {
    if (mode.seals()) return;
    throw Failure(WARPAES_ERROR_MODE,
                  "{} does not make sealed messages, which need a mode that "
                  "encrypts and authenticates",
                  mode.name);
  }

  uint64_t overhead() const { return mode.sealed_overhead(); }
  uint64_t tag_at(uint64_t length) const { return nonce + length; }

  uint64_t sealed_size(uint64_t length) const {
    const uint64_t most = std::min(mode.most_bytes(nonce), UINT64_MAX - overhead());
    if (length <= most) return overhead() + length;
    throw Failure(WARPAES_ERROR_LENGTH,
                  "{} with a nonce of {} bytes has messages of at most {} bytes, not {}", mode.name, nonce,
                  most, length);
  }

  uint64_t opened_size(uint64_t sealed_length) const {
    if (sealed_length >= overhead()) return sealed_length - overhead();
    throw Failure(WARPAES_ERROR_LENGTH, "a sealed message has {} bytes at least, not {}", overhead(),
                  sealed_length);
  }

  const ModeRow& mode;
  size_t nonce;
};

/// The message that is inside a sealed one. What is written there is checked like any message.
warpaes_message message_in(const Layout& layout, const uint8_t* sealed, uint64_t length, warpaes_bytes aad) {
  warpaes_message message = {};
  message.size = sizeof message;
  message.length = length;
  message.output_capacity = length;
  message.nonce_length = layout.nonce;
  message.aad = aad.data;
  message.aad_length = aad.length;
  message.tag = const_cast<uint8_t*>(sealed) + layout.tag_at(length);
  return message;
}

/// Checks that nothing overlaps the place of the nonce, which the mode itself does not know of.
void require_nonce_apart(const Layout& layout, const uint8_t* sealed, warpaes_bytes text, warpaes_bytes aad) {
  const MemoryRange nonce = checked_range("the sealed message's nonce", sealed, layout.nonce);
  require_apart(nonce, checked_range("the message", text.data, text.length));
  require_apart(nonce, checked_range("the additional data", aad.data, aad.length));
}

}  // namespace

warpaes_status warpaes_seal(warpaes_cipher* cipher, warpaes_bytes aad, warpaes_bytes input, void* sealed,
                            uint64_t capacity, uint64_t* sealed_length) {
  return guarded([&] {
    const uint64_t written =
        size_unless_refused([&] { return Layout(cipher_of(cipher).row()).sealed_size(input.length); });
    begin_length(sealed_length, "sealed_length", {aad, input, {sealed, std::min(capacity, written)}});
    const Cipher& bound = cipher_of(cipher);
    const Layout layout(bound.row());
    const uint64_t size = layout.sealed_size(input.length);
    require(sealed, "sealed");
    require_room(size, capacity);
    uint8_t* const to = bytes_at(sealed);
    checked_range("the sealed message", to, size);
    require_nonce_apart(layout, to, input, aad);
    std::array<uint8_t, kLongestNonce> nonce{};
    warpaes_message given = message_in(layout, to, input.length, aad);
    given.input = input.data;
    given.output = to + layout.nonce;
    given.nonce = layout.nonce != 0 ? nonce.data() : nullptr;
    const Message message = checked_message(bound, WARPAES_DIRECTION_ENCRYPT, given, Place::host);
    if (layout.nonce != 0) cipher->cipher.random_nonces().take();
    random_public(std::span(nonce).first(layout.nonce));
    run_message_on_host(bound, message);
    std::copy_n(nonce.begin(), layout.nonce, to);
    *sealed_length = size;
  });
}

warpaes_status warpaes_open(const warpaes_cipher* cipher, warpaes_bytes aad, warpaes_bytes sealed,
                            void* output, uint64_t capacity, uint64_t* length) {
  return guarded([&] {
    const uint64_t written =
        size_unless_refused([&] { return Layout(cipher_of(cipher).row()).opened_size(sealed.length); });
    begin_length(length, "length", {aad, sealed, {output, std::min(capacity, written)}});
    const Cipher& bound = cipher_of(cipher);
    const Layout layout(bound.row());
    const uint64_t text = layout.opened_size(sealed.length);
    checked_range("the sealed message", sealed.data, sealed.length);
    require_room(text, capacity);
    const uint8_t* const from = bytes_at(sealed.data);
    require_nonce_apart(layout, from, {output, text}, {nullptr, 0});
    warpaes_message given = message_in(layout, from, text, aad);
    given.input = from + layout.nonce;
    given.output = output;
    given.nonce = layout.nonce != 0 ? from : nullptr;
    run_message_on_host(bound, checked_message(bound, WARPAES_DIRECTION_DECRYPT, given, Place::host));
    *length = text;
  });
}

warpaes_status warpaes_cipher_add_nonces(warpaes_cipher* cipher, uint64_t messages, uint64_t* total) {
  return guarded([&] {
    if (total != nullptr) *total = 0;
    static_cast<void>(Layout(cipher_of(cipher).row()));  // refuses other modes
    RandomNonceCount& nonces = cipher->cipher.random_nonces();
    nonces.add(messages);
    if (total != nullptr) *total = nonces.count();
  });
}
