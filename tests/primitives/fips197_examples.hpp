// Examples of FIPS 197, as text in the order of the standard.
#pragma once

#include <array>
#include <string_view>

namespace warpaes::core::fips197_examples {

/// Appendix A.1 to A.3: the key, and all words of its expansion.
struct Expansion {
  std::string_view key, words;
};
inline constexpr std::array<Expansion, 3> kExpansions{{
    {"2b7e151628aed2a6abf7158809cf4f3c",
     "2b7e151628aed2a6abf7158809cf4f3ca0fafe1788542cb123a339392a6c7605"
     "f2c295f27a96b9435935807a7359f67f3d80477d4716fe3e1e237e446d7a883b"
     "ef44a541a8525b7fb671253bdb0bad00d4d1c6f87c839d87caf2b8bc11f915bc"
     "6d88a37a110b3efddbf98641ca0093fd4e54f70e5f5fc9f384a64fb24ea6dc4f"
     "ead27321b58dbad2312bf5607f8d292fac7766f319fadc2128d12941575c006e"
     "d014f9a8c9ee2589e13f0cc8b6630ca6"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
     "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7bfe0c91f72402f5a5"
     "ec12068e6c827f6b0e7a95b95c56fec24db7b4bd69b5411885a74796e92538fd"
     "e75fad44bb095386485af05721efb14fa448f6d94d6dce24aa326360113b30e6"
     "a25e7ed583b1cf9a27f939436a94f767c0a69407d19da4e1ec1786eb6fa64971"
     "485f703222cb8755e26d135233f0b7b340beeb282f18a2596747d26b458c553e"
     "a7e1466c9411f1df821f750aad07d753ca4005388fcc5006282d166abc3ce7b5"
     "e98ba06f448c773c8ecc720401002202"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
     "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
     "9ba354118e6925afa51a8b5f2067fcdea8b09c1a93d194cdbe49846eb75d5b9a"
     "d59aecb85bf3c917fee94248de8ebe96b5a9328a2678a647983122292f6c79b3"
     "812c81addadf48ba24360af2fab8b46498c5bfc9bebd198e268c3ba709e04214"
     "68007bacb2df331696e939e46c518d80c814e20476a9fb8a5025c02d59c58239"
     "de1369676ccc5a71fa2563959674ee155886ca5d2e2f31d77e0af1fa27cf73c3"
     "749c47ab18501ddae2757e4f7401905acafaaae3e4d59b349adf6acebd10190d"
     "fe4890d1e6188d0b046df344706c631e"},
}};

/// Appendix B: the state at the start of each round and after each of its transformations.
inline constexpr std::string_view kCipherKey = "2b7e151628aed2a6abf7158809cf4f3c";
inline constexpr std::string_view kCipherInput = "3243f6a8885a308d313198a2e0370734";
inline constexpr std::string_view kCipherOutput = "3925841d02dc09fbdc118597196a0b32";
struct Round {
  std::string_view start, after_sub_bytes, after_shift_rows, after_mix_columns;
};
inline constexpr std::array<Round, 10> kCipherRounds{{
    {"193de3bea0f4e22b9ac68d2ae9f84808", "d42711aee0bf98f1b8b45de51e415230",
     "d4bf5d30e0b452aeb84111f11e2798e5", "046681e5e0cb199a48f8d37a2806264c"},
    {"a49c7ff2689f352b6b5bea43026a5049", "49ded28945db96f17f39871a7702533b",
     "49db873b453953897f02d2f177de961a", "584dcaf11b4b5aacdbe7caa81b6bb0e5"},
    {"aa8f5f0361dde3ef82d24ad26832469a", "ac73cf7befc111df13b5d6b545235ab8",
     "acc1d6b8efb55a7b1323cfdf457311b5", "75ec0993200b633353c0cf7cbb25d0dc"},
    {"486c4eee671d9d0d4de3b138d65f58e7", "52502f2885a45ed7e311c807f6cf6a94",
     "52a4c89485116a28e3cf2fd7f6505e07", "0fd6daa9603138bf6fc0106b5eb31301"},
    {"e0927fe8c86363c0d9b1355085b8be01", "e14fd29be8fbfbba35c89653976cae7c",
     "e1fb967ce8c8ae9b356cd2ba974ffb53", "25d1a9adbd11d168b63a338e4c4cc0b0"},
    {"f1006f55c1924cef7cc88b325db5d50c", "a163a8fc784f29df10e83d234cd503fe",
     "a14f3dfe78e803fc10d5a8df4c632923", "4b868d6d2c4a8980339df4e837d218d8"},
    {"260e2e173d41b77de86472a9fdd28b25", "f7ab31f02783a9ff9b4340d354b53d3f",
     "f783403f27433df09bb531ff54aba9d3", "1415b5bf461615ec274656d7342ad843"},
    {"5a4142b11949dc1fa3e019657a8c040c", "be832cc8d43b86c00ae1d44dda64f2fe",
     "be3bd4fed4e1f2c80a642cc0da83864d", "00512fd1b1c889ff54766dcdfa1b99ea"},
    {"ea835cf00445332d655d98ad8596b0c5", "87ec4a8cf26ec3d84d4c46959790e7a6",
     "876e46a6f24ce78c4d904ad897ecc395", "473794ed40d4e4a5a3703aa64c9f42bc"},
    {"eb40f21e592e38848ba113e71bc342d2", "e9098972cb31075f3d327d94af2e2cb5",
     "e9317db5cb322c723d2e895faf090794", ""},
}};

/// Appendix C.1 to C.3 of the version of 2001: the key is 00 01 02..., the plaintext is one.
inline constexpr std::string_view kPlaintext = "00112233445566778899aabbccddeeff";
struct Vector {
  std::string_view key, ciphertext;
};
inline constexpr std::array<Vector, 3> kVectors{{
    {"000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "8ea2b7ca516745bfeafc49904b496089"},
}};

/// Appendix C.1, EQUIVALENT INVERSE CIPHER, round 1.
struct InverseRound {
  std::string_view start, after_sub_bytes, after_shift_rows, after_mix_columns, round_key, next_start;
};
inline constexpr InverseRound kEquivalentInverseRound{
    "7ad5fda789ef4e272bca100b3d9ff59f", "bdb52189f261b63d0b107c9e8b6e776e",
    "bd6e7c3df2b5779e0b61216e8b10b689", "4773b91ff72f354361cb018ea1e6cf2c",
    "13aa29be9c8faff6f770f58000f7bf03", "54d990a16ba09ab596bbf40ea111702f"};

}  // namespace warpaes::core::fips197_examples
