// HKDF, PBKDF2 and scrypt by libcrypto.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>

#include <bit>
#include <climits>
#include <memory>
#include <vector>

#include "derivation/derivation_checks.hpp"
#include "failure.hpp"
#include "process/openssl_stays.hpp"

namespace warpaes::core {
namespace {

struct HashRow {
  warpaes_hash hash;
  const char* name;  // the name that OpenSSL has for it
  size_t bytes;
};

constexpr HashRow kHashes[] = {
    {WARPAES_HASH_SHA1, "SHA1", 20},
    {WARPAES_HASH_SHA256, "SHA256", 32},
    {WARPAES_HASH_SHA384, "SHA384", 48},
    {WARPAES_HASH_SHA512, "SHA512", 64},
};

const HashRow& row_of(warpaes_hash hash) {
  for (const HashRow& row : kHashes) {
    if (row.hash == hash) return row;
  }
  throw Failure(WARPAES_ERROR_OPTION, "{} is no warpaes_hash", hash);
}

/// OpenSSL's parameters point to mutable memory even where it is only read, and a null pointer means "not
/// given".
OSSL_PARAM octets(const char* name, InputBytes bytes) {
  static uint8_t nothing = 0;
  auto* const data = bytes.empty() ? &nothing : const_cast<uint8_t*>(bytes.data());
  return OSSL_PARAM_construct_octet_string(name, data, bytes.size());
}

/// Stands in the thread's list of OpenSSL's errors before those of a call: a caller may have left some there.
constexpr int kErrorsBegin = 1;

bool is_beginning(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_USER && ERR_GET_REASON(error) == kErrorsBegin;
}

/// Does one of OpenSSL's errors stand for a lack of memory? Where an allocation fails, many functions say
/// nothing, and those that called them only that they cannot go on. Arguments, which could be another reason
/// for that, have been checked.
bool may_be_of_memory(unsigned long error) {
  const int reason = ERR_GET_REASON(error);
  if (reason == ERR_R_MALLOC_FAILURE) return true;
  return ERR_GET_LIB(error) == ERR_LIB_EVP &&
         (reason == EVP_R_INITIALIZATION_ERROR || reason == EVP_R_NOT_ABLE_TO_COPY_CTX ||
          reason == EVP_R_PBKDF2_ERROR);
}

/// Empties the list, and tells if the call has left nothing in it but a lack of memory.
bool memory_ran_out() {
  bool nothing_else = true;
  while (const unsigned long error = ERR_get_error()) {
    nothing_else = is_beginning(error) || (nothing_else && may_be_of_memory(error));
  }
  return nothing_else;
}

/// @param parameters a list that OSSL_PARAM_construct_end() ends
void derive(const char* function, const OSSL_PARAM* parameters, std::span<uint8_t> out) {
  keep_openssl();
  ERR_set_mark();
  ERR_raise(ERR_LIB_USER, kErrorsBegin);
  const std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> kdf(EVP_KDF_fetch(nullptr, function, nullptr),
                                                              EVP_KDF_free);
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> run(
      kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr, EVP_KDF_CTX_free);
  if (run && EVP_KDF_derive(run.get(), out.data(), out.size(), parameters) == 1) {
    ERR_pop_to_mark();
    return;
  }
  wipe_derived(out);
  if (memory_ran_out()) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "too little memory for {}", function);
  }
  throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL could not derive a key with {}", function);
}

/// OpenSSL 3.0 has a buffer of 1024 bytes for the info of HKDF.
constexpr size_t kMaxInfoBytes = 1024;

void derive_hkdf(int mode, warpaes_hash hash, InputBytes key, InputBytes salt, InputBytes info,
                 std::span<uint8_t> out) {
  const HashRow& row = row_of(hash);
  if (hash == WARPAES_HASH_SHA1) throw Failure(WARPAES_ERROR_OPTION, "HKDF with SHA-1 is not offered");
  if (key.empty()) throw Failure(WARPAES_ERROR_LENGTH, "HKDF's input key is empty");
  if (info.size() > kMaxInfoBytes) {
    throw Failure(WARPAES_ERROR_LENGTH, "HKDF's info is of more than {} bytes", kMaxInfoBytes);
  }
  require_valid_derivation({{"the secret", key}, {"the salt", salt}, {"the info", info}}, out, 1,
                           255 * row.bytes);
  std::string digest = row.name;
  std::vector<OSSL_PARAM> parameters = {
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      octets(OSSL_KDF_PARAM_KEY, key),
      octets(OSSL_KDF_PARAM_INFO, info),
  };
  if (mode != EVP_KDF_HKDF_MODE_EXPAND_ONLY) parameters.push_back(octets(OSSL_KDF_PARAM_SALT, salt));
  parameters.push_back(OSSL_PARAM_construct_end());
  derive(OSSL_KDF_NAME_HKDF, parameters.data(), out);
}

void require_valid_costs(const ScryptCosts& costs) {
  const auto refuse = [](const char* why) { throw Failure(WARPAES_ERROR_OPTION, "scrypt: {}", why); };
  if (costs.n < 2 || !std::has_single_bit(costs.n)) refuse("n is no power of 2 that is over 1");
  if (costs.r == 0 || costs.p == 0) refuse("r and p are at least 1");
  // RFC 7914 section 2 has r * p < 2^30. OpenSSL makes the 128 r p bytes of section 6 step 1 by a PBKDF2
  // whose length is an int.
  if (uint64_t{costs.r} * costs.p > INT_MAX / 128) refuse("r * p is 2^24 or more");
  // Section 2: N < 2^(128 r / 8).
  if (costs.r < 4 && costs.n >> (16 * costs.r) != 0) refuse("n is 2^(16 r) or more");
  const uint64_t most = kMaxDerivationMemory / 128;
  if (costs.n > most / costs.r || (costs.n + costs.p) * costs.r > most) {
    refuse("128 * r * (n + p), the memory that it takes, is more than 16 GiB");
  }
}

}  // namespace

void hkdf(warpaes_hash hash, InputBytes key, InputBytes salt, InputBytes info, std::span<uint8_t> out) {
  derive_hkdf(EVP_KDF_HKDF_MODE_EXTRACT_AND_EXPAND, hash, key, salt, info, out);
}

void hkdf_expand(warpaes_hash hash, InputBytes prk, InputBytes info, std::span<uint8_t> out) {
  derive_hkdf(EVP_KDF_HKDF_MODE_EXPAND_ONLY, hash, prk, {}, info, out);
}

void pbkdf2(warpaes_hash hash, InputBytes passphrase, InputBytes salt, uint32_t iterations,
            std::span<uint8_t> out) {
  std::string digest = row_of(hash).name;
  if (iterations == 0 || iterations > INT32_MAX) {
    throw Failure(WARPAES_ERROR_OPTION, "PBKDF2 takes 1 to 2^31 - 1 iterations");
  }
  require_valid_derivation({{"the passphrase", passphrase}, {"the salt", salt}}, out, 1, kMaxDerivedBytes);
  uint64_t count = iterations;
  // Callers choose iterations and salt, also below SP 800-132's least: old files have less.
  int no_advice = 1;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      octets(OSSL_KDF_PARAM_PASSWORD, passphrase),
      octets(OSSL_KDF_PARAM_SALT, salt),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_ITER, &count),
      OSSL_PARAM_construct_int(OSSL_KDF_PARAM_PKCS5, &no_advice),
      OSSL_PARAM_construct_end(),
  };
  derive(OSSL_KDF_NAME_PBKDF2, parameters, out);
}

void scrypt(InputBytes passphrase, InputBytes salt, const ScryptCosts& costs, std::span<uint8_t> out) {
  require_valid_costs(costs);
  require_valid_derivation({{"the passphrase", passphrase}, {"the salt", salt}}, out, 1, kMaxDerivedBytes);
  uint64_t n = costs.n;
  uint32_t r = costs.r, p = costs.p;
  // 4 stands for small buffers, which OpenSSL counts as well.
  uint64_t memory = 128 * costs.r * (costs.n + costs.p + 4);
  const OSSL_PARAM parameters[] = {
      octets(OSSL_KDF_PARAM_PASSWORD, passphrase),
      octets(OSSL_KDF_PARAM_SALT, salt),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r),
      OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p),
      OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &memory),
      OSSL_PARAM_construct_end(),
  };
  derive("SCRYPT", parameters, out);
}

}  // namespace warpaes::core
