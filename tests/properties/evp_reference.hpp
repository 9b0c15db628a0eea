// Reference answers by OpenSSL's EVP interface, which is called directly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace warpaes::core::reference {

using Bytes = std::vector<uint8_t>;
using View = std::span<const uint8_t>;

Bytes ecb(View key, bool encrypt, View input);
Bytes ctr(View key, View counter, View input);
/// @param mode EVP's name of a mode: "ECB", "CBC", "CFB", "OFB", "CTR"
/// @param iv 16 bytes
Bytes crypt(const char* mode, View key, View iv, View input, bool encrypt = true);
/// @param variant of ciphertext stealing: 1 to 3
Bytes cbc_cts(int variant, View key, View iv, View input);
/// @param mode "ECB", without an IV, or "CBC"
Bytes pkcs7(const char* mode, View key, View iv, View input);
/// @param padded KWP, RFC 5649; else KW, RFC 3394
Bytes key_wrap(bool padded, View key, View input);
/// KW of 16 bytes or more with another check value in front than the standard's.
Bytes key_wrap_with(View check, View key, View input);
/// One data unit; the keys of 128 or 256 bits follow each other.
Bytes xts(View keys, View tweak, View input);
Bytes cmac(View key, View input);

struct Sealed {
  Bytes ciphertext, tag;
};
/// @param mode "GCM", "CCM" or "OCB", EVP's name of OCB3
Sealed aead(const char* mode, View key, View nonce, View aad, View input, size_t tag_bytes);
Sealed gcm(View key, View nonce, View aad, View input, size_t tag_bytes);

}  // namespace warpaes::core::reference
