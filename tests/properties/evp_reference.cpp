#include "evp_reference.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace warpaes::core::reference {
namespace {

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
};

void require(int result) {
  if (result > 0) return;
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  throw std::runtime_error(std::string("OpenSSL refused: ") + (reason == nullptr ? "no reason" : reason));
}

class Cipher {
 public:
  Cipher(const char* mode, View key, bool encrypt) : context_(EVP_CIPHER_CTX_new()) {
    EVP_CIPHER_CTX_set_flags(get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    const size_t keys = mode == std::string("XTS") ? 2 : 1;
    const std::string name = "AES-" + std::to_string(8 * key.size() / keys) + "-" + mode;
    const std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
    require(EVP_CipherInit_ex2(get(), cipher.get(), key.data(), nullptr, encrypt, nullptr));
    EVP_CIPHER_CTX_set_padding(get(), 0);
  }
  EVP_CIPHER_CTX* get() const { return context_.get(); }
  void start(View iv) { require(EVP_CipherInit_ex2(get(), nullptr, nullptr, iv.data(), -1, nullptr)); }
  Bytes update(View input) {
    Bytes output(input.size() + 16);
    int written = 0;
    require(EVP_CipherUpdate(get(), output.data(), &written, input.data(), static_cast<int>(input.size())));
    output.resize(input.size());
    return output;
  }
  /// The whole message and its end, of whatever length that is.
  Bytes all(View input) {
    Bytes output(input.size() + 32);
    int written = 0, rest = 0;
    require(EVP_CipherUpdate(get(), output.data(), &written, input.data(), static_cast<int>(input.size())));
    require(EVP_CipherFinal_ex(get(), output.data() + written, &rest));
    output.resize(static_cast<size_t>(written) + static_cast<size_t>(rest));
    return output;
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
};

}  // namespace

Bytes ecb(View key, bool encrypt, View input) { return Cipher("ECB", key, encrypt).update(input); }

Bytes ctr(View key, View counter, View input) {
  Cipher cipher("CTR", key, true);
  cipher.start(counter);
  return cipher.update(input);
}

Bytes crypt(const char* mode, View key, View iv, View input, bool encrypt) {
  Cipher cipher(mode, key, encrypt);
  cipher.start(iv);
  return cipher.update(input);
}

Bytes cbc_cts(int variant, View key, View iv, View input) {
  Cipher cipher("CBC-CTS", key, true);
  std::string name = "CS" + std::to_string(variant);
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, name.data(), 0),
      OSSL_PARAM_construct_end()};
  require(EVP_CIPHER_CTX_set_params(cipher.get(), parameters));
  cipher.start(iv);
  return cipher.update(input);
}

Bytes pkcs7(const char* mode, View key, View iv, View input) {
  Cipher cipher(mode, key, true);
  EVP_CIPHER_CTX_set_padding(cipher.get(), 1);
  if (!iv.empty()) cipher.start(iv);
  return cipher.all(input);
}

Bytes key_wrap(bool padded, View key, View input) {
  return Cipher(padded ? "WRAP-PAD" : "WRAP", key, true).all(input);
}

Bytes key_wrap_with(View check, View key, View input) {
  Cipher cipher("WRAP", key, true);
  cipher.start(check);
  return cipher.all(input);
}

Bytes xts(View keys, View tweak, View input) {
  Cipher cipher("XTS", keys, true);
  cipher.start(tweak);
  return cipher.update(input);
}

Bytes cmac(View key, View input) {
  const std::string cipher = "AES-" + std::to_string(8 * key.size()) + "-CBC";
  Bytes tag(16);
  size_t written = 0;
  if (EVP_Q_mac(nullptr, "CMAC", nullptr, cipher.c_str(), nullptr, key.data(), key.size(), input.data(),
                input.size(), tag.data(), tag.size(), &written) == nullptr) {
    require(0);
  }
  return tag;
}

Sealed aead(const char* mode, View key, View nonce, View aad, View input, size_t tag_bytes) {
  Cipher cipher(mode, key, true);
  const bool is_ccm = mode == std::string("CCM"), is_gcm = mode == std::string("GCM");
  const int length = static_cast<int>(input.size());
  int ignored = 0;
  require(
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(nonce.size()), nullptr));
  // GCM cuts the finished tag; the other two hash its length with the message.
  if (!is_gcm) {
    require(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag_bytes), nullptr));
  }
  // CCM takes its parameters with the key: once more, now that they are set.
  require(EVP_CipherInit_ex2(cipher.get(), nullptr, key.data(), nonce.data(), -1, nullptr));
  if (is_ccm) require(EVP_CipherUpdate(cipher.get(), nullptr, &ignored, nullptr, length));
  if (!aad.empty()) {
    require(EVP_CipherUpdate(cipher.get(), nullptr, &ignored, aad.data(), static_cast<int>(aad.size())));
  }
  const uint8_t nothing = 0;  // null would mean the end of the message
  const View message = input.empty() ? View(&nothing, 0) : input;
  Sealed sealed{cipher.all(message), Bytes(tag_bytes)};
  require(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag_bytes),
                              sealed.tag.data()));
  return sealed;
}

Sealed gcm(View key, View nonce, View aad, View input, size_t tag_bytes) {
  return aead("GCM", key, nonce, aad, input, tag_bytes);
}

}  // namespace warpaes::core::reference
