#include "engines/openssl/openssl_engine.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engines/openssl/openssl_modes.hpp"
#include "primitives/wiped.hpp"

namespace warpaes::core {
namespace {

using openssl::CipherContexts;
using openssl::contexts_of;
using openssl::update;
using openssl::Use;

std::unique_ptr<EngineKey> prepare(const KeySchedule& schedule, int) {
  return std::make_unique<openssl::OpensslKey>(schedule);
}

Availability available(int) {
  std::string reason = openssl::fetch_failure();
  return {reason.empty(), std::move(reason)};
}

template <Use kUse>
void run_blocks(const EngineKey& key, const BlockRun& run, Stream) {
  const CipherContexts::Borrowed context(contexts_of(key), kUse);
  update(context.get(), run.input, run.output, run.bytes);
}

void run_counter(const EngineKey& key, const CounterRun& run, Stream) {
  const CipherContexts::Borrowed context(contexts_of(key), Use::ctr);
  openssl::set_iv(context.get(), run.counter, "setting the counter");
  update(context.get(), run.input, run.output, run.bytes);
}

template <Use kUse>
void run_chain(const EngineKey& key, const ChainRun& run, Stream) {
  const CipherContexts::Borrowed context(contexts_of(key), kUse);
  openssl::set_iv(context.get(), run.iv, "setting the initialisation vector");
  update(context.get(), run.input, run.output, run.bytes);
}

template <Use kUse>
void run_unchain(const EngineKey& key, const ChainRun& run, void*, Stream stream) {
  run_chain<kUse>(key, run, stream);
}

/// Both keys one after the other, as EVP takes them.
struct KeyPair : Wiped<std::array<uint8_t, 64>> {
  explicit KeyPair(const XtsKeys& keys) {
    const auto data = contexts_of(keys.data).key(), tweak = contexts_of(keys.tweak).key();
    std::ranges::copy(tweak, std::ranges::copy(data, begin()).out);
  }
};

/// Adds one to a little-endian number of 128 bits.
void count_up(std::array<uint8_t, 16>& number) {
  for (uint8_t& byte : number) {
    if (++byte != 0) return;
  }
}

/// Makes a context for this call alone, as those of a key have one key and XTS has two.
void run_xts(const XtsKeys& keys, Direction direction, const XtsRun& run, Stream) {
  const openssl::Handle context = openssl::new_context();
  openssl::require(EVP_CipherInit_ex2(context.get(), openssl::fetched(openssl::Cipher::xts, keys.bits),
                                      KeyPair(keys).data(), nullptr, openssl::encrypts(direction), nullptr),
                   "setting XTS' keys");
  std::array<uint8_t, 16> number;
  std::copy_n(run.tweak, 16, number.begin());
  for (uint64_t at = 0; at < run.bytes; at += run.data_unit_bytes, count_up(number)) {
    openssl::set_iv(context.get(), number.data(), "setting the tweak");
    update(context.get(), run.input + at, run.output + at, std::min(run.data_unit_bytes, run.bytes - at));
  }
}

/// Are both instructions, AES and carry-less multiplication, there and not masked? OpenSSL answers for
/// itself, with the words that its OPENSSL_ia32cap(3) and OPENSSL_armcap hold.
bool uses_aes_instructions() {
  const char* settings = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
  if (settings == nullptr) return false;
  const char* equals = std::strchr(settings, '=');
  if (equals == nullptr) return false;
  const unsigned long long word = std::strtoull(equals + 1, nullptr, 16);
  const auto has = [word](int bit) { return (word >> bit & 1) != 0; };
  if (std::strncmp(settings, "OPENSSL_ia32cap", 15) == 0) return has(32 + 25) && has(32 + 1);
  if (std::strncmp(settings, "OPENSSL_armcap", 14) == 0) return has(2) && has(5);
  return false;
}

/// Without those instructions OpenSSL may take table code, whose time depends on the key.
const bool kAesInstructions = uses_aes_instructions();

/// The engine's description. It is no std::string, so that it needs no memory, and is there also while the
/// process ends.
const std::array<char, 80> kDescription = [] {
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "CPU, %s libcrypto with%s AES instructions",
                OpenSSL_version(OPENSSL_VERSION_STRING), kAesInstructions ? "" : "out");
  return text;
}();

ModeSupports modes() {
  ModeSupports all{};
  all[WARPAES_MODE_GCM] =
      all[WARPAES_MODE_GMAC] = {.run = openssl::run_gcm, .longest_nonce = openssl::kMaxGcmNonceBytes};
  all[WARPAES_MODE_CCM] = {.run = openssl::run_ccm, .longest = openssl::kLongestCcm};
  all[WARPAES_MODE_OCB3] = {.run = openssl::run_ocb3};
  return all;
}

}  // namespace

const Engine openssl_evp = {
    .name = "openssl",
    .kernel = "evp",
    .description = kDescription.data(),
    .timing = kAesInstructions ? WARPAES_TIMING_STRICT : WARPAES_TIMING_LEAKY,
    .memory = Memory::host,
    .available = available,
    .prepare = prepare,
    .encrypt_blocks = run_blocks<Use::ecb_encrypt>,
    .decrypt_blocks = run_blocks<Use::ecb_decrypt>,
    .counter = run_counter,
    .gcm_part = openssl::start_gcm_part,
    .cbc_encrypt = run_chain<Use::cbc_encrypt>,
    .cfb_encrypt = run_chain<Use::cfb_encrypt>,
    .ofb = run_chain<Use::ofb>,
    .cbc_decrypt = run_unchain<Use::cbc_decrypt>,
    .cfb_decrypt = nullptr,  // composed from ECB it is ten times as fast: EVP's goes block by block
    .xts = run_xts,
    .xts_has_192_bits = false,
    .modes = modes(),
};

}  // namespace warpaes::core
