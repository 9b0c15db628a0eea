// OpenSSL's ciphers and cipher contexts for one key. Setting a key costs as much as some kilobytes of
// data, so a context keeps it, and a call or a message sets only its nonce.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "failure.hpp"
#include "primitives/key_schedule.hpp"

namespace warpaes::core::openssl {

/// AES in one of OpenSSL's modes.
enum class Cipher { ecb, ctr, gcm, cbc, cfb, ofb, xts, ccm, ocb };

/// The cipher as OpenSSL has it; nobody has to free it. Throws HOST_MEMORY if there is no memory to look for
/// it.
/// @return null if OpenSSL's providers have no such cipher
const EVP_CIPHER* fetched(Cipher cipher, int key_bits);

/// Why OpenSSL cannot do what the engine always needs; empty if it can. Throws HOST_MEMORY if a cipher is
/// missing although the default provider, which has all of them, is there: then memory was short when OpenSSL
/// asked the provider.
std::string fetch_failure();
/// The same of a digest, for example "SHA256".
std::string fetch_failure_of_digest(const std::string& name);

/// What a key has contexts for.
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

/// What OpenSSL refused, with its own words for the reason. It keeps the error's number, so that a caller can
/// ask which error it was.
class OpensslFailure : public Failure {
 public:
  OpensslFailure(Status status, const std::string& message, unsigned long error)
      : Failure(status, message), error_(error) {}
  bool is(int library, int reason) const {
    return ERR_GET_LIB(error_) == library && ERR_GET_REASON(error_) == reason;
  }

 private:
  unsigned long error_;
};

/// Throws an OpensslFailure with the newest error of the thread's queue, and empties the queue.
/// @param what what was being done
[[noreturn]] void refuse(const char* what);
/// Throws OpensslFailure unless `result` is positive, as EVP's success is.
inline void require(int result, const char* what) {
  if (result <= 0) refuse(what);
}

/// Throws INTERNAL unless as many bytes came out as went in.
void require_all(uint64_t written, uint64_t bytes);

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
/// Owns a context. Freeing a context wipes it.
using Handle = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

/// A new context without a cipher. It belongs to no CipherContexts.
Handle new_context();

/// EVP_CIPHER_CTX_ctrl() with a length. Throws OpensslFailure if it fails.
/// @param data what goes with the length; may be null
/// @param words what is being done, for an error's text
void control(EVP_CIPHER_CTX* context, int what, size_t bytes, uint8_t* data, const char* words);

/// Begins the next message under the key and in the direction that have been set.
inline void set_iv(EVP_CIPHER_CTX* context, const uint8_t* iv, const char* what) {
  require(EVP_CipherInit_ex2(context, nullptr, nullptr, iv, -1, nullptr), what);
}

/// EVP_CipherUpdate() of any length. @param output null to feed additional data @return bytes written
uint64_t update_some(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes);
/// The same of a cipher that keeps no bytes back.
inline void update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  require_all(update_some(context, input, output, bytes), bytes);
}

/// Contexts with the key set. A thread borrows one for a call; it comes back to be used again, so there
/// are about as many as were ever used at once.
///
/// Threads that share a batch of short messages borrow millions of times a second. Each has one of a few
/// places of its own, or they would do nothing but wait for each other. The first context of a use comes and
/// goes without a lock, which a short message would feel; only threads that share a place need more contexts.
class CipherContexts {
 public:
  explicit CipherContexts(const KeySchedule& schedule) : schedule_(schedule) {}
  ~CipherContexts();
  CipherContexts(const CipherContexts&) = delete;
  CipherContexts& operator=(const CipherContexts&) = delete;

  /// The key that all of the contexts have.
  std::span<const uint8_t> key() const { return schedule_.key(); }

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
    /// Sets the length of nonces in bytes, which a context for GCM keeps from message to message.
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

}  // namespace warpaes::core::openssl
