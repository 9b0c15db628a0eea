// The answers of the self-test for batches in modes that do not authenticate, of CMAC and of wrapped keys.
// They belong to known_answers.hpp and come from the same sources.
#pragma once

#include "engines/known_answers.hpp"
#include "warpaes/mode.h"

namespace warpaes::core::known_answers {

/// SHA-256 of what is made of kRaggedMessages messages of different lengths. Message m is pattern(its length,
/// 32 + m), its IV or the number of its data unit is pattern(16, 16 + m), and its key is pattern(key bytes,
/// 1), with the tweak key of XTS behind it. The outputs of all messages are hashed, or their tags of 16
/// bytes.
constexpr size_t kRaggedMessages = 67;
struct Lengths {
  size_t first, step;
  constexpr size_t of(size_t message) const { return first + step * message; }
};
struct RaggedMode {
  warpaes_mode mode;
  Lengths lengths;
  const char *encrypts, *decrypts;
  bool aligned = false;  // does each message begin at a multiple of 16 bytes?
};
inline constexpr std::array<RaggedMode, 16> kRaggedModes{{
    {WARPAES_MODE_ECB, {0, 16}, "ecb encrypt", "ecb decrypt", true},
    {WARPAES_MODE_CBC, {0, 16}, "cbc encrypt", "cbc decrypt", true},
    {WARPAES_MODE_CFB, {0, 13}, "cfb encrypt", "cfb decrypt", true},
    {WARPAES_MODE_OFB, {0, 13}, "ofb encrypt", "ofb decrypt", true},
    {WARPAES_MODE_CTR, {0, 13}, "ctr encrypt", "ctr decrypt", true},
    {WARPAES_MODE_CMAC, {0, 13}, "cmac", "cmac check", true},
    {WARPAES_MODE_KW, {16, 8}, "kw wrap", "kw unwrap"},
    {WARPAES_MODE_KWP, {1, 11}, "kwp wrap", "kwp unwrap"},
    {WARPAES_MODE_XTS, {16, 13}, "xts encrypt", "xts decrypt"},
    {WARPAES_MODE_ECB_PKCS7, {0, 7}, "ecb-pkcs7 encrypt", "ecb-pkcs7 decrypt"},
    {WARPAES_MODE_CBC_PKCS7, {0, 7}, "cbc-pkcs7 encrypt", "cbc-pkcs7 decrypt"},
    {WARPAES_MODE_CBC_CS1, {16, 13}, "cbc-cs1 encrypt", "cbc-cs1 decrypt"},
    {WARPAES_MODE_CBC_CS2, {16, 13}, "cbc-cs2 encrypt", "cbc-cs2 decrypt"},
    {WARPAES_MODE_CBC_CS3, {16, 13}, "cbc-cs3 encrypt", "cbc-cs3 decrypt"},
    {WARPAES_MODE_CFB8, {0, 5}, "cfb8 encrypt", "cfb8 decrypt"},
    {WARPAES_MODE_CFB1, {0, 3}, "cfb1 encrypt", "cfb1 decrypt"},
}};
struct Ragged {
  int key_bits;
  std::array<std::string_view, kRaggedModes.size()> answers;  // of these modes
};
inline constexpr std::array<Ragged, 3> kRagged{{
    {128,
     {"90ae8527b2e495ddb37a72e13c3b8536eb4535a2754e1b530c1a236cb194ed8e",
      "a89e33ede5cb980e2ff8c5e48b371bc3059c527c0d7232f6d3eedcbbd50bd4a9",
      "a59eee2927b854bee5719c1dfaa55d551cbbd1be80228ff52a73c888bad4a5f3",
      "9cff771b15592943df6da4c8184b8b6fadf2c0b513775581f2a69f3b380bf6cd",
      "c8967e298e5ba42e0287145c2d55b2c2434dbf016afac487956c1e76d822316f",
      "cdf5624b65b4ed9a03b639c6cf5d19edb043af56a80dd3c09d499a1a06387164",
      "280a4d977df0d6de2bafa5098c5bec71cb369abfc41f97b1b6873c33aa7f2a00",
      "a2c4308567b8994956893d8658910963489ae2a8dc963e267f7072476fc7687e",
      "457797a68888626a74b165c8b012b705777b967628110a20500c9d89c8368481",
      "fce70186679d487ac8b534637fe2ebbeec25db080e304ee6a113fde6b7946b0c",
      "2196af642a5c6e162eeca0e2bf9f72364423dbf2d0201637c37714842a6f21f9",
      "88c851cd4d1c5e1f64b6e3a03bdd18d42f77ec83b9ec95ddfbc9f2ef44209b51",
      "7f45370f9e5e80d7975d8866b569ffd285c49a9ecd94e6708d7af96e4c841fea",
      "1b0ff270b203e7d1f7da735575da3ad605217c47bea0c8b980ad2edaea3c666d",
      "356b91f403bb51d1d306c6d528434d468eef879ecb13264983283ebe3b882bbe",
      "e4e585a93188769ec1a854a61bf7431a6dcca1f82179875be3c0b0b3bde087b6"}},
    {192,
     {"4ec5a970353cf2203ea5ebdf2065ec5bd179a4f2c35d45f3b2dad6b4054e4559",
      "ffaf2330f3cf970a657c85c39780ad20a4b6d426683076d01cde8be97a64bd87",
      "58b9226366698163b6a2ac67a65232c2d401675e77c21d73a5c4ef4d1d8ed8c8",
      "ef51ad6993ea6fab25df518577c0c6355608c32785b9b8f26a61bb5f2e4eaa14",
      "49f572cfd716158a422d20aa3fa4698616a317413dad9ca865e6c786a7011b95",
      "754982221b3fd936ff1efffcecc24d2515f8abb2b47b030686e6a4206242b54f",
      "98164e541caa2edc44df3f02409a4fe9d0f253ffce3647bbbcff7addb72caad1",
      "039f6a0963922d03c2b3c975b9f201ce8dd0c04e3ef35d519c9f7b0e263f6878",
      "f35f6fe6afbaf959e0cf692b234fc6c6bef82bfac9a1540419fd4c5619f22d85",
      "30d484d642698dcad0f75576441b734ef457aa918e07c7190b2e0ef784201977",
      "5bced3f438b1491a1aa39293a4c35a1487c28e96abbbf0bb78a028e0d8adb425",
      "4416b5abebd4f8007994592acb2a71c689b995d2ec4e711ca405fa083856b909",
      "76965ea79ae2d78588a41be4a8561bcc61eacd271ad1098011d056c9f04768ea",
      "2217d9bc7ae638e6eb945883e63a7f77d043d27bd3ca40fe30e1d229a32f5b38",
      "f2181dbd105e9868778ad72c59922381e01c7641dcdfee84460fa2c2c30b179a",
      "5872b35d31e5a326ede0a2dbfac2a474d100a1d75cb9245fdbfcc3792f5d2817"}},
    {256,
     {"48ada62d30979c415b6ad93c3d01b3746cc7894d780ea9dee44c0500836becac",
      "4a046dc9768f8f24ed2f532f71ded618d16e56fee74fe19af1f3f6a15ec28872",
      "5e8ca301022998a811dc69b5892f2f0b3e3fd6fffc06f7b983392e98c82f0a30",
      "de86b7afdefea079458c876ef5c8c057fe080d0d44b2c5ae947992cb7df996c5",
      "f408282e16ef49ef8092f68edb83ea3968703018135feaf3af476229af332115",
      "e9f75bc5a1045a1614f121d0212df06fb5e3bee467ef559e96eb181fe617c74e",
      "71e820ee634202ed12f1e41152fdf2fa0fe67ba73b7af78bfd6428116141e29f",
      "07f8406879121b97f3b4151eb3c7f7f07a5946ff6e61acd2e07f5805e0f00f20",
      "a34e4583d0d07edb909a7d4f6df6ff79a1fcad121303c0fd021c6b29fb43d4f2",
      "3bda3aaed1fff48a17f22d6f6e3e762c1da5afb8ad4adfbffa628bc25a2ef4b2",
      "6c2585c92ffc495d7cb3ad0c648d6a0c776f224fbe61c5cfa5af35127fa30359",
      "a2fce5f133274739cfab239e6460a94377815b8dcddf51aa195b82b12c57bd72",
      "68517dc26fea37292945adac1f9919bab5f6c6cbf373991e86fde51b1697bb94",
      "01546f9aa3ef39e4af32cd390dc3bfe0843f0a1de3acb2b1653027cdf66820b5",
      "ad011b66f38a53fe0edc110ed4105adc01b4564bce7a9045958c3e092ed26169",
      "560a3d2dedbec34056ae69256a680c45cd093ddcdf4b2055ee20a3f1fa9b50e6"}},
}};

/// RFC 3394 sections 4.1 to 4.6, and RFC 5649 section 6.
struct Wrap {
  bool padded;
  std::string_view key, data, wrapped;
};
inline constexpr std::array<Wrap, 8> kWraps{{
    {false, "000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"},
    {false, "000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"},
    {false, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff", "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"},
    {false, "000102030405060708090a0b0c0d0e0f1011121314151617",
     "00112233445566778899aabbccddeeff0001020304050607",
     "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"},
    {false, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff0001020304050607",
     "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"},
    {false, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f",
     "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"},
    {true, "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8", "c37b7e6492584340bed12207808941155068f738",
     "138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a"},
    {true, "5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8", "466f7250617369",
     "afbeb0f07dfbf5419200f2ccb50bb24f"},
}};

/// IEEE 1619 annex B: vectors 2, 3 and 15; the last has ciphertext stealing. The number is that of the data
/// unit, with its lowest byte first.
struct DataUnit {
  std::string_view key, tweak_key, number, plaintext, ciphertext;
};
inline constexpr std::array<DataUnit, 3> kDataUnits{{
    {"11111111111111111111111111111111", "22222222222222222222222222222222", "3333333333",
     "4444444444444444444444444444444444444444444444444444444444444444",
     "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"},
    {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "22222222222222222222222222222222", "3333333333",
     "4444444444444444444444444444444444444444444444444444444444444444",
     "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"},
    {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a78563412",
     "000102030405060708090a0b0c0d0e0f10", "6c1625db4671522d3d7599601de7ca09ed"},
}};

/// A batch of so many messages, each of which is the example: enough for all lanes of two warps, and one
/// more.
constexpr size_t kExampleMessages = 65;

}  // namespace warpaes::core::known_answers
