// Reference answers for modes that OpenSSL 3.0 does not have, or does not have with every length. Each step
// is done by OpenSSL, and what joins the steps is written here as the standard has it, without regard to
// speed.
#pragma once

#include "evp_reference.hpp"

namespace warpaes::core::reference {

/// "The EAX Mode of Operation", figure 3.
Sealed eax(View key, View nonce, View aad, View input, size_t tag_bytes);
/// SP 800-38D section 7.1, also with nonces over the 128 bytes that OpenSSL has.
Sealed gcm_of_any_nonce(View key, View nonce, View aad, View input, size_t tag_bytes);
/// RFC 8452 section 4. Keys of 16 and 32 bytes.
Sealed gcm_siv(View key, View nonce, View aad, View input);
/// RFC 5297 section 2.6.
/// @param keys the MAC's key, then the cipher's
/// @param strings the associated strings; a nonce is the last of them
Sealed siv(View keys, const std::vector<Bytes>& strings, View input);
/// IEEE 1619: data units that follow each other, the first one's number being `tweak`. Also with two keys of
/// 192 bits, which OpenSSL's XTS does not take.
Bytes xts_units(View keys, View tweak, uint64_t data_unit, View input);
/// CFB with segments of 1 bit, of a message whose last byte has so many bits that do not belong to it.
Bytes cfb1(View key, View iv, View input, unsigned unused_bits);

}  // namespace warpaes::core::reference
