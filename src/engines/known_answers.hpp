// The answers with which the self-test compares. Short ones are the standards' own. Long ones, which no
// standard has, were computed by tests/vectors/test_known_answers.py.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpaes::core::known_answers {

/// FIPS 197 appendices C.1 to C.3 in the version of 2001, to which the update of 2023 refers.
struct Block {
  std::string_view key, plaintext, ciphertext;
};
inline constexpr std::array<Block, 3> kBlocks{{
    {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff",
     "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
     "8ea2b7ca516745bfeafc49904b496089"},
}};

/// SP 800-38A F.5.1, F.5.3 and F.5.5, which have the counter and the plaintext in common.
inline constexpr std::string_view kCounter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
inline constexpr std::string_view kCounterPlaintext =
    "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
    "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";
struct Counter {
  std::string_view key, ciphertext;
};
inline constexpr std::array<Counter, 3> kCounters{{
    {"2b7e151628aed2a6abf7158809cf4f3c",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"
     "1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
}};

/// SP 800-38A F.2, F.3.13 to F.3.18 and F.4, which have the initialisation vector in common, and keys and
/// plaintext with F.5: these are of the keys of kCounters.
inline constexpr std::string_view kChainsIv = "000102030405060708090a0b0c0d0e0f";
struct Chained {
  std::string_view cbc, cfb, ofb;
};
inline constexpr std::array<Chained, 3> kChains{{
    {"7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
     "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
     "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
     "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"
     "9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e"},
    {"4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
     "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
     "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"
     "2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff",
     "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401"
     "8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a"},
    {"f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
     "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
     "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"
     "df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471",
     "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d"
     "71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484"},
}};

/// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B: test cases 4-6, 10-12 and 16-18,
/// whose keys are the first bytes of one key.
inline constexpr std::string_view kGcmKey =
    "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308";
inline constexpr std::string_view kGcmPlaintext =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
inline constexpr std::string_view kGcmAad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
inline constexpr std::string_view kNonce12 = "cafebabefacedbaddecaf888";
inline constexpr std::string_view kNonce8 = "cafebabefacedbad";
inline constexpr std::string_view kNonce60 =
    "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
    "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b";
struct Gcm {
  int key_bits;
  std::string_view nonce, ciphertext, tag;
};
inline constexpr std::array<Gcm, 9> kGcms{{
    {128, kNonce12,
     "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
     "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
     "5bc94fbc3221a5db94fae95ae7121a47"},
    {128, kNonce8,
     "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
     "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
     "3612d2e79e3b0785561be14aaca2fccb"},
    {128, kNonce60,
     "8ce24998625615b603a033aca13fb894be9112a5c3a211a8ba262a3cca7e2ca7"
     "01e4a9a4fba43c90ccdcb281d48c7c6fd62875d2aca417034c34aee5",
     "619cc5aefffe0bfa462af43c1699d050"},
    {192, kNonce12,
     "3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c"
     "7d773d00c144c525ac619d18c84a3f4718e2448b2fe324d9ccda2710",
     "2519498e80f1478f37ba55bd6d27618c"},
    {192, kNonce8,
     "0f10f599ae14a154ed24b36e25324db8c566632ef2bbb34f8347280fc4507057"
     "fddc29df9a471f75c66541d4d4dad1c9e93a19a58e8b473fa0f062f7",
     "65dcc57fcf623a24094fcca40d3533f8"},
    {192, kNonce60,
     "d27e88681ce3243c4830165a8fdcf9ff1de9a1d8e6b447ef6ef7b79828666e45"
     "81e79012af34ddd9e2f037589b292db3e67c036745fa22e7e9b7373b",
     "dcf566ff291c25bbb8568fc3d376a6d9"},
    {256, kNonce12,
     "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
     "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
     "76fc6ece0f4e1768cddf8853bb2d551b"},
    {256, kNonce8,
     "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
     "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
     "3a337dbf46a792c45e454913fe2ea8f2"},
    {256, kNonce60,
     "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
     "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
     "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"},
}};

/// The first `bytes` bytes of the pattern with this seed. It does not repeat itself before 64 KiB, so that
/// blocks that change places are noticed.
inline std::vector<uint8_t> pattern(size_t bytes, unsigned seed) {
  std::vector<uint8_t> result(bytes);
  for (size_t i = 0; i < bytes; i++) result[i] = static_cast<uint8_t>(i * 197 + (i >> 8) * 29 + seed);
  return result;
}

/// SHA-256 of what the modes make of pattern data that is long enough for all paths of a GPU kernel, and ends
/// in a part of a block:
///   key = pattern(key bytes, 1), plaintext = pattern(kLongBytes, 2);
///   ECB takes the whole blocks; CTR starts at kLongCounter, so that the counter wraps on the way;
///   GCM has the nonce pattern(12, 3) and the additional data pattern(kLongAadBytes, 4); ciphertext and
///   tag are hashed;
///   message m of the batch is pattern(kBatchBytes, 32 + m) with the nonce pattern(12, 16 + m) and the
///   additional data pattern(kBatchAadBytes, 4); ciphertext 0, tag 0, ciphertext 1 and so on are hashed;
///   GMAC has that plaintext and GCM's nonce, and its tag is hashed.
constexpr size_t kLongBytes = 70'001, kLongAadBytes = 1'021;
constexpr size_t kBatchMessages = 9, kBatchBytes = 4'099, kBatchAadBytes = 21;
inline constexpr std::string_view kLongCounter = "fffffffffffffffffffffffffffffc00";
struct Long {
  int key_bits;
  std::string_view ecb, ctr, gcm, gcm_batch, gmac;
};
inline constexpr std::array<Long, 3> kLongs{{
    {128, "a0f1b90aa8276c8b9bafb46ce867af75329f78fd4405fad9aec7ac70301a6f89",
     "2b450a0f23ae5f751b80d2d7e02ff566f212b3bac904f460d562fc6dc7a2d45b",
     "72df34c1aef68bc664420d38d4a03c7d37dd713867a9879ceeab0c389562f2dc",
     "e59b1874042d8b59eafb3408ca99df3b16fd7c994245cd9834eba8a93297829c",
     "e3deb3743b3737a0a71bbcced433622a9728e55fa400431a323317e7edf1e1d6"},
    {192, "886b6e7784728aa8bb016445970ae7f3b0f1d0c7ca6cf5acc410756f4f54be7a",
     "959d8608bdf3890271241a338e957384192df928467e981a6b5d72c030bc9c63",
     "bc425f6868227fd7a3019aecdf59a52846148013869af2f0914fb8f2eb245750",
     "d1a25d611b7b67edd215e6920a478b0fadc85e79051b5fdfc3fae2791e1429dc",
     "61f038309e0cf55bb179b3653a0ffa40740eb9c2f72ed4ae2d08de6d766eb5fe"},
    {256, "829d3412fc61d8f812ea54c9ca534ae2c50bb1385f3da4a86aef599fbc34f060",
     "857f1be6ce615da896166b84f7b1d43ccec61dc2c824b1d33d574cc4264df880",
     "d77ff887cc731659ebd87aaa54f3aedd54b0b893f71ac16615e4955d3dc85d75",
     "dca610c59907de3a2e42dc336a362cec28a9ffb29e5876568157bdc26ee098d7",
     "e39bd666df783eabf3fbb6e42140c9cd8e5db29a8dd331d69aa0bd579564daee"},
}};
/// The tag that GCM gives the first kPartsBytes bytes of that plaintext under the key of 256 bits. It depends
/// on all of the ciphertext, and so proves as much as a hash of the long message, for which a program that
/// only wants to encrypt a short file would have to wait longer.
constexpr size_t kPartsBytes = 2'133;
inline constexpr std::string_view kPartsTag = "b5aab2f42aceb0799393c64db6af4fea";

/// Answers for shorter messages, with which an engine of the CPU is tested before its first use instead of
/// the long ones: those take time, and only GPUs have other kernels for them. kBrief has SHA-256 of what is
/// made of the first kPartsBytes bytes of that plaintext under the key of 256 bits. All is made as for kLongs
/// and, in CBC and XTS, for kParallel, but CTR starts at kBriefCounter, CBC takes the whole blocks, and XTS
/// one data unit. kBriefSealed has ciphertext and tag of CCM and OCB3 for the first kBriefSealedBytes bytes,
/// with the nonce of GCM and the additional data of its batch.
inline constexpr std::string_view kBriefCounter = "ffffffffffffffffffffffffffffffc0";
struct Brief {
  std::string_view ecb, ctr, cbc, xts;
};
inline constexpr Brief kBrief{"5ec12a7366214bb647d0298e4898054d626965f510070293b3d1d2af9106f45f",
                              "799329e5f910acf1add5d54aac3a2920056004b888ba92edb65fd59003381d84",
                              "5141e7b64fa393e9cf0d2e1a9f34f9bca18166eb08613b5b090eb16cba9ca950",
                              "a6ed55629ee8a766056eed3484fd810e502c0e8b59cdb88cde6974fe566846cd"};
constexpr size_t kBriefSealedBytes = 77;
struct BriefSealed {
  int key_bits;
  std::string_view ccm, ocb3;
};
inline constexpr std::array<BriefSealed, 3> kBriefSealed{{
    {128,
     "06ab5952051844064118b4fa336d16aefb814bf827a348a8b7a49394a0b4db980f4ed9d5c359ce6015b2c07a79a72463"
     "cc9f5830179a7c66ec06c10016cc952b2ab4db17e5271edcbb4a15215cf8c948169823651fb2dfdf5d05e4bc90",
     "8244ffd8e9b7a998835ff07c8a10a3325eba6db1f963cffec3cc723e44d3512f5edf829eff63d117a864f95e93896144"
     "cfbabee5a9110044d54762a12697685c81de55332fffe915b87970ba8cf9dc95703a0714d9226440fe736ebb14"},
    {192,
     "447beb8a5f7b025faa1065d577eedae4d14f51f90b440bef775b8f4320a72ae47a3a70d681d4312b7ce584b86a5b5ede"
     "7e393b91ec9162685049fc2398d990ac28ec4a056f82125c1157109e5eb49adc7fb1df7d35dae0a17a2fd43ccb",
     "4ff3d291d3579bdc57a34f5448eb0f91539b5e78c84bf1794c6cce8c6fada0f384feb4812dccbc253fcb28bd9605a980"
     "0c92515b99463c5fbeb4c4f3a047ced6bef13acd7a93b5021a441db12018ae64b62551d88e79c10df0e1146f0d"},
    {256,
     "ebfcb9d126f51ebf961421a4163719258c26892dc0d69ce9cc601d7e2ecf89a5b2d4d23d7a92d5a41c62ff48948d59b5"
     "3282c5947111883026d0a88bc5897a9e5d9b2db49d63123fb81e88447c6c94cd5c2c9be135d4362fe5fba9bb95",
     "b7f6259cdadb1e5b8387c85ff5202de0a525af37ad476576db1c0ed2cf3411dc5d9330cfd1271ac366700edaf62d6e9d"
     "bc359250eeafed5576647db76f27b4c6882b5eb77414ea97ef7e4e02ff390a133a3d5b8d1076098edccfffb8a8"},
}};

/// SHA-256 of what CTR and GCM make of data for which a GPU has kernels of their own if it begins at no
/// multiple of 16. Such data is so long, its additional data so much, or its messages are so many that the
/// kernels for short messages do not take it on any GPU. All is made as for kLongs, but:
///   CTR has kShiftedCounterBytes bytes, of which those behind the counter's wrap are the longer part;
///   GCM has pattern(kShiftedAadBytes, 4) as additional data;
///   the batches have the numbers and lengths that follow.
constexpr size_t kShiftedCounterBytes = 560'003, kShiftedAadBytes = 1'037;
struct BatchSize {
  size_t messages, bytes;
};
inline constexpr BatchSize kShiftedFew{3, 8'191}, kShiftedMany{401, 637};  // for teams of 32 lanes, and of 8
struct Shifted {
  int key_bits;
  std::string_view ctr, gcm, few, many;
};
inline constexpr std::array<Shifted, 3> kShifted{{
    {128, "3d540d7ffc4ab850949fcb7a30787df853236f272a6d19f15b8869cac00fe0cb",
     "70aaa4037742a6f56fa4b815a41f7db31bb753b0f5ea1e1ebe6972fb033db866",
     "fb8f9ab2f20d6ce3243a971e961b221beab85ca87e974c1b50543831c3956af1",
     "c674e2d36a06384c7b367b16f59a36a9816d943eebfd17f61f15d2b20eb6a86f"},
    {192, "98dc56e6970196e4a70decd3239f558560e6e043e3be63d242761e40379b4eed",
     "aaab37a0474341a70ef5d7675729c334cea8e2e6d4a9e98858031f09eb6fa14d",
     "c1c682fcc022ebb4c65e0d5248b29f05c13c556a9359388a69bb65bc6234297e",
     "f173b7e161c62754c95087b9f2157319dad96e87ee01490d526aef7448c8716f"},
    {256, "f7093ec5c61045ebd8a98e0fb6c8443926d3f398a33c1276a498225bc3d0722a",
     "a9f467f1df3c2787a677aebd1bc797da80157dd0a510c13fe1093e9748826d51",
     "cdc7d1051d80aebbd76ac774d7b3ad3ba06bb1fe7cd5dd52150868ecadd9ea18",
     "d083fa6b1cdef1a1c0d79b7c92b9adc37f917edb4a179ddec9e2f4b06a0e4f1c"},
}};

/// SHA-256 of what is made of pattern(kLongBytes, 2) under the key pattern(key bytes, 1). CBC, without
/// the last byte, and CFB take it for ciphertext, and decrypt it with the initialisation vector pattern(16,
/// 5). XTS takes it for plaintext, and encrypts it in data units of 1040 bytes, without the last byte, and of
/// 1003 bytes; its tweak key is pattern(key bytes, 6), and the first unit's number is kParallelTweak.
constexpr size_t kParallelUnitBytes = 1'040, kParallelRaggedUnitBytes = 1'003;
inline constexpr std::string_view kParallelTweak = "fdffffffffffffffffffffffffffffff";
struct Parallel {
  int key_bits;
  std::string_view cbc, cfb, xts, xts_ragged;
};
inline constexpr std::array<Parallel, 3> kParallel{{
    {128, "f28222ea73b213d3100d31c5ed05221463eae2377a6ae5dd94430146224c9d9d",
     "05a7aaa8ca69ce53d18ebde7798486c189bf9012d56d03a6d496f19bce1ea3bf",
     "73ecb494ceba7397f4f1f804703a3628a7d2b552cb4648938e6b93f0950768db",
     "19ac14171a654228ab65dffa504a201f4fff472c2deb1fe533595773570b1704"},
    {192, "b646e2c8f55536366659a7835ca2771147f78434633de8dc3eaf261675512d07",
     "33af1d6a90dd8c3e74d94135f0735c27cdd6d67a1c5a8650e6f1659395d58997",
     "dc2f532b893a1acd6e1a778e348b95e282c42e7c186f261529454c8762a17170",
     "4e75f1afd23a9e97d4b88903d8ce1746caa3c0e8835ebef67d8c1af7357d301e"},
    {256, "0ffa351b88345b43d92846909bad962a77e3a67be6537ce9a7f4bccb18c1417f",
     "fad5c5bd7e66f53b038964966b02289356c7a13c415a8f255c3d9435d24a872f",
     "161596b60cc5b377df525cb660398672defba197ee401bd63ab09f9e0b58d0da",
     "6d656bb0676f3b985f14629e9605204c4354f169237262fba506e29b96db9d67"},
}};

/// SHA-256 of what the other modes that encrypt and authenticate make of the long message and of the batch of
/// kLongs, with the nonces and additional data of GCM. GCM-SIV has no keys of 192 bits. The MAC key of SIV is
/// the tweak key of kParallel. SIV's batch is hashed once more with kBatchStrings strings of additional data
/// for each message, where string s of message m is pattern(kBatchAadBytes, 64 + kBatchStrings * m + s).
constexpr size_t kBatchStrings = 3;
struct Sealed {
  int key_bits;
  std::string_view gcm_siv, ocb3;
  std::array<std::string_view, 5>
      batches;  // GCM-SIV, CCM, EAX, OCB3, SIV: in the order of the modes in mode.h
  std::string_view siv_strings;
};
inline constexpr std::array<Sealed, 3> kSealed{{
    {128,
     "b4028532d0b3de57dfd9ba0fa43fddf87b1ec816c477379105dc459a6d7e9685",
     "b1e213bd3e3ea84b13e9ae5b9ef8da6fd1cc1e76bf18d981a24b3abf54857ebf",
     {"100e4dc182ad31b4693f108e859efab70d53dc21c239bff905f1ec31c207e069",
      "175cd6fe50ad7efe175d4035be792d5174d2fd543360a8836450d9887b103881",
      "d3eca31ac6a15b7cddfd3328ce9f42a40423e2a779dcf486d838a2010e939c10",
      "2ad6cfa5890a1b66f0119fe9fac5ee00cc2229c2d74aee06aee8d82f7dd87921",
      "d9ddc1c996fffdf013ebad06cb0f30bada78399b685e8d7a79ba49e5ab2f1988"},
     "af860dd1a618ba5ed0a30d41d6647ecdeb537240c1d79070f261a4d9aa975323"},
    {192,
     "",
     "10505145b2a3f9dfb384adc4843e8632cdf6b9108db63db31c20d8e9ac751d7d",
     {"", "2fd4973432522953fb6480b893ea4d038bad459db702ced3e20d7875b670b519",
      "486773e02383a06f4b57ed3e15a73b3eb343572aff3fe0d460b1a0a4d6d72bde",
      "4aac984b2fc319c7611d98f94035a9113bafa082fb7a9ea16a3edd762c8dbadc",
      "2fbbad679cb66014f371c7791ba579baa9b2876fc00b93461a6c2fbec11187b3"},
     "4f65d4854cb75f21140312b26062103ba421ef3c7d53de9460217e874cd31a3a"},
    {256,
     "8203597de0efb24c728e3cea066588fb53ffd0b03877c0702607168c6764d2ba",
     "a27dcff2e46c5b646a6c7bbe1c27e5674774d855efc7e614f76251cc483bf58c",
     {"abfe15ec8c2c8295bc551beadcb160ede5a14d44047e3fa8794c350fbf0738f5",
      "e72172db46a17acbafda3fe612be4217eb56eb128f8ec6294c93ab118d7c14d7",
      "c256880abf5c80cb93bf796d3bc3afb9562d33c49e566bc2977481820996edd5",
      "32a495051b328981159581180d44a5159bb6fa53e78f974b251c223e35d6d15e",
      "82d080520979c79d06c21ecc8f9b782b5d8c2df18474b031b57aac001da84a02"},
     "16004e72d6a141d3e4f0b3e3b264817e1b05723a99e6f928d28065825befbf9a"},
}};

}  // namespace warpaes::core::known_answers
