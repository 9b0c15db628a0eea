// Sealed messages of the C ABI: nonce | ciphertext | tag.
#include <algorithm>
#include <array>
#include <string>

#include "c_api/aead_arguments.hpp"
#include "derivation/derivation.hpp"
#include "modes/aead_table.hpp"
#include "modes/modes.hpp"
#include "modes/regions.hpp"

using namespace warpaes;
using namespace warpaes::c_api;

namespace {

constexpr size_t kTagBytes = 16, kLongestNonce = 16;

/// Where the parts of a sealed message are.
struct Parts {
  explicit Parts(Aead mode) : row(aead_row(mode)), nonce_bytes(row.recommended_nonce) {
    require_mode_of_one_message(mode);
  }

  uint64_t overhead() const { return nonce_bytes + kTagBytes; }
  uint64_t tag_at(uint64_t bytes) const { return nonce_bytes + bytes; }

  const AeadRow& row;
  size_t nonce_bytes;
};

uint64_t sealed_bytes_of(const Parts& parts, uint64_t bytes) {
  const uint64_t most = std::min(parts.row.most_bytes(parts.nonce_bytes), UINT64_MAX - parts.overhead());
  if (bytes > most) {
    throw Failure(WARPAES_ERROR_LENGTH, std::string(parts.row.name) + " with a nonce of " +
                                            std::to_string(parts.nonce_bytes) +
                                            " bytes has messages of at most " + std::to_string(most) +
                                            " bytes, not " + std::to_string(bytes));
  }
  return parts.overhead() + bytes;
}

void require_room(uint64_t needed, uint64_t room) {
  if (needed <= room) return;
  throw Failure(WARPAES_ERROR_BUFFER_SIZE, "the output has room for " + std::to_string(room) +
                                               " bytes, and needs " + std::to_string(needed));
}

/// What the mode itself does not look at: the nonce's place.
void require_nonce_apart(const uint8_t* nonce, const Parts& parts, const void* text, uint64_t bytes,
                         const void* aad, uint64_t aad_bytes) {
  const Region first{"the sealed message's nonce", nonce, 1, 0, parts.nonce_bytes};
  for (const Region& other :
       {Region{"the message", text, 1, 0, bytes}, Region{"the additional data", aad, 1, 0, aad_bytes}}) {
    require_valid(other);
    require_disjoint(first, other);
  }
}

}  // namespace

warpaes_status warpaes_aead_sealed_bytes(warpaes_aead mode, uint64_t bytes, uint64_t* sealed_bytes) {
  return guarded([&] {
    require(sealed_bytes, "sealed_bytes");
    *sealed_bytes = 0;
    *sealed_bytes = sealed_bytes_of(Parts(mode), bytes);
  });
}

warpaes_status warpaes_aead_seal(const warpaes_key* key, warpaes_aead mode, const void* aad,
                                 uint64_t aad_bytes, const void* input, uint64_t bytes, void* sealed,
                                 uint64_t sealed_size) {
  return guarded([&] {
    const Key& aes_key = key_of(key);
    const Parts parts(mode);
    require(sealed, "sealed");
    require_room(sealed_bytes_of(parts, bytes), sealed_size);
    uint8_t* const to = bytes_at(sealed);
    require_nonce_apart(to, parts, input, bytes, aad, aad_bytes);
    std::array<uint8_t, kLongestNonce> nonce;
    const AeadBatch batch =
        batch_of(mode, WARPAES_ENCRYPT,
                 AeadMessage{nonce.data(), parts.nonce_bytes, aad, aad_bytes, input, to + parts.nonce_bytes,
                             bytes, to + parts.tag_at(bytes), kTagBytes, nullptr});
    require_valid_aead(batch);
    require_aead_key(mode, aes_key.key_bits());
    key->random_nonces.take();
    random_public(std::span(nonce).first(parts.nonce_bytes));
    aead_host(aes_key, batch);
    std::copy_n(nonce.begin(), parts.nonce_bytes, to);
  });
}

warpaes_status warpaes_aead_open(const warpaes_key* key, warpaes_aead mode, const void* aad,
                                 uint64_t aad_bytes, const void* sealed, uint64_t sealed_bytes, void* output,
                                 uint64_t output_size, uint64_t* bytes) {
  return guarded([&] {
    require(bytes, "bytes");
    *bytes = 0;
    const Key& aes_key = key_of(key);
    const Parts parts(mode);
    require(sealed, "sealed");
    if (sealed_bytes < parts.overhead()) {
      throw Failure(WARPAES_ERROR_LENGTH, "a sealed message has " + std::to_string(parts.overhead()) +
                                              " bytes at least, not " + std::to_string(sealed_bytes));
    }
    const uint64_t text = sealed_bytes - parts.overhead();
    require_room(text, output_size);
    const uint8_t* const from = bytes_at(sealed);
    require_nonce_apart(from, parts, output, text, nullptr, 0);
    int32_t status = WARPAES_ERROR_INTERNAL;
    aead_host(aes_key, batch_of(mode, WARPAES_DECRYPT,
                                AeadMessage{from, parts.nonce_bytes, aad, aad_bytes, from + parts.nonce_bytes,
                                            output, text, from + parts.tag_at(text), kTagBytes, &status}));
    if (status != WARPAES_OK) {
      throw Failure(static_cast<Status>(status),
                    "the tag is wrong: wrong key or additional data, or damaged");
    }
    *bytes = text;
  });
}

warpaes_status warpaes_key_random_nonces(const warpaes_key* key, uint64_t* messages) {
  return guarded([&] {
    require(messages, "messages");
    *messages = 0;
    require(key, "key");
    *messages = key->random_nonces.count();
  });
}

warpaes_status warpaes_key_add_random_nonces(warpaes_key* key, uint64_t messages) {
  return guarded([&] {
    require(key, "key");
    key->random_nonces.add(messages);
  });
}
