#include "modes/aead_table.hpp"

#include <array>
#include <string>

#include "failure.hpp"
#include "modes/aead_modes.hpp"
#include "modes/modes.hpp"

namespace warpaes {
namespace {

constexpr size_t kAnyLength = SIZE_MAX;

constexpr uint32_t bytes(size_t length) { return uint32_t{1} << length; }
constexpr uint32_t kTags12To16 = bytes(12) | bytes(13) | bytes(14) | bytes(15) | bytes(16);

constexpr std::array kRows = {
    // SP 800-38D section 5.2.1. AAD of at most 2^64 - 1 bits. Batches have the nonces that the standard
    // recommends and kernels are made for.
    AeadRow{.name = "GCM",
            .has_192_bits = true,
            .most_bytes = [](size_t) { return kGcmMaxBytes; },
            .most_aad_bytes = (uint64_t{1} << 61) - 1,
            .shortest_nonce = 1,
            .longest_nonce = kAnyLength,
            .recommended_nonce = 12,
            .batch_nonce = 12,
            .tag_lengths = kTags12To16,
            .chains = false,
            .limits = "a nonce of 1 byte or more, in batches of 12 bytes, and a tag of 12 to 16 bytes",
            .fused =
                [](const Engine& engine) {
                  return Engine::FusedAead{.run = engine.gcm,
                                           .workspace_bytes = engine.gcm_workspace_bytes,
                                           .key_each = engine.gcm_key_each};
                },
            .composed = [](const Engine& engine, const AeadKey& key,
                           const AeadBatch& batch) { gcm_composed(engine, key.prepared, batch); }},
    // RFC 8452 section 6.
    AeadRow{.name = "GCM-SIV",
            .has_192_bits = false,
            .most_bytes = [](size_t) { return uint64_t{1} << 36; },
            .most_aad_bytes = uint64_t{1} << 36,
            .shortest_nonce = 12,
            .longest_nonce = 12,
            .recommended_nonce = 12,
            .batch_nonce = 0,
            .tag_lengths = bytes(16),
            .chains = false,
            .limits = "a nonce of 12 bytes and a tag of 16",
            .fused = [](const Engine& engine) { return engine.gcm_siv; },
            .composed = gcm_siv_composed},
    // SP 800-38C appendix A.1: the length has what the nonce leaves of 15 bytes. It allows tags of 4 and 6
    // bytes too, for callers who limit how often one may fail (appendix B.2), which a library cannot.
    AeadRow{.name = "CCM",
            .has_192_bits = true,
            .most_bytes =
                [](size_t nonce_bytes) {
                  return nonce_bytes <= 7 ? UINT64_MAX : (uint64_t{1} << 8 * (15 - nonce_bytes)) - 1;
                },
            .most_aad_bytes = UINT64_MAX,
            .shortest_nonce = 7,
            .longest_nonce = 13,
            .recommended_nonce = 12,
            .batch_nonce = 0,
            .tag_lengths = bytes(8) | bytes(10) | bytes(12) | bytes(14) | bytes(16),
            .chains = true,
            .limits = "a nonce of 7 to 13 bytes and a tag of 8, 10, 12, 14 or 16",
            .fused = [](const Engine& engine) { return engine.ccm; },
            .composed = ccm_composed},
    AeadRow{.name = "EAX",
            .has_192_bits = true,
            .most_bytes = [](size_t) { return UINT64_MAX; },
            .most_aad_bytes = UINT64_MAX,
            .shortest_nonce = 1,
            .longest_nonce = kAnyLength,
            .recommended_nonce = 16,
            .batch_nonce = 0,
            .tag_lengths = kTags12To16,
            .chains = true,
            .limits = "a nonce of 1 byte or more and a tag of 12 to 16 bytes",
            .fused = [](const Engine& engine) { return engine.eax; },
            .composed = eax_composed},
    // RFC 7253 sections 3.1, 4.2 and 5.1: 2^48 blocks under a key.
    AeadRow{.name = "OCB3",
            .has_192_bits = true,
            .most_bytes = [](size_t) { return uint64_t{1} << 52; },
            .most_aad_bytes = uint64_t{1} << 52,
            .shortest_nonce = 1,
            .longest_nonce = 15,
            .recommended_nonce = 12,
            .batch_nonce = 0,
            .tag_lengths = bytes(8) | bytes(12) | bytes(16),
            .chains = false,
            .limits = "a nonce of 1 to 15 bytes and a tag of 8, 12 or 16",
            .fused = [](const Engine& engine) { return engine.ocb3; },
            .composed = ocb3_composed},
    // RFC 5297 sections 2.3 and 3: the nonce is one of S2V's strings, which may have any length. Section 7
    // has no limit that memory would not meet first.
    AeadRow{.name = "SIV",
            .has_192_bits = true,
            .halves = 2,
            .most_bytes = [](size_t) { return UINT64_MAX; },
            .most_aad_bytes = UINT64_MAX,
            .shortest_nonce = 0,
            .longest_nonce = kAnyLength,
            .recommended_nonce = 0,
            .batch_nonce = 0,
            .tag_lengths = bytes(16),
            .chains = true,
            .limits = "a nonce of any length, or none, and a tag of 16 bytes",
            .fused = [](const Engine& engine) { return engine.siv; },
            .composed = siv_composed},
};

}  // namespace

const AeadRow& aead_row(Aead mode) {
  const auto index = static_cast<size_t>(mode);
  if (index >= kRows.size()) throw Failure(WARPAES_ERROR_OPTION, "no AEAD mode has this number");
  return kRows[index];
}

}  // namespace warpaes
