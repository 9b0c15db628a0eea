// The production kernels, one row for each. The rows are a template over the machine that runs them, so that
// a kernel is listed once both for a GPU (kernel_table.cpp) and for the emulated GPU of the tests.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/grid/bitsliced_batches.hpp"
#include "kernels/grid/bitsliced_cbc_cfb_decrypt.hpp"
#include "kernels/grid/bitsliced_ctr_gcm.hpp"
#include "kernels/grid/bitsliced_ecb.hpp"
#include "kernels/grid/bitsliced_gcm_batches.hpp"
#include "kernels/grid/bitsliced_xts.hpp"
#include "kernels/grid/cbc_cfb_decrypt.hpp"
#include "kernels/grid/ecb.hpp"
#include "kernels/grid/gcm_siv.hpp"
#include "kernels/grid/listed_hybrid_gcm.hpp"
#include "kernels/grid/long_aad.hpp"
#include "kernels/grid/ocb3.hpp"
#include "kernels/grid/shifted_ctr_gcm.hpp"
#include "kernels/grid/shifted_hybrid_ctr_gcm.hpp"
#include "kernels/grid/store_parameters.hpp"
#include "kernels/grid/wipe_failed_messages.hpp"
#include "kernels/grid/xts.hpp"
#include "kernels/kernel_table.hpp"
#include "kernels/lane/bitsliced_chains.hpp"
#include "kernels/lane/block_modes.hpp"
#include "kernels/lane/cbc_pkcs7_cts.hpp"
#include "kernels/lane/ccm_eax.hpp"
#include "kernels/lane/cfb8_cfb1.hpp"
#include "kernels/lane/key_wrap.hpp"
#include "kernels/lane/siv.hpp"
#include "kernels/lane/xts.hpp"
#include "kernels/team/gcm.hpp"
#include "kernels/team/gcm_siv.hpp"
#include "kernels/team/ocb3.hpp"
#include "kernels/team/ocb3_per_message_keys.hpp"
#include "kernels/team/small_gcm.hpp"

namespace warpaes::core::kernels {

/// @tparam Machine a template; Machine<Kernel>::prepare has the form of Launcher's
template <template <class> class Machine, class... Kernels>
inline constexpr std::array kVariants{KernelVariant{Kernels::policy, Machine<Kernels>::prepare}...};

/// @param words the row without its name and its variants
template <template <class> class Machine, class First, class... Others>
constexpr KernelRow row(KernelRow words) {
  static_assert(((std::string_view(Others::kName) == First::kName) && ...));
  words.name = First::kName;
  words.variants = kVariants<Machine, First, Others...>;
  return words;
}

template <template <class> class Machine, template <warpaes_direction> class Kernel>
constexpr KernelRow row_of_directions(KernelRow words) {
  return row<Machine, Kernel<WARPAES_DIRECTION_ENCRYPT>, Kernel<WARPAES_DIRECTION_DECRYPT>>(words);
}

template <template <class> class Machine, template <Hashed> class Kernel>
constexpr KernelRow row_of_counters(KernelRow words) {
  return row<Machine, Kernel<Hashed::nothing>, Kernel<Hashed::output>, Kernel<Hashed::input>>(words);
}

template <template <class> class Machine, template <warpaes_direction, LaneKeys> class Kernel>
constexpr KernelRow row_of_lanes(KernelRow words) {
  using enum LaneKeys;
  return row<Machine, Kernel<WARPAES_DIRECTION_ENCRYPT, one>, Kernel<WARPAES_DIRECTION_DECRYPT, one>,
             Kernel<WARPAES_DIRECTION_ENCRYPT, each>, Kernel<WARPAES_DIRECTION_DECRYPT, each>>(words);
}

template <template <class> class Machine, CipherMode... modes>
constexpr KernelRow row_of_block_modes(KernelRow words) {
  return row<Machine, lane::BlockModes<modes, LaneKeys::one>..., lane::BlockModes<modes, LaneKeys::each>...>(
      words);
}

/// CCM and EAX, each by direction and by whether the messages have one key or a key each.
template <template <class> class Machine, LaneKeys... keys>
constexpr KernelRow row_of_ccm_and_eax(KernelRow words) {
  using enum CcmOrEax;
  return row<Machine, lane::CcmEax<ccm, WARPAES_DIRECTION_ENCRYPT, keys>...,
             lane::CcmEax<ccm, WARPAES_DIRECTION_DECRYPT, keys>...,
             lane::CcmEax<eax, WARPAES_DIRECTION_ENCRYPT, keys>...,
             lane::CcmEax<eax, WARPAES_DIRECTION_DECRYPT, keys>...>(words);
}

/// Sources of ideas that several kernels share.
namespace sources {
inline constexpr const char *kTables = "this project, after C. Tezcan, IEEE Access 2021",
                            *kCounterCaching = "this project, after Bernstein and Schwabe, 2008",
                            *kBitSlicing = "Biham, FSE 1997; Hajihassani and others, IEEE TPDS 2019";
}

/// Kernels of CTR and GCM in which all multiprocessors share one message, and look-ups are made.
template <template <class> class Machine>
constexpr auto counter_rows() {
  constexpr warpaes_timing kConflictFree = WARPAES_TIMING_CONFLICT_FREE;
  return std::array{
      row_of_counters<Machine, grid::CtrGcm>({.idea = "Two rounds are cached for 256 counters that differ "
                                                      "in one byte; GHASH is done in the same pass.",
                                              .source = sources::kCounterCaching,
                                              .timing = kConflictFree,
                                              .modes = "CTR, GCM"}),
      row_of_counters<Machine, grid::ShiftedCtrGcm>(
          {.idea = "Blocks that lie across multiples of 16 are loaded as two aligned chunks, and stored by "
                   "two lanes together.",
           .source = "this project",
           .timing = kConflictFree,
           .modes = "CTR, GCM"}),
      row<Machine, grid::ListedGcm<Hashed::output>, grid::ListedGcm<Hashed::input>>(
          {.idea = "All messages of a list are shared as if they were one: each warp has as many blocks.",
           .source = "this project",
           .timing = kConflictFree,
           .modes = "GCM"}),
      row<Machine, grid::ListedHybridGcm<Hashed::output>, grid::ListedHybridGcm<Hashed::input>>(
          {.idea = "Of a long list, warps on bit planes have the last part, and tables all else.",
           .source = "this project",
           .timing = kConflictFree,
           .modes = "GCM"}),
      row<Machine, grid::PlanListedMessages>({.idea = "One block of threads adds up the messages' lengths.",
                                              .source = "this project",
                                              .timing = WARPAES_TIMING_STRICT,
                                              .modes = "GCM"}),
      row<Machine, grid::LongAad>(
          {.idea = "All warps share long additional data, and add their sums to one that the kernel of GCM "
                   "takes.",
           .source = "NIST SP 800-38D, section 6.4",
           .timing = WARPAES_TIMING_STRICT,
           .modes = "GCM, GMAC"}),
      row_of_counters<Machine, grid::HybridCtrGcm>(
          {.idea = "Some warps look up tables, and others compute on bit planes with the idle logic units.",
           .source = "docs/design/kernels.md",
           .timing = kConflictFree,
           .modes = "CTR, GCM"}),
      row_of_counters<Machine, grid::ShiftedHybridCtrGcm>(
          {.idea = "The hybrid kernel for messages that begin at no multiple of 16.",
           .source = "this project",
           .timing = kConflictFree,
           .modes = "CTR, GCM"}),
  };
}

/// The other kernels in which all multiprocessors share one message, and those that help them.
template <template <class> class Machine>
constexpr auto grid_rows() {
  constexpr warpaes_timing kConflictFree = WARPAES_TIMING_CONFLICT_FREE, kStrict = WARPAES_TIMING_STRICT;
  return std::array{
      row_of_directions<Machine, grid::Ecb>(
          {.idea = "Every lane has its own copy of the T-tables in its own bank of shared memory.",
           .source = sources::kTables,
           .timing = kConflictFree,
           .modes = "ECB"}),
      row<Machine, grid::CbcCfbDecrypt<Unchaining::cbc>, grid::CbcCfbDecrypt<Unchaining::cfb>>(
          {.idea = "All ciphertext is there from the start, so that a warp decrypts any run of blocks.",
           .source = "NIST SP 800-38A, sections 6.2 and 6.3",
           .timing = kConflictFree,
           .modes = "CBC and CFB decryption"}),
      row<Machine, grid::SaveBlocksBeforeRuns>(
          {.idea = "Before decryption in place, the ciphertext block in front of each warp's run is saved.",
           .source = "docs/design/kernels.md",
           .timing = kStrict,
           .modes = "CBC and CFB decryption"}),
      row_of_directions<Machine, grid::Xts>(
          {.idea = "A warp jumps to its first tweak by a power of x, and a lane steps by x^32.",
           .source = "IEEE Std 1619",
           .timing = kConflictFree,
           .modes = "XTS"}),
      row<Machine, grid::GcmSiv<SivWork::hash>, grid::GcmSiv<SivWork::crypt>, grid::GcmSiv<SivWork::open>>(
          {.idea = "Encryption hashes in one launch and counts in the next; decryption does both in one.",
           .source = "RFC 8452",
           .timing = kConflictFree,
           .modes = "GCM-SIV"}),
      row_of_directions<Machine, grid::Ocb3>({.idea = "A lane's offsets come from the block's number alone, "
                                                      "so that any run can be started anywhere.",
                                              .source = "RFC 7253",
                                              .timing = kConflictFree,
                                              .modes = "OCB3"}),
      row<Machine, grid::WipeFailedMessages>(
          {.idea = "The output of every message whose tag was wrong is set to zero after decryption.",
           .source = "NIST SP 800-38D, section 7.2",
           .timing = kStrict,
           .modes = "GCM, GCM-SIV, OCB3"}),
      row<Machine, grid::StoreParameters>(
          {.idea = "Bytes that the host has of a message on the device travel in a launch's parameters.",
           .source = "NVIDIA, CUDA C++ Programming Guide: __grid_constant__ parameters",
           .timing = kStrict,
           .modes = "those that take a nonce, an IV or a tag from the host"}),
  };
}

/// Kernels that compute on bit planes.
template <template <class> class Machine>
constexpr auto bitsliced_rows() {
  using enum CipherMode;
  constexpr warpaes_timing kStrict = WARPAES_TIMING_STRICT;
  return std::array{
      row_of_directions<Machine, grid::BitslicedEcb>(
          {.idea = "Eight blocks a lane are 32 words of bit planes.",
           .source = sources::kBitSlicing,
           .timing = kStrict,
           .modes = "ECB"}),
      row_of_counters<Machine, grid::BitslicedCtrGcm>(
          {.idea = "What the counter's last byte gives after two rounds is kept as bit planes.",
           .source = sources::kBitSlicing,
           .timing = kStrict,
           .modes = "CTR, GCM"}),
      row<Machine, grid::BitslicedGcmBatches<Hashed::output>, grid::BitslicedGcmBatches<Hashed::input>>(
          {.idea = "Groups begin with each message's first block, and a warp encrypts J0 of 256 messages at "
                   "once.",
           .source = sources::kBitSlicing,
           .timing = kStrict,
           .modes = "GCM"}),
      row<Machine, grid::BitslicedCbcCfbDecrypt<Unchaining::cbc>,
          grid::BitslicedCbcCfbDecrypt<Unchaining::cfb>>(
          {.idea =
               "A warp decrypts 256 blocks of its run at a time on bit planes, from the last to the first.",
           .source = sources::kBitSlicing,
           .timing = kStrict,
           .modes = "CBC and CFB decryption"}),
      row_of_directions<Machine, grid::BitslicedXts>(
          {.idea = "A lane makes its eight tweaks twice, before and after the cipher, to spare registers.",
           .source = sources::kBitSlicing,
           .timing = kStrict,
           .modes = "XTS"}),
      row_of_directions<Machine, grid::BitslicedXtsStealing>(
          {.idea = "The last two blocks of data units that end in an incomplete block are done in a launch "
                   "of their own.",
           .source = "IEEE Std 1619",
           .timing = kStrict,
           .modes = "XTS"}),
      row<Machine, grid::BitslicedBatches<ecb_encrypt>, grid::BitslicedBatches<ecb_decrypt>,
          grid::BitslicedBatches<cbc_decrypt>, grid::BitslicedBatches<cfb_decrypt>,
          grid::BitslicedBatches<ctr>>({.idea = "The blocks of all messages are one sequence, of which a "
                                                "warp takes a run.",
                                        .source = sources::kBitSlicing,
                                        .timing = kStrict,
                                        .modes = "ECB, CTR, CBC and CFB decryption"}),
      row<Machine, lane::BitslicedChains<cbc_encrypt>, lane::BitslicedChains<cfb_encrypt>,
          lane::BitslicedChains<ofb>>({.idea = "A lane walks eight messages at the same time.",
                                       .source = sources::kBitSlicing,
                                       .timing = kStrict,
                                       .modes = "CBC and CFB encryption, OFB"}),
  };
}

/// Kernels for many messages: a team of 8 to 32 lanes works on each, or a thread block on each small one.
template <template <class> class Machine>
constexpr auto team_rows() {
  constexpr warpaes_timing kConflictFree = WARPAES_TIMING_CONFLICT_FREE;
  constexpr warpaes_direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;
  return std::array{
      row<Machine, team::Gcm<OneKeyBatch, kEncrypt>, team::Gcm<OneKeyBatch, kDecrypt>,
          team::Gcm<RaggedBatch, kEncrypt>, team::Gcm<RaggedBatch, kDecrypt>,
          team::Gcm<ShiftedBatch, kEncrypt>, team::Gcm<ShiftedBatch, kDecrypt>,
          team::Gcm<PerMessageKeysBatch, kEncrypt>, team::Gcm<PerMessageKeysBatch, kDecrypt>>(
          {.idea =
               "A team works on a message from its key to its tag, so that nothing is collected afterwards.",
           .source = "NIST SP 800-38D; docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "GCM"}),
      row<Machine, team::GcmSiv<GcmSivBatch, kEncrypt>, team::GcmSiv<GcmSivBatch, kDecrypt>,
          team::GcmSiv<PerMessageKeysBatch, kEncrypt>, team::GcmSiv<PerMessageKeysBatch, kDecrypt>>(
          {.idea = "A warp derives the keys of several messages at once, and its teams take the messages in "
                   "turns.",
           .source = "RFC 8452; docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "GCM-SIV"}),
      row_of_directions<Machine, team::Ocb3>(
          {.idea = "Teams take whole blocks; each lane makes the edges and the tag of one of 32 messages.",
           .source = "RFC 7253; docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "OCB3"}),
      row_of_directions<Machine, team::Ocb3PerMessageKeys>(
          {.idea = "A warp prepares the keys of several messages at once, with the first multiples of L.",
           .source = "RFC 7253; docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "OCB3"}),
      row<Machine, team::SmallGcm<SmallWork::counter>, team::SmallGcm<SmallWork::encrypt>,
          team::SmallGcm<SmallWork::decrypt>, team::SmallGcm<SmallWork::encrypt, SmallCount::shared>,
          team::SmallGcm<SmallWork::decrypt, SmallCount::shared>,
          team::SmallGcm<SmallWork::encrypt, SmallCount::many>,
          team::SmallGcm<SmallWork::decrypt, SmallCount::many>>(
          {.idea = "One table is filled quickly, and each thread has about one block, at its own power of H.",
           .source = "docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "CTR, GCM"}),
  };
}

/// Kernels for many messages with one in each lane, for modes whose blocks have to wait for each other.
template <template <class> class Machine>
constexpr auto lane_rows() {
  using enum LaneKeys;
  constexpr warpaes_timing kConflictFree = WARPAES_TIMING_CONFLICT_FREE;
  return std::array{
      row_of_block_modes<Machine, CipherMode::ecb_encrypt, CipherMode::ecb_decrypt, CipherMode::cbc_encrypt,
                         CipherMode::cbc_decrypt, CipherMode::cfb_encrypt, CipherMode::cfb_decrypt,
                         CipherMode::ofb, CipherMode::ctr, CipherMode::cmac>(
          {.idea =
               "Four lanes share their messages' loads and stores, so that memory is read in whole sectors.",
           .source = "docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "ECB, CBC, CFB, OFB, CTR, CMAC"}),
      row_of_lanes<Machine, lane::Xts>(
          {.idea = "A lane has a data unit, and keeps its tweak beside a tile of it.",
           .source = "IEEE Std 1619; docs/design/messages.md",
           .timing = kConflictFree,
           .modes = "XTS"}),
      row_of_lanes<Machine, lane::KeyWrap>(
          {.idea = "A lane wraps a key in its registers and in its output, six times over.",
           .source = "NIST SP 800-38F",
           .timing = kConflictFree,
           .modes = "KW, KWP"}),
      row_of_lanes<Machine, lane::CbcPkcs7Cts>(
          {.idea = "A lane treats its message's last two blocks on their own: it pads, or steals ciphertext.",
           .source = "RFC 5652, section 6.3; addendum to NIST SP 800-38A",
           .timing = kConflictFree,
           .modes = "ECB and CBC with PKCS#7, CBC-CS1, CBC-CS2, CBC-CS3"}),
      row<Machine, lane::Cfb8Cfb1<one>, lane::Cfb8Cfb1<each>>(
          {.idea = "A lane shifts a byte or a bit into its register for each call of the cipher.",
           .source = "NIST SP 800-38A, section 6.3",
           .timing = kConflictFree,
           .modes = "CFB-8, CFB-1"}),
      row_of_ccm_and_eax<Machine, one, each>(
          {.idea = "A lane has two blocks at work, one of the counter and one of the MAC.",
           .source = "NIST SP 800-38C; M. Bellare, P. Rogaway, D. Wagner, The EAX Mode of Operation (2004)",
           .timing = kConflictFree,
           .modes = "CCM, EAX"}),
      row_of_lanes<Machine, lane::Siv>(
          {.idea = "A lane walks its message twice, once for S2V and once for CTR.",
           .source = "RFC 5297",
           .timing = kConflictFree,
           .modes = "SIV"}),
  };
}

template <size_t... counts>
constexpr auto joined(const std::array<KernelRow, counts>&... parts) {
  std::array<KernelRow, (counts + ...)> all;
  auto at = all.begin();
  ((at = std::copy(parts.begin(), parts.end(), at)), ...);
  return all;
}

template <template <class> class Machine>
constexpr auto kernel_rows() {
  return joined(counter_rows<Machine>(), grid_rows<Machine>(), bitsliced_rows<Machine>(),
                team_rows<Machine>(), lane_rows<Machine>());
}

}  // namespace warpaes::core::kernels
