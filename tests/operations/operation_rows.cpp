#include "operation_rows.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace warpaes::testing {
namespace {

constexpr OperationRow kRows[] = {
    {WARPAES_MODE_ECB, "ECB", "ECB", nullptr, 0, 16, 0, false, 1},
    {WARPAES_MODE_ECB_PKCS7, "ECB-PKCS7", "ECB", nullptr, 0, 1, 0, true, 1},
    {WARPAES_MODE_CBC, "CBC", "CBC", nullptr, 16, 16, 0, false, 1},
    {WARPAES_MODE_CBC_PKCS7, "CBC-PKCS7", "CBC", nullptr, 16, 1, 0, true, 1},
    {WARPAES_MODE_CBC_CS1, "CBC-CS1", "CBC-CTS", "CS1", 16, 1, 16, false, 1},
    {WARPAES_MODE_CBC_CS2, "CBC-CS2", "CBC-CTS", "CS2", 16, 1, 16, false, 1},
    {WARPAES_MODE_CBC_CS3, "CBC-CS3", "CBC-CTS", "CS3", 16, 1, 16, false, 1},
    {WARPAES_MODE_CFB, "CFB-128", "CFB", nullptr, 16, 1, 0, false, 1},
    {WARPAES_MODE_CFB8, "CFB-8", "CFB8", nullptr, 16, 1, 0, false, 64},
    {WARPAES_MODE_CFB1, "CFB-1", "CFB1", nullptr, 16, 1, 0, false, 512},
    {WARPAES_MODE_OFB, "OFB", "OFB", nullptr, 16, 1, 0, false, 1},
    {WARPAES_MODE_CTR, "CTR", "CTR", nullptr, 16, 1, 0, false, 1},
    {WARPAES_MODE_XTS, "XTS", "XTS", nullptr, 16, 1, 0, false, 1},
    {WARPAES_MODE_CMAC, "CMAC", nullptr, nullptr, 0, 1, 0, false, 1},
};

struct Free {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
};

void require(int result) {
  if (result <= 0) throw std::runtime_error("OpenSSL refused");
}

Bytes evp(const Trial& trial, const Bytes& iv, std::span<const uint8_t> message) {
  const size_t keys = trial.row.mode == WARPAES_MODE_XTS ? 2 : 1;
  const std::string name = "AES-" + std::to_string(8 * trial.key.size() / keys) + "-" + trial.row.evp;
  const std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
  const std::unique_ptr<EVP_CIPHER_CTX, Free> context(EVP_CIPHER_CTX_new());
  std::string cts = trial.row.cts_mode == nullptr ? "" : trial.row.cts_mode;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE, cts.data(), 0),
      OSSL_PARAM_construct_end()};
  require(EVP_EncryptInit_ex2(context.get(), cipher.get(), trial.key.data(), iv.empty() ? nullptr : iv.data(),
                              cts.empty() ? nullptr : parameters));
  EVP_CIPHER_CTX_set_padding(context.get(), trial.row.padded ? 1 : 0);
  Bytes output(message.size() + 16);
  int written = 0, rest = 0;
  if (!message.empty()) {
    require(EVP_EncryptUpdate(context.get(), output.data(), &written, message.data(),
                              static_cast<int>(message.size())));
  }
  require(EVP_EncryptFinal_ex(context.get(), output.data() + written, &rest));
  output.resize(static_cast<size_t>(written) + static_cast<size_t>(rest));
  return output;
}

Bytes cmac(const Trial& trial) {
  const std::string cipher = "AES-" + std::to_string(8 * trial.key.size()) + "-CBC";
  Bytes tag(16);
  size_t written = 0;
  if (EVP_Q_mac(nullptr, "CMAC", nullptr, cipher.c_str(), nullptr, trial.key.data(), trial.key.size(),
                trial.message.data(), trial.message.size(), tag.data(), tag.size(), &written) == nullptr) {
    throw std::runtime_error("OpenSSL refused");
  }
  tag.resize(trial.tag_bytes);
  return tag;
}

Bytes xts(const Trial& trial) {
  Bytes output, tweak = trial.iv;
  for (size_t at = 0; at < trial.message.size(); at += trial.unit_bytes) {
    const size_t bytes = std::min<size_t>(trial.unit_bytes, trial.message.size() - at);
    const Bytes unit = evp(trial, tweak, std::span(trial.message).subspan(at, bytes));
    output.insert(output.end(), unit.begin(), unit.end());
    for (size_t i = 0; i < tweak.size() && ++tweak[i] == 0; i++) {
    }
  }
  return output;
}

Bytes half(const Bytes& key, bool second) {
  const auto middle = key.begin() + static_cast<ptrdiff_t>(key.size() / 2);
  return second ? Bytes(middle, key.end()) : Bytes(key.begin(), middle);
}

}  // namespace

std::span<const OperationRow> operation_rows() { return kRows; }

Bytes expected_of(const Trial& trial) {
  if (trial.row.mode == WARPAES_MODE_CMAC) return cmac(trial);
  if (trial.row.mode != WARPAES_MODE_XTS) return evp(trial, trial.iv, trial.message);
  return trial.key.size() == 48 ? Bytes() : xts(trial);
}

TrialKeys::TrialKeys(const TestContext& context, const Trial& trial)
    : trial_(trial),
      key_(context, trial.row.mode == WARPAES_MODE_XTS ? half(trial.key, false) : trial.key),
      tweak_key_(context, trial.row.mode == WARPAES_MODE_XTS ? half(trial.key, true) : trial.key) {}

warpaes_operation_options TrialKeys::options(warpaes_direction direction) const {
  const bool is_xts = trial_.row.mode == WARPAES_MODE_XTS;
  warpaes_operation_options made = {};
  made.size = sizeof made;
  made.mode = trial_.row.mode;
  made.direction = direction;
  made.iv = trial_.iv.data();
  made.iv_bytes = trial_.iv.size();
  made.tweak_key = is_xts ? tweak_key_.get() : nullptr;
  made.data_unit_bytes = is_xts ? trial_.unit_bytes : 0;
  made.tag_bytes = makes_tag(trial_.row) ? trial_.tag_bytes : 0;
  return made;
}

}  // namespace warpaes::testing
