// Compares the sizes of kernels' thread blocks on every architecture with a table of those that were found
// not to spill. An intended change of kernels/policy.hpp has to change the table as well.
#include <gtest/gtest.h>

#include <string>

#include "emulated_machine.hpp"
#include "kernels/kernel_rows.hpp"

namespace warpaes::core::kernels {
namespace {

using enum LaneKeys;
constexpr warpaes_direction kEncrypt = WARPAES_DIRECTION_ENCRYPT, kDecrypt = WARPAES_DIRECTION_DECRYPT;

constexpr int kCapabilities[] = {75, 80, 86, 87, 89, 90, 100, 103, 110, 120};

using PolicyOf = KernelPolicy (*)(const LaunchPolicy&, int rounds);
template <class Kernel>
constexpr PolicyOf policy_of = Kernel::policy;

struct Row {
  const char* kernel;
  PolicyOf policy;
  int rounds;  // 0: any
  bool clmad;  // of the compiler
  /// For each of kCapabilities threads:shared bytes:tables, or - where there is no such kernel.
  const char* expected;
};

// clang-format off
constexpr Row kRows[] = {
    {"grid::Ecb<kEncrypt>", policy_of<grid::Ecb<kEncrypt>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"grid::CbcCfbDecrypt<Unchaining::cfb>", policy_of<grid::CbcCfbDecrypt<Unchaining::cfb>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"grid::Xts<kEncrypt>", policy_of<grid::Xts<kEncrypt>>, 0, true,
     "256:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"grid::Xts<kEncrypt>", policy_of<grid::Xts<kEncrypt>>, 0, false,
     "256:65536:2 256:131072:4 256:65536:2 256:131072:4 256:65536:2 "
     "256:131072:4 256:131072:4 256:131072:4 256:131072:4 256:65536:2"},
    {"grid::Xts<kDecrypt>", policy_of<grid::Xts<kDecrypt>>, 0, true,
     "256:65536:1 768:163840:4 768:98304:2 768:163840:4 768:98304:2 "
     "768:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"grid::Xts<kDecrypt>", policy_of<grid::Xts<kDecrypt>>, 0, false,
     "256:65536:1 256:163840:4 256:98304:2 256:163840:4 256:98304:2 "
     "256:163840:4 256:163840:4 256:163840:4 256:163840:4 256:98304:2"},
    {"grid::CtrGcm<Hashed::nothing>", policy_of<grid::CtrGcm<Hashed::nothing>>, 0, true,
     "256:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 768:131072:4 640:65536:2"},
    {"grid::CtrGcm<Hashed::nothing>", policy_of<grid::CtrGcm<Hashed::nothing>>, 0, false,
     "256:65536:2 256:131072:4 256:65536:2 256:131072:4 256:65536:2 "
     "256:131072:4 256:131072:4 256:131072:4 256:131072:4 256:65536:2"},
    {"grid::ShiftedCtrGcm<Hashed::output>", policy_of<grid::ShiftedCtrGcm<Hashed::output>>, 0, true,
     "256:32768:1 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"team::Gcm<ShiftedBatch, kEncrypt>", policy_of<team::Gcm<ShiftedBatch, kEncrypt>>, 0, true,
     "256:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 768:131072:4 640:65536:2"},
    {"grid::HybridCtrGcm<Hashed::nothing>", policy_of<grid::HybridCtrGcm<Hashed::nothing>>, 0, true,
     "- - - - - "
     "768:200704:4 - - - -"},
    {"grid::HybridCtrGcm<Hashed::nothing>", policy_of<grid::HybridCtrGcm<Hashed::nothing>>, 0, false,
     "- - - - - "
     "- - - - -"},
    {"grid::ShiftedHybridCtrGcm<Hashed::nothing>", policy_of<grid::ShiftedHybridCtrGcm<Hashed::nothing>>, 0, true,
     "- - - - - "
     "768:200704:4 - - - -"},
    {"grid::ShiftedHybridCtrGcm<Hashed::output>", policy_of<grid::ShiftedHybridCtrGcm<Hashed::output>>, 0, true,
     "- - - - - "
     "768:176128:4 - - - -"},
    {"grid::BitslicedCtrGcm<Hashed::nothing>", policy_of<grid::BitslicedCtrGcm<Hashed::nothing>>, 0, true,
     "192:52224:0 512:139264:0 320:87040:0 512:139264:0 320:87040:0 "
     "512:139264:0 512:139264:0 512:139264:0 512:139264:0 320:87040:0"},
    {"grid::BitslicedCtrGcm<Hashed::nothing>", policy_of<grid::BitslicedCtrGcm<Hashed::nothing>>, 0, false,
     "192:52224:0 192:52224:0 192:52224:0 192:52224:0 192:52224:0 "
     "192:52224:0 192:52224:0 192:52224:0 192:52224:0 192:52224:0"},
    {"grid::CtrGcm<Hashed::output>", policy_of<grid::CtrGcm<Hashed::output>>, 0, true,
     "256:32768:1 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"grid::CtrGcm<Hashed::output>", policy_of<grid::CtrGcm<Hashed::output>>, 0, false,
     "256:32768:1 256:131072:4 256:65536:2 256:131072:4 256:65536:2 "
     "256:131072:4 256:131072:4 256:131072:4 256:131072:4 256:65536:2"},
    {"grid::ListedGcm<Hashed::input>", policy_of<grid::ListedGcm<Hashed::input>>, 0, true,
     "256:32816:1 640:131120:4 640:65584:2 640:131120:4 640:65584:2 "
     "768:131120:4 512:131120:4 512:131120:4 512:131120:4 512:65584:2"},
    {"grid::ListedGcm<Hashed::input>", policy_of<grid::ListedGcm<Hashed::input>>, 0, false,
     "256:32816:1 256:131120:4 256:65584:2 256:131120:4 256:65584:2 "
     "256:131120:4 256:131120:4 256:131120:4 256:131120:4 256:65584:2"},
    {"grid::ListedHybridGcm<Hashed::output>", policy_of<grid::ListedHybridGcm<Hashed::output>>, 0, true,
     "- - - - - "
     "768:176368:4 - - - -"},
    {"grid::ListedHybridGcm<Hashed::output>", policy_of<grid::ListedHybridGcm<Hashed::output>>, 0, false,
     "- - - - - "
     "- - - - -"},
    {"grid::PlanListedMessages", policy_of<grid::PlanListedMessages>, 0, true,
     "1024:8192:0 1024:8192:0 1024:8192:0 1024:8192:0 1024:8192:0 "
     "1024:8192:0 1024:8192:0 1024:8192:0 1024:8192:0 1024:8192:0"},
    {"grid::HybridCtrGcm<Hashed::output>", policy_of<grid::HybridCtrGcm<Hashed::output>>, 0, true,
     "- - - - - "
     "768:176128:4 - - - -"},
    {"grid::HybridCtrGcm<Hashed::output>", policy_of<grid::HybridCtrGcm<Hashed::output>>, 0, false,
     "- - - - - "
     "- - - - -"},
    {"grid::BitslicedCtrGcm<Hashed::output>", policy_of<grid::BitslicedCtrGcm<Hashed::output>>, 0, true,
     "192:52224:0 512:139264:0 320:87040:0 512:139264:0 320:87040:0 "
     "512:139264:0 512:139264:0 512:139264:0 512:139264:0 320:87040:0"},
    {"grid::BitslicedCtrGcm<Hashed::output>", policy_of<grid::BitslicedCtrGcm<Hashed::output>>, 0, false,
     "192:52224:0 192:52224:0 192:52224:0 192:52224:0 192:52224:0 "
     "192:52224:0 192:52224:0 192:52224:0 192:52224:0 192:52224:0"},
    {"grid::BitslicedGcmBatches<Hashed::output>", policy_of<grid::BitslicedGcmBatches<Hashed::output>>, 0, true,
     "192:52224:0 512:139264:0 320:87040:0 512:139264:0 320:87040:0 "
     "512:139264:0 512:139264:0 512:139264:0 512:139264:0 320:87040:0"},
    {"grid::GcmSiv<SivWork::open>", policy_of<grid::GcmSiv<SivWork::open>>, 0, true,
     "256:33288:1 640:131592:4 640:66056:2 640:131592:4 640:66056:2 "
     "768:131592:4 640:131592:4 640:131592:4 640:131592:4 640:66056:2"},
    {"grid::GcmSiv<SivWork::open>", policy_of<grid::GcmSiv<SivWork::open>>, 0, false,
     "256:33288:1 256:131592:4 256:66056:2 256:131592:4 256:66056:2 "
     "256:131592:4 256:131592:4 256:131592:4 256:131592:4 256:66056:2"},
    {"grid::Ocb3<kEncrypt>", policy_of<grid::Ocb3<kEncrypt>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"grid::Ocb3<kDecrypt>", policy_of<grid::Ocb3<kDecrypt>>, 0, true,
     "768:65536:1 768:163840:4 768:98304:2 768:163840:4 768:98304:2 "
     "768:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"team::Gcm<RaggedBatch, kEncrypt>", policy_of<team::Gcm<RaggedBatch, kEncrypt>>, 0, true,
     "256:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 768:131072:4 640:65536:2"},
    {"team::Gcm<OneKeyBatch, kEncrypt>", policy_of<team::Gcm<OneKeyBatch, kEncrypt>>, 0, true,
     "256:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 768:131072:4 640:65536:2"},
    {"team::Gcm<OneKeyBatch, kEncrypt>", policy_of<team::Gcm<OneKeyBatch, kEncrypt>>, 0, false,
     "256:65536:2 256:131072:4 256:65536:2 256:131072:4 256:65536:2 "
     "256:131072:4 256:131072:4 256:131072:4 256:131072:4 256:65536:2"},
    {"team::Gcm<PerMessageKeysBatch, kEncrypt>", policy_of<team::Gcm<PerMessageKeysBatch, kEncrypt>>, 10, true,
     "256:65024:1 640:157952:4 640:92416:2 640:157952:4 640:92416:2 "
     "768:227840:4 640:211712:4 640:211712:4 640:211712:4 640:92416:2"},
    {"team::Gcm<PerMessageKeysBatch, kEncrypt>", policy_of<team::Gcm<PerMessageKeysBatch, kEncrypt>>, 14, true,
     "256:58368:1 640:163072:4 640:97536:2 640:163072:4 640:97536:2 "
     "768:207872:4 640:227072:4 640:227072:4 640:227072:4 640:97536:2"},
    {"team::Gcm<PerMessageKeysBatch, kEncrypt>", policy_of<team::Gcm<PerMessageKeysBatch, kEncrypt>>, 10, false,
     "256:65024:1 256:163328:4 256:97792:2 256:163328:4 256:97792:2 "
     "256:174080:4 256:174080:4 256:174080:4 256:174080:4 256:97792:2"},
    {"team::GcmSiv<GcmSivBatch, kDecrypt>", policy_of<team::GcmSiv<GcmSivBatch, kDecrypt>>, 0, true,
     "256:56320:1 640:160512:4 640:94976:2 640:160512:4 640:94976:2 "
     "768:201728:4 640:189952:4 640:189952:4 640:189952:4 640:94976:2"},
    {"team::GcmSiv<GcmSivBatch, kDecrypt>", policy_of<team::GcmSiv<GcmSivBatch, kDecrypt>>, 0, false,
     "256:56320:1 256:154624:4 256:89088:2 256:154624:4 256:89088:2 "
     "256:154624:4 256:154624:4 256:154624:4 256:154624:4 256:89088:2"},
    {"team::Ocb3<kDecrypt>", policy_of<team::Ocb3<kDecrypt>>, 0, true,
     "768:65536:1 768:163840:4 768:98304:2 768:163840:4 768:98304:2 "
     "768:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"team::Ocb3PerMessageKeys<kEncrypt>", policy_of<team::Ocb3PerMessageKeys<kEncrypt>>, 0, true,
     "512:60416:1 640:165632:4 640:100096:2 640:165632:4 640:100096:2 "
     "768:214016:4 512:186368:4 512:186368:4 512:186368:4 512:93184:2"},
    {"team::Ocb3PerMessageKeys<kDecrypt>", policy_of<team::Ocb3PerMessageKeys<kDecrypt>>, 0, true,
     "256:62464:1 768:138240:2 640:94720:1 768:138240:2 640:94720:1 "
     "768:203776:4 512:225280:4 512:225280:4 512:225280:4 512:83968:1"},
    {"team::SmallGcm<SmallWork::encrypt>", policy_of<team::SmallGcm<SmallWork::encrypt>>, 0, true,
     "256:34488:1 256:34488:1 256:34488:1 256:34488:1 256:34488:1 "
     "256:34488:1 256:34488:1 256:34488:1 256:34488:1 256:34488:1"},
    {"lane::CcmEax<CcmOrEax::ccm, kEncrypt, one>", policy_of<lane::CcmEax<CcmOrEax::ccm, kEncrypt, one>>, 10, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CcmEax<CcmOrEax::ccm, kEncrypt, one>", policy_of<lane::CcmEax<CcmOrEax::ccm, kEncrypt, one>>, 12, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CcmEax<CcmOrEax::eax, kEncrypt, one>", policy_of<lane::CcmEax<CcmOrEax::eax, kEncrypt, one>>, 10, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CcmEax<CcmOrEax::eax, kEncrypt, one>", policy_of<lane::CcmEax<CcmOrEax::eax, kEncrypt, one>>, 12, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CcmEax<CcmOrEax::ccm, kEncrypt, each>", policy_of<lane::CcmEax<CcmOrEax::ccm, kEncrypt, each>>, 10, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CcmEax<CcmOrEax::ccm, kEncrypt, each>", policy_of<lane::CcmEax<CcmOrEax::ccm, kEncrypt, each>>, 12, true,
     "384:65536:2 384:131072:4 384:65536:2 384:131072:4 384:65536:2 "
     "384:131072:4 384:131072:4 384:131072:4 384:131072:4 384:65536:2"},
    {"lane::CcmEax<CcmOrEax::eax, kEncrypt, each>", policy_of<lane::CcmEax<CcmOrEax::eax, kEncrypt, each>>, 10, true,
     "384:65536:2 384:131072:4 384:65536:2 384:131072:4 384:65536:2 "
     "512:131072:4 384:131072:4 384:131072:4 384:131072:4 384:65536:2"},
    {"lane::CcmEax<CcmOrEax::eax, kEncrypt, each>", policy_of<lane::CcmEax<CcmOrEax::eax, kEncrypt, each>>, 12, true,
     "384:65536:2 384:131072:4 384:65536:2 384:131072:4 384:65536:2 "
     "384:131072:4 384:131072:4 384:131072:4 384:131072:4 384:65536:2"},
    {"lane::BlockModes<CipherMode::ecb_encrypt, one>", policy_of<lane::BlockModes<CipherMode::ecb_encrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::BlockModes<CipherMode::ecb_decrypt, one>", policy_of<lane::BlockModes<CipherMode::ecb_decrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::BlockModes<CipherMode::cbc_decrypt, one>", policy_of<lane::BlockModes<CipherMode::cbc_decrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::BlockModes<CipherMode::cfb_decrypt, one>", policy_of<lane::BlockModes<CipherMode::cfb_decrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::BlockModes<CipherMode::cmac, one>", policy_of<lane::BlockModes<CipherMode::cmac, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::Xts<kEncrypt, one>", policy_of<lane::Xts<kEncrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::Xts<kDecrypt, one>", policy_of<lane::Xts<kDecrypt, one>>, 0, true,
     "768:65536:1 768:163840:4 768:98304:2 768:163840:4 768:98304:2 "
     "768:163840:4 768:163840:4 768:163840:4 768:163840:4 768:98304:2"},
    {"lane::KeyWrap<kEncrypt, one>", policy_of<lane::KeyWrap<kEncrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::KeyWrap<kDecrypt, one>", policy_of<lane::KeyWrap<kDecrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::CbcPkcs7Cts<kEncrypt, one>", policy_of<lane::CbcPkcs7Cts<kEncrypt, one>>, 0, true,
     "640:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 640:131072:4 640:65536:2"},
    {"lane::CbcPkcs7Cts<kEncrypt, one>", policy_of<lane::CbcPkcs7Cts<kEncrypt, one>>, 0, false,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 640:65536:2"},
    {"lane::CbcPkcs7Cts<kDecrypt, one>", policy_of<lane::CbcPkcs7Cts<kDecrypt, one>>, 0, true,
     "640:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 640:131072:4 640:131072:4 640:131072:4 640:65536:2"},
    {"lane::CbcPkcs7Cts<kDecrypt, one>", policy_of<lane::CbcPkcs7Cts<kDecrypt, one>>, 0, false,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 640:65536:2"},
    {"lane::Cfb8Cfb1<one>", policy_of<lane::Cfb8Cfb1<one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::Siv<kEncrypt, one>", policy_of<lane::Siv<kEncrypt, one>>, 0, true,
     "768:65536:2 768:131072:4 768:65536:2 768:131072:4 768:65536:2 "
     "768:131072:4 768:131072:4 768:131072:4 768:131072:4 768:65536:2"},
    {"lane::BlockModes<CipherMode::ecb_encrypt, each>", policy_of<lane::BlockModes<CipherMode::ecb_encrypt, each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
    {"lane::BlockModes<CipherMode::ecb_decrypt, each>", policy_of<lane::BlockModes<CipherMode::ecb_decrypt, each>>, 0, true,
     "512:65536:1 512:163840:4 512:98304:2 512:163840:4 512:98304:2 "
     "512:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"lane::BlockModes<CipherMode::cbc_decrypt, each>", policy_of<lane::BlockModes<CipherMode::cbc_decrypt, each>>, 0, true,
     "512:65536:1 512:163840:4 512:98304:2 512:163840:4 512:98304:2 "
     "512:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"lane::BlockModes<CipherMode::cfb_decrypt, each>", policy_of<lane::BlockModes<CipherMode::cfb_decrypt, each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
    {"lane::BlockModes<CipherMode::cmac, each>", policy_of<lane::BlockModes<CipherMode::cmac, each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
    {"lane::Xts<kEncrypt, each>", policy_of<lane::Xts<kEncrypt, each>>, 0, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::Xts<kDecrypt, each>", policy_of<lane::Xts<kDecrypt, each>>, 0, true,
     "384:65536:1 512:163840:4 512:98304:2 512:163840:4 512:98304:2 "
     "512:163840:4 384:163840:4 384:163840:4 384:163840:4 384:98304:2"},
    {"lane::Xts<kDecrypt, each>", policy_of<lane::Xts<kDecrypt, each>>, 0, false,
     "384:65536:1 384:163840:4 384:98304:2 384:163840:4 384:98304:2 "
     "384:163840:4 384:163840:4 384:163840:4 384:163840:4 384:98304:2"},
    {"lane::KeyWrap<kEncrypt, each>", policy_of<lane::KeyWrap<kEncrypt, each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
    {"lane::KeyWrap<kDecrypt, each>", policy_of<lane::KeyWrap<kDecrypt, each>>, 0, true,
     "640:65536:1 640:163840:4 640:98304:2 640:163840:4 640:98304:2 "
     "640:163840:4 640:163840:4 640:163840:4 640:163840:4 512:98304:2"},
    {"lane::CbcPkcs7Cts<kEncrypt, each>", policy_of<lane::CbcPkcs7Cts<kEncrypt, each>>, 0, true,
     "512:65536:2 512:131072:4 512:65536:2 512:131072:4 512:65536:2 "
     "512:131072:4 512:131072:4 512:131072:4 512:131072:4 512:65536:2"},
    {"lane::CbcPkcs7Cts<kDecrypt, each>", policy_of<lane::CbcPkcs7Cts<kDecrypt, each>>, 0, true,
     "512:65536:1 512:163840:4 512:98304:2 512:163840:4 512:98304:2 "
     "512:163840:4 512:163840:4 512:163840:4 512:163840:4 512:98304:2"},
    {"lane::Cfb8Cfb1<each>", policy_of<lane::Cfb8Cfb1<each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
    {"lane::Siv<kEncrypt, each>", policy_of<lane::Siv<kEncrypt, each>>, 0, true,
     "640:65536:2 640:131072:4 640:65536:2 640:131072:4 640:65536:2 "
     "640:131072:4 640:131072:4 640:131072:4 640:131072:4 512:65536:2"},
};
// clang-format on

std::string sizes_of(const Row& row) {
  std::string sizes;
  for (const int capability : kCapabilities) {
    const KernelPolicy policy = row.policy(policy_for(capability, row.clmad), row.rounds);
    if (!sizes.empty()) sizes += ' ';
    if (policy.threads == 0) {
      sizes += '-';
    } else {
      sizes += std::to_string(policy.threads) + ':' + std::to_string(policy.shared_bytes) + ':' +
               std::to_string(policy.tables);
    }
  }
  return sizes;
}

TEST(Policy, SizesAreThoseThatWereFoundNotToSpill) {
  for (const Row& row : kRows) {
    EXPECT_EQ(sizes_of(row), row.expected) << row.kernel << (row.clmad ? "" : ", older compiler");
  }
}

TEST(Policy, NoThreadBlockAsksForMoreSharedMemoryThanThereIs) {
  for (const Row& row : kRows) {
    for (const int capability : kCapabilities) {
      const LaunchPolicy on = policy_for(capability, row.clmad);
      const KernelPolicy policy = row.policy(on, row.rounds);
      EXPECT_LE(shared_bytes_of(policy, policy.threads), on.most_shared_bytes)
          << row.kernel << " on " << capability;
    }
  }
}

TEST(Policy, BitslicedKernelsHaveAsManyBlocksAsDoNotSpill) {
  constexpr int kXtsBlocks[] = {1, 3, 3, 3, 3, 3, 2, 2, 2, 2};
  for (size_t i = 0; i < std::size(kCapabilities); i++) {
    SCOPED_TRACE(kCapabilities[i]);
    const LaunchPolicy on = policy_for(kCapabilities[i], true);
    EXPECT_EQ(grid::BitslicedEcb<kEncrypt>::policy(on, 10).blocks, 3);
    EXPECT_EQ(grid::BitslicedCbcCfbDecrypt<Unchaining::cbc>::policy(on, 10).blocks, 3);
    EXPECT_EQ(grid::BitslicedBatches<CipherMode::ctr>::policy(on, 10).blocks, kXtsBlocks[i]);
    EXPECT_EQ(lane::BitslicedChains<CipherMode::ofb>::policy(on, 10).blocks, 1);
    EXPECT_EQ(grid::BitslicedXts<kDecrypt>::policy(on, 10).blocks, kXtsBlocks[i]);
    EXPECT_EQ(grid::BitslicedXts<kDecrypt>::policy(on, 10).threads, 256u);
  }
}

TEST(Policy, OfACapabilityBetweenRowsIsTheRowBelow) {
  EXPECT_EQ(policy_for(0, true).capability, 75);
  EXPECT_EQ(policy_for(88, true).capability, 87);
  EXPECT_EQ(policy_for(99, true).capability, 90);
  EXPECT_EQ(policy_for(121, true).capability, 120);
  EXPECT_EQ(policy_for(103, true).counter_threads, policy_for(100, true).counter_threads);
}

/// Warps that prepare keys of 4, 8 and 12 messages at once are all tried without a GPU.
TEST(Policy, EmulatedWarpsHaveAsManySlotsAsThoseOfGpus) {
  using Gcm = team::Gcm<PerMessageKeysBatch, kEncrypt>;
  for (const int rounds : {10, 12, 14}) {
    SCOPED_TRACE(rounds);
    EXPECT_EQ(Gcm::policy(policy_for(90, true), rounds).slots, rounds == 10 ? 12u : 8u);
    EXPECT_EQ(Gcm::policy(kFourTables, rounds).slots, rounds == 14 ? 8u : 12u);
    EXPECT_EQ(Gcm::policy(policy_for(86, true), rounds).slots, 4u);
    EXPECT_EQ(Gcm::policy(kTwoTablesWithRoom, rounds).slots, 4u);
  }
}

TEST(Policy, RowsAscend) {
  for (size_t i = 1; i < std::size(policies::kAll); i++) {
    EXPECT_LT(policies::kAll[i - 1].capability, policies::kAll[i].capability);
  }
}

}  // namespace
}  // namespace warpaes::core::kernels
