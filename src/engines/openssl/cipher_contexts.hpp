// OpenSSL's ciphers and cipher contexts for one key. Setting a key costs as much as some kilobytes of
// data, so a context keeps it, and a call or a message sets only its nonce.
#pragma once

#include <openssl/evp.h>

#include <array>
#include <atomic>
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

[[noreturn]] void refuse(const char* what);
/// Throws Failure with OpenSSL's own words unless `result` is positive, as EVP's success is.
inline void require(int result, const char* what) {
  if (result <= 0) refuse(what);
}

/// Contexts with the key set. A thread borrows one for a call; it comes back to be used again, so there
/// are about as many as were ever used at once. Freeing a context wipes it.
///
/// Threads that share a batch of short messages borrow millions of times a second. Each has one of a few
/// places of its own, or they would do nothing but wait for each other. The first context of a use comes and
/// goes without a lock, which a short message would feel; more of them only threads that share a place need.
class CipherContexts {
 public:
  explicit CipherContexts(const KeySchedule& schedule) : schedule_(schedule) {}
  ~CipherContexts();
  CipherContexts(const CipherContexts&) = delete;
  CipherContexts& operator=(const CipherContexts&) = delete;

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
  struct alignas(64) Idle {                      // no two threads' in one line of the cache
    std::atomic<Context*> first = nullptr;       // whoever takes it out owns it
    std::vector<std::unique_ptr<Context>> more;  // guarded by the place's fork-safe lock
    ~Idle() { delete first.load(); }
  };
  using IdleOfUses = std::array<Idle, kUses>;
  /// As far apart as fork_safe_mutex() wants objects to be, to give them different locks.
  struct alignas(64) Place {
    std::atomic<IdleOfUses*> idle = nullptr;  // null until somebody gives back; set under the place's lock
  };

 public:
  class Borrowed {
   public:
    Borrowed(CipherContexts& owner, Use use)
        : place_(owner.place()), use_(use), context_(owner.take(place_, use)) {}
    ~Borrowed() { give_back(place_, use_, std::move(context_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    EVP_CIPHER_CTX* get() const { return context_->handle.get(); }
    /// For GCM.
    void set_nonce_length(size_t bytes) {
      if (context_->nonce_bytes != bytes) change_nonce_length(bytes);
    }

   private:
    void change_nonce_length(size_t bytes);

    Place& place_;
    const Use use_;
    std::unique_ptr<Context> context_;
  };

 private:
  Place& place();
  std::unique_ptr<Context> take(Place& place, Use use) const;
  static void give_back(Place& place, Use use, std::unique_ptr<Context> context) noexcept;
  Handle make(Use use) const;

  const KeySchedule schedule_;
  std::array<Place, 8> places_;
};

/// EVP_CipherUpdate() of any length. @param output null to feed GCM's additional data
void update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes);

}  // namespace warpaes::core::openssl
