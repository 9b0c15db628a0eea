#include "engines/openssl/cipher_contexts.hpp"

#include <openssl/err.h>
#include <openssl/evperr.h>

#include <algorithm>
#include <atomic>

#include "failure.hpp"
#include "process/fork_locks.hpp"
#include "process/made_once.hpp"

namespace warpaes::core::openssl {
namespace {

struct UseRow {
  int encrypt;
  std::array<const char*, 3> cipher_by_key_length;
};

/// In the order of Use.
constexpr std::array<UseRow, kUses> kUseTable{{
    {1, {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB"}},
    {0, {"AES-128-ECB", "AES-192-ECB", "AES-256-ECB"}},
    {1, {"AES-128-CTR", "AES-192-CTR", "AES-256-CTR"}},
    {1, {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"}},
    {0, {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"}},
    {1, {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC"}},
    {0, {"AES-128-CBC", "AES-192-CBC", "AES-256-CBC"}},
    {1, {"AES-128-CFB", "AES-192-CFB", "AES-256-CFB"}},  // segments of 128 bits
    {1, {"AES-128-OFB", "AES-192-OFB", "AES-256-OFB"}},
    {1, {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"}},
}};

/// Ciphers fetched once: a fetch searches all providers' algorithms under a lock. Never freed, because
/// keys of the program may outlive any static object.
using Ciphers = std::array<std::array<EVP_CIPHER*, 3>, kUses>;

const Ciphers& ciphers() {
  static constinit MadeOnce<Ciphers> fetched;
  return fetched.get([] {
    Ciphers all;
    for (int use = 0; use < kUses; use++) {
      for (int length = 0; length < 3; length++) {
        all[use][length] = EVP_CIPHER_fetch(nullptr, kUseTable[use].cipher_by_key_length[length], nullptr);
      }
    }
    return all;
  });
}

constexpr std::array<const char*, 2> kXtsNames = {"AES-128-XTS", "AES-256-XTS"};

/// EVP counts in int; whole blocks, so that a cut leaves no partial block in a context.
constexpr uint64_t kMaxUpdateBytes = uint64_t{1} << 30;

/// What EVP expects of a new context for GCM.
constexpr size_t kFirstNonceBytes = 12;

int length_index(const KeySchedule& schedule) { return (schedule.key_bits() - 128) / 64; }

}  // namespace

const EVP_CIPHER* xts_cipher(int bits) {
  using XtsCiphers = std::array<EVP_CIPHER*, 2>;
  static constinit MadeOnce<XtsCiphers> fetched;
  return fetched.get([] {
    return XtsCiphers{EVP_CIPHER_fetch(nullptr, kXtsNames[0], nullptr),
                      EVP_CIPHER_fetch(nullptr, kXtsNames[1], nullptr)};
  })[bits == 256];
}

std::string fetch_failure() {
  for (int use = 0; use < kUses; use++) {
    for (int length = 0; length < 3; length++) {
      if (ciphers()[use][length] == nullptr) {
        return std::string("OpenSSL's providers have no ") + kUseTable[use].cipher_by_key_length[length];
      }
    }
  }
  for (const int bits : {128, 256}) {
    if (xts_cipher(bits) == nullptr) {
      return std::string("OpenSSL's providers have no ") + kXtsNames[bits == 256];
    }
  }
  return "";
}

void refuse(const char* what) {
  char words[256] = "no reason given";
  const unsigned long error = ERR_get_error();
  if (error != 0) ERR_error_string_n(error, words, sizeof words);
  ERR_clear_error();
  // EVP says no more than the second if a provider has no memory for what a new context needs.
  const int reason = ERR_GET_REASON(error);
  const bool no_memory = reason == ERR_R_MALLOC_FAILURE ||
                         (ERR_GET_LIB(error) == ERR_LIB_EVP && reason == EVP_R_INITIALIZATION_ERROR);
  throw Failure(no_memory ? WARPAES_ERROR_HOST_MEMORY : WARPAES_ERROR_INTERNAL,
                std::string("OpenSSL: ") + what + ": " + words);
}

void update(EVP_CIPHER_CTX* context, const uint8_t* input, uint8_t* output, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += kMaxUpdateBytes) {
    const int part = static_cast<int>(std::min(kMaxUpdateBytes, bytes - at));
    int written = 0;
    require(EVP_CipherUpdate(context, output == nullptr ? nullptr : output + at, &written, input + at, part),
            "processing data");
    if (written != part) throw Failure(WARPAES_ERROR_INTERNAL, "OpenSSL: an update kept bytes back");
  }
}

void CipherContexts::Borrowed::change_nonce_length(size_t bytes) {
  context_->nonce_bytes = 0;  // unknown, if EVP refuses
  require(EVP_CIPHER_CTX_ctrl(get(), EVP_CTRL_AEAD_SET_IVLEN, static_cast<int>(bytes), nullptr),
          "setting the nonce's length");
  context_->nonce_bytes = bytes;
}

CipherContexts::Handle CipherContexts::make(Use use) const {
  const int row = static_cast<int>(use);
  const EVP_CIPHER* cipher = ciphers()[row][length_index(schedule_)];
  Handle context(EVP_CIPHER_CTX_new());
  if (context == nullptr) throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL: no memory for a cipher context");
  require(EVP_CipherInit_ex2(context.get(), cipher, schedule_.key().data(), nullptr, kUseTable[row].encrypt,
                             nullptr),
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
