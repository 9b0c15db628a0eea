// OpenSSL's ciphers and cipher contexts for one key. Setting a key costs as much as some kilobytes of
// data, so a context keeps it, and a call or a message sets only its nonce.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "primitives/key_schedule.hpp"

namespace warpaes::core::openssl {

enum class Use {
  ecb_encrypt,
  ecb_decrypt,
  ctr,
  gcm_encrypt,
  gcm_decrypt,
  cbc_encrypt,
  cbc_decrypt,
  cfb_encrypt,
  ofb,
  gcm_part  // its direction is set with each nonce
};
constexpr int kUses = 10;

/// XTS takes a pair of keys, so its contexts are nobody's.
/// @param bits of each key: 128 or 256
const EVP_CIPHER* xts_cipher(int bits);

/// Why OpenSSL cannot do AES here; empty if it can.
std::string fetch_failure();

/// Throws Failure with OpenSSL's own words unless `result` is positive, as EVP's success is.
void require(int result, const char* what);

/// Contexts with the key set. A thread borrows one for a call; it comes back to be used again, so there
/// are about as many as were ever used at once. Freeing a context wipes it.
///
/// Threads that share a batch of short messages borrow millions of times a second. Each has one of a few
/// places of its own, with a lock of its own, or they would do nothing but wait for each other.
class CipherContexts {
 public:
  explicit CipherContexts(const KeySchedule& schedule) : schedule_(schedule) {}

  /// The key that they are of.
  std::span<const uint8_t> key() const { return schedule_.key(); }

  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };
  using Handle = std::unique_ptr<EVP_CIPHER_CTX, Free>;

 private:
  struct Context {
    Handle handle;
    size_t nonce_bytes;  // of GCM's: to ask EVP takes as long as to encrypt some hundred bytes
  };

 public:
  class Borrowed {
   public:
    Borrowed(CipherContexts& owner, Use use) : owner_(owner), use_(use), context_(owner.take(use)) {}
    ~Borrowed() { owner_.give_back(use_, std::move(context_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    EVP_CIPHER_CTX* get() const { return context_.handle.get(); }
    /// For GCM.
    void set_nonce_length(size_t bytes);

   private:
    CipherContexts& owner_;
    const Use use_;
    Context context_;
  };

 private:
  using Idle = std::array<std::vector<Context>, kUses>;
  /// As far apart as fork_safe_mutex() wants objects to be, to give them different locks.
  struct alignas(64) Place {
    std::unique_ptr<Idle> idle;  // guarded by the place's fork-safe lock; null until somebody gives back
  };

  Place& place();
  Context take(Use use);
  void give_back(Use use, Context context) noexcept;
  Handle make(Use use) const;

  const KeySchedule schedule_;
  std::array<Place, 8> places_;
};

/// EVP_CipherUpdate() of any length. @param output null to feed GCM's additional data
void update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes);

}  // namespace warpaes::core::openssl
