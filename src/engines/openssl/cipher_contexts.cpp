#include "engines/openssl/cipher_contexts.hpp"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evperr.h>
#include <openssl/provider.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "failure.hpp"
#include "process/fork_locks.hpp"
#include "process/made_once.hpp"

namespace warpaes::core::openssl {
namespace {

/// OpenSSL's names of the modes, in the order of Cipher. OpenSSL's CFB has segments of 128 bits.
constexpr const char* kNames[] = {"ECB", "CTR", "GCM", "CBC", "CFB", "OFB", "XTS", "CCM", "OCB"};

struct UseRow {
  Cipher cipher;
  int encrypts;
};

/// The cipher and the direction of each use, in the order of Use.
constexpr std::array<UseRow, kUses> kUseTable{{
    {Cipher::ecb, 1},
    {Cipher::ecb, 0},
    {Cipher::ctr, 1},
    {Cipher::gcm, 1},
    {Cipher::gcm, 0},
    {Cipher::cbc, 1},
    {Cipher::cbc, 0},
    {Cipher::cfb, 1},
    {Cipher::ofb, 1},
    {Cipher::gcm, 1},
}};

/// EVP counts in int; whole blocks, so that a cut leaves no partial block in a context.
constexpr uint64_t kMaxUpdateBytes = uint64_t{1} << 30;

/// The length of nonces, in bytes, that EVP gives a new context for GCM.
constexpr size_t kFirstNonceBytes = 12;

/// Thrown instead of returning null, so that MadeOnce does not keep that answer: providers may be loaded
/// later.
struct NoSuchAlgorithm {};

/// Has libcrypto memory for what a provider needs?
bool has_memory() {
  void* const memory = OPENSSL_malloc(size_t{64} << 10);
  OPENSSL_free(memory);
  return memory != nullptr;
}

/// The library context of the process. A thread may have one of its own (OSSL_LIB_CTX_set0_default()), but
/// what it fetched would be for all threads, and stay when the thread has freed that context.
OSSL_LIB_CTX* library_context() { return OSSL_LIB_CTX_get0_global_default(); }

/// EVP_CIPHER_fetch() or EVP_MD_fetch(). Throws HOST_MEMORY, or NoSuchAlgorithm. Where an allocation fails,
/// OpenSSL 3.0 mostly reports that an invalid argument was passed, or nothing, and seldom a lack of memory.
/// The arguments are right, so every error counts as a lack of memory unless it says that the algorithm is
/// unsupported.
template <auto kFetch>
auto* fetch(const std::string& name, const char* properties = nullptr) {
  ERR_set_mark();  // that there is none is an answer, no error to leave in the thread's queue
  auto* const algorithm = kFetch(library_context(), name.c_str(), properties);
  const bool is_unsupported = ERR_GET_REASON(ERR_peek_last_error()) == ERR_R_UNSUPPORTED;
  ERR_pop_to_mark();
  if (algorithm != nullptr) return algorithm;
  if (is_unsupported && has_memory()) throw NoSuchAlgorithm();
  throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory to fetch {}", name);
}

/// Throws HOST_MEMORY if an algorithm is missing that the default provider has. OpenSSL asks a provider once
/// for what it has. What it had no memory for at that moment is missing from then on, and is said to be
/// unsupported. But if it can be had without the properties that the process demands of all algorithms, such
/// as "fips=yes", it is these that hide it.
template <auto kFetch, auto kFree>
void require_not_lost(const std::string& name) {
  if (OSSL_PROVIDER_available(library_context(), "default") != 1) return;
  try {
    kFree(fetch<kFetch>(name, "provider=default,-fips"));
  } catch (const NoSuchAlgorithm&) {
    throw Failure(
        WARPAES_ERROR_HOST_MEMORY,
        "OpenSSL had no memory for {} when it was first used, and has none of it until the process ends",
        name);
  }
}

/// For example "AES-128-GCM".
std::string name_of(Cipher cipher, int key_bits) {
  return fmt::format("AES-{}-{}", key_bits, kNames[static_cast<size_t>(cipher)]);
}

std::string words_of_lack(const std::string& name) { return "OpenSSL's providers have no " + name; }

}  // namespace

/// A fetch searches all providers' algorithms under a lock, so each cipher is fetched once. None is freed, as
/// keys of the program may outlive any static object.
const EVP_CIPHER* fetched(Cipher cipher, int key_bits) {
  using OfKeySizes = std::array<MadeOnce<EVP_CIPHER*>, 3>;
  static constinit std::array<OfKeySizes, std::size(kNames)> all;
  try {
    return all[static_cast<size_t>(cipher)][static_cast<size_t>(key_bits - 128) / 64].get(
        [cipher, key_bits] { return fetch<EVP_CIPHER_fetch>(name_of(cipher, key_bits)); });
  } catch (const NoSuchAlgorithm&) {
    return nullptr;
  }
}

std::string fetch_failure() {
  for (const Cipher cipher :
       {Cipher::ecb, Cipher::ctr, Cipher::gcm, Cipher::cbc, Cipher::cfb, Cipher::ofb, Cipher::xts}) {
    for (const int bits : {128, 192, 256}) {
      const bool is_needed = cipher != Cipher::xts || bits != 192;
      if (!is_needed || fetched(cipher, bits) != nullptr) continue;
      const std::string name = name_of(cipher, bits);
      require_not_lost<EVP_CIPHER_fetch, EVP_CIPHER_free>(name);
      return words_of_lack(name);
    }
  }
  return "";
}

std::string fetch_failure_of_digest(const std::string& name) {
  try {
    EVP_MD_free(fetch<EVP_MD_fetch>(name));
    return "";
  } catch (const NoSuchAlgorithm&) {
    require_not_lost<EVP_MD_fetch, EVP_MD_free>(name);
    return words_of_lack(name);
  }
}

void refuse(const char* what) {
  char words[256] = "no reason given";
  // The newest: older ones may be of what the program did before.
  const unsigned long error = ERR_peek_last_error();
  if (error != 0) ERR_error_string_n(error, words, sizeof words);
  ERR_clear_error();
  // EVP says no more than the second if a provider has no memory for what a new context needs.
  const int reason = ERR_GET_REASON(error);
  const bool no_memory = reason == ERR_R_MALLOC_FAILURE ||
                         (ERR_GET_LIB(error) == ERR_LIB_EVP && reason == EVP_R_INITIALIZATION_ERROR);
  throw OpensslFailure(no_memory ? WARPAES_ERROR_HOST_MEMORY : WARPAES_ERROR_INTERNAL,
                       std::string("OpenSSL: ") + what + ": " + words, error);
}

void require_all(uint64_t written, uint64_t bytes) {
  if (written != bytes) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL: an update kept bytes back");
}

Handle new_context() {
  Handle context(EVP_CIPHER_CTX_new());
  if (context == nullptr) throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory for a cipher context");
  return context;
}

void control(EVP_CIPHER_CTX* context, int what, size_t bytes, uint8_t* data, const char* words) {
  require(EVP_CIPHER_CTX_ctrl(context, what, static_cast<int>(bytes), data), words);
}

uint64_t update_some(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  uint64_t all = 0;
  for (uint64_t at = 0; at < bytes; at += kMaxUpdateBytes) {
    const int part = static_cast<int>(std::min(kMaxUpdateBytes, bytes - at));
    int written = 0;
    require(EVP_CipherUpdate(context, output == nullptr ? nullptr : output + all, &written, input + at, part),
            "processing data");
    all += static_cast<uint64_t>(written);
  }
  return all;
}

void CipherContexts::Borrowed::change_nonce_length(size_t bytes) {
  context_->nonce_bytes = 0;  // unknown, if EVP refuses
  control(get(), EVP_CTRL_AEAD_SET_IVLEN, bytes, nullptr, "setting the nonce's length");
  context_->nonce_bytes = bytes;
}

Handle CipherContexts::make(Use use) const {
  const UseRow& row = kUseTable[static_cast<size_t>(use)];
  const EVP_CIPHER* const cipher = fetched(row.cipher, schedule_.key_bits());
  Handle context = new_context();
  require(EVP_CipherInit_ex2(context.get(), cipher, schedule_.key().data(), nullptr, row.encrypts, nullptr),
          "setting a key");
  // Of ciphers of blocks only: EVP repeats what was said about padding with every nonce.
  if (EVP_CIPHER_get_block_size(cipher) > 1) EVP_CIPHER_CTX_set_padding(context.get(), 0);
  return context;
}

CipherContexts::~CipherContexts() {
  for (Place& place : places_) delete place.idle.load();
}

/// Threads are dealt out to places as they come.
CipherContexts::Place& CipherContexts::place() {
  static constinit std::atomic<size_t> threads = 0;
  thread_local const size_t number = threads++;
  return places_[number % places_.size()];
}

std::unique_ptr<CipherContexts::Context> CipherContexts::take(Place& place, Use use) const {
  if (IdleOfUses* const idle = place.idle.load()) {
    auto& [first, more] = (*idle)[static_cast<size_t>(use)];
    if (Context* const found = first.exchange(nullptr)) return std::unique_ptr<Context>(found);
    const std::lock_guard lock(fork_safe_mutex(&place));
    if (!more.empty()) {
      std::unique_ptr<Context> context = std::move(more.back());
      more.pop_back();
      return context;
    }
  }
  return std::make_unique<Context>(make(use), kFirstNonceBytes);
}

void CipherContexts::give_back(Place& place, Use use, std::unique_ptr<Context> context) noexcept {
  try {
    IdleOfUses* idle = place.idle.load();
    if (idle == nullptr) {
      const std::lock_guard lock(fork_safe_mutex(&place));
      idle = place.idle.load();
      if (idle == nullptr) place.idle = idle = new IdleOfUses;
    }
    auto& [first, more] = (*idle)[static_cast<size_t>(use)];
    Context* nobody = nullptr;
    if (first.compare_exchange_strong(nobody, context.get())) {
      static_cast<void>(context.release());  // `first` owns it
      return;
    }
    const std::lock_guard lock(fork_safe_mutex(&place));
    more.push_back(std::move(context));
  } catch (const std::exception&) {
    // No memory to remember it by: the handle frees it, and the next call makes another.
  }
}

}  // namespace warpaes::core::openssl
