// What the modes compute on the way, by an engine that has nothing but its block functions: each secret is
// computed here once more, by the words of the standard, and must have been wiped.
#include <gtest/gtest.h>
#include <openssl/crypto.h>

#include <algorithm>

#include "engines/portable/portable_engine.hpp"
#include "failure.hpp"
#include "modes/cbc_endings.hpp"
#include "modes/composed_batches.hpp"
#include "modes/key_wrap.hpp"
#include "modes/modes.hpp"
#include "modes/siv.hpp"
#include "wipe_ledger.hpp"
#include "worked_secrets.hpp"

namespace warpaes::core::testing {
namespace {

const Engine& engine = portable_t_tables;

/// x times a block, in the order of CMAC and OCB.
Bytes doubled(const Bytes& block) {
  Bytes made(16);
  for (size_t i = 0; i < 16; i++)
    made[i] = static_cast<uint8_t>(block[i] << 1 | (i < 15 ? block[i + 1] >> 7 : 0));
  made[15] ^= (block[0] & 0x80) != 0 ? 0x87 : 0;
  return made;
}

Bytes numbered(Bytes block, uint8_t number) {
  block.resize(16);
  block[15] = number;
  return block;
}

void seal(void (*composed)(const Engine&, const BatchKey&, const Batch&), warpaes_mode mode,
          Message& message) {
  const Prepared key(engine);
  note_wipes([&] {
    composed(engine, {.prepared = key, .bits = 128}, message.batch(mode, WARPAES_DIRECTION_ENCRYPT));
  });
  ASSERT_EQ(message.status, WARPAES_OK);
}

std::vector<Secret> ctr() {
  Bytes data(40);
  const Prepared key(engine);
  note_wipes([&] { ctr_composed(engine, key, {kIv.data(), data.data(), data.data(), data.size()}); });
  return {{"the key stream", Aes().of(kIv)}};
}

std::vector<Secret> cts() {
  Bytes data = counted(28, 7);
  const Prepared key(engine);
  const auto cbc = [&](Direction direction, const ChainRun& run) {
    cbc_composed(engine, key, direction, run);
  };
  note_wipes([&] {
    cbc_cts(cbc, WARPAES_DIRECTION_DECRYPT, Stealing::cs3,
            {kIv.data(), data.data(), data.data(), data.size()});
  });
  return {{"the message's end", data}};
}

std::vector<Secret> wrong_padding() {
  Bytes data(32);
  const Prepared key(engine);
  Bytes decrypted(32);
  cbc_composed(engine, key, WARPAES_DIRECTION_DECRYPT, {kIv.data(), data.data(), decrypted.data(), 32});
  const auto cbc = [&](Direction direction, const ChainRun& run) {
    cbc_composed(engine, key, direction, run);
  };
  note_wipes([&] {
    EXPECT_THROW(cbc_pkcs7_decrypt(cbc, {kIv.data(), data.data(), data.data(), data.size()}), Failure);
  });
  EXPECT_EQ(data, Bytes(32));
  return {{"the end before its padding", part(decrypted, 0, 16), 2}};
}

/// T of IEEE 1619 section 5.3.1, times x^power.
Bytes tweak(unsigned power) {
  Bytes block = Aes(kSecondKey).of(kIv);
  for (; power > 0; power--) {
    const bool carries = (block[15] & 0x80) != 0;
    for (size_t i = 16; i-- > 0;)
      block[i] = static_cast<uint8_t>(block[i] << 1 | (i > 0 ? block[i - 1] >> 7 : 0));
    block[0] ^= carries ? 0x87 : 0;
  }
  return block;
}

Bytes xts_of(Direction direction, Bytes data) {
  const Prepared key(engine), tweak_key(engine, kSecondKey);
  note_wipes([&] {
    xts_composed(engine, {key, tweak_key, 128}, direction,
                 {kIv.data(), data.size(), data.data(), data.data(), data.size()});
  });
  return data;
}

/// Three whole blocks and twelve bytes.
std::vector<Secret> xts_encryption() {
  const Bytes data = counted(60, 7), sealed = xts_of(WARPAES_DIRECTION_ENCRYPT, data);
  const Bytes stolen_from = sum(Aes().of(sum(part(data, 32, 16), tweak(2))), tweak(2));
  return {{"the tweaks", joined(tweak(3), tweak(1))},
          {"the tweak behind the last block's", tweak(4)},
          {"what is encrypted", Aes().of(sum(part(data, 16, 16), tweak(1)))},
          {"the last bytes, filled up", joined(part(data, 48, 12), part(stolen_from, 12, 4))},
          {"the block that they are filled up from", stolen_from}};
}

/// The engine fails at the last of its calls: for the tweak, two whole blocks, what is stolen from, and the
/// end.
std::vector<Secret> xts_failing() {
  static int calls;
  calls = 0;
  static Engine failing = engine;
  failing.encrypt_blocks = [](const EngineKey& key, const BlockRun& run, Stream stream) {
    if (++calls == 4) throw Failure(WARPAES_ERROR_HOST_MEMORY, "as the test has it");
    engine.encrypt_blocks(key, run, stream);
  };
  Bytes data = counted(60, 7);
  const Bytes plaintext = data;
  const Prepared key(engine), tweak_key(engine, kSecondKey);
  note_wipes([&] {
    EXPECT_THROW(xts_composed(failing, {key, tweak_key, 128}, WARPAES_DIRECTION_ENCRYPT,
                              {kIv.data(), data.size(), data.data(), data.data(), data.size()}),
                 Failure);
  });
  const Bytes stolen_from = sum(Aes().of(sum(part(plaintext, 32, 16), tweak(2))), tweak(2));
  return {{"the last bytes, filled up", joined(part(plaintext, 48, 12), part(stolen_from, 12, 4))},
          {"the block that they are filled up from", stolen_from}};
}

std::vector<Secret> xts_decryption() {
  const Bytes data = xts_of(WARPAES_DIRECTION_DECRYPT, counted(60, 7));
  return {{"the last bytes", part(data, 48, 12)}};
}

/// Section 6.2 of SP 800-38B.
std::vector<Secret> cmac() {
  Message message(40);
  Batch batch = message.batch(WARPAES_MODE_CMAC, WARPAES_DIRECTION_ENCRYPT);
  batch.output = nullptr;
  batch.host_nonce = batch.aad = nullptr;
  batch.host_nonce_bytes = batch.aad_bytes = batch.nonce_bytes = 0;
  const Prepared key(engine);
  note_wipes([&] { cmac_composed(engine, {.prepared = key, .bits = 128}, batch); });
  const Bytes l = Aes().of(Bytes(16));
  const Bytes first = Aes().of(part(message.data, 0, 16));
  const Bytes second = Aes().of(sum(first, part(message.data, 16, 16)));
  return {{"L", l},
          {"K1 and K2", joined(doubled(l), doubled(doubled(l)))},
          {"the chain's links", joined(first, second)}};
}

/// As many as have lanes, of one block each: what is in the lanes at the end are the tags.
std::vector<Secret> forged_cmacs() {
  constexpr size_t kMessages = 8;
  Bytes data = counted(16 * kMessages, 7), tags(16 * kMessages);
  std::vector<int32_t> statuses(kMessages);
  const Prepared key(engine);
  note_wipes([&] {
    cmac_composed(engine, {.prepared = key, .bits = 128},
                  {.mode = WARPAES_MODE_CMAC,
                   .direction = WARPAES_DIRECTION_DECRYPT,
                   .messages = kMessages,
                   .bytes = 16,
                   .input = data.data(),
                   .input_stride = 16,
                   .nonce_bytes = 0,
                   .tags = tags.data(),
                   .tag_stride = 16,
                   .tag_bytes = 16,
                   .statuses = statuses.data()});
  });
  EXPECT_EQ(statuses, std::vector<int32_t>(kMessages, WARPAES_ERROR_AUTHENTICATION));
  const Bytes k1 = doubled(Aes().of(Bytes(16)));
  return {{"the tag that a forgery should have had", Aes().of(sum(part(data, 0, 16), k1))}};
}

std::vector<Secret> gcm() {
  Message message(24);
  seal(gcm_composed, WARPAES_MODE_GCM, message);
  Bytes end(16);
  std::ranges::copy(part(message.data, 16, 8), end.begin());
  return {{"H", Aes().of(Bytes(16))},
          {"what encrypts the tag", Aes().of(numbered(kNonce, 1))},
          {"the key stream", Aes().of(numbered(kNonce, 2))},
          {"the end of the data, padded", end},
          {"the tag, of which a message may have a part", message.tag}};
}

/// GMAC of nothing but additional data.
std::vector<Secret> gmac() {
  Message message(0);
  message.aad = counted(30, 9);
  seal(gcm_composed, WARPAES_MODE_GCM, message);
  return {{"H", Aes().of(Bytes(16))}, {"what encrypts the tag", Aes().of(numbered(kNonce, 1))}};
}

/// RFC 8452 section 4.
std::vector<Secret> gcm_siv() {
  Message message(24);
  seal(gcm_siv_composed, WARPAES_MODE_GCM_SIV, message);
  const auto half = [](uint8_t number) {
    return part(Aes().of(joined(Bytes{number, 0, 0, 0}, kNonce)), 0, 8);
  };
  const Bytes authentication = joined(half(0), half(1)), encryption = joined(half(2), half(3));
  Bytes first = message.tag;
  first[15] |= 0x80;
  return {{"both keys that are derived", joined(authentication, encryption)},
          {"the key that encrypts", encryption, 2},  // and in its schedule
          {"the key stream", Aes(encryption).of(first)}};
}

std::vector<Secret> ccm() {
  Message message(24);
  const Bytes plaintext = message.data;
  seal(ccm_composed, WARPAES_MODE_CCM, message);
  const auto counter = [](uint8_t number) { return numbered(joined(Bytes{2}, kNonce), number); };
  return {{"what encrypts the tag", Aes().of(counter(0))},
          {"the key stream", Aes().of(counter(1))},
          {"the end of the data, padded", joined(part(plaintext, 16, 8), Bytes(8))}};
}

std::vector<Secret> eax() {
  Message message(24);
  seal(eax_composed, WARPAES_MODE_EAX, message);
  const Bytes l = Aes().of(Bytes(16)), k1 = doubled(l), k2 = doubled(k1);
  Bytes end = kNonce;  // OMAC^0 of the nonce: a block of zeros, the nonce, and its padding
  end.push_back(0x80);
  end.resize(16);
  const Bytes counter = Aes().of(sum(sum(l, end), k2));
  const Bytes of_aad = Aes().of(sum(sum(Aes().of(numbered({}, 1)), message.aad), k1));
  return {{"K1 and K2", joined(k1, k2)},
          {"the nonce's OMAC", counter},
          {"the additional data's OMAC", of_aad},
          {"the key stream", Aes().of(counter)}};
}

/// RFC 7253 section 4.2, of one whole block and eight bytes.
std::vector<Secret> ocb3() {
  Message message(24);
  const Bytes plaintext = message.data;
  seal(ocb3_composed, WARPAES_MODE_OCB3, message);
  const Bytes l_star = Aes().of(Bytes(16)), l_dollar = doubled(l_star), l_0 = doubled(l_dollar);
  Bytes nonce = joined({0, 0, 0, 1}, kNonce);
  const unsigned bottom = nonce[15] & 63;
  nonce[15] &= 0xc0;
  const Bytes top = Aes().of(nonce);
  const Bytes stretch = joined(top, sum(part(top, 0, 8), part(top, 1, 8)));
  Bytes offset(16);
  for (size_t i = 0; i < 16; i++) {
    const unsigned two = static_cast<unsigned>(stretch[i + bottom / 8] << 8 | stretch[i + bottom / 8 + 1]);
    offset[i] = static_cast<uint8_t>(two << bottom % 8 >> 8);
  }
  offset = sum(offset, l_0);  // Offset_1
  const Bytes at_end = sum(offset, l_star);
  Bytes end = part(plaintext, 16, 8);
  end.push_back(0x80);
  end.resize(16);
  return {{"L_*", l_star},
          {"L_$", l_dollar},
          {"L_0 and L_1", joined(l_0, doubled(l_0))},
          {"the stretched nonce", stretch},
          {"the nonce's block", top, 2},
          {"an offset", offset},
          {"the last offset", at_end},
          {"the pad of the last bytes", Aes().of(at_end)},
          {"the checksum", sum(part(plaintext, 0, 16), end)},
          {"an offset of additional data", l_0, 2}};
}

/// RFC 5297 section 2.4, of additional data and a message of two blocks.
std::vector<Secret> siv() {
  Message message(32);
  const Bytes plaintext = message.data;
  Batch batch{};
  batch.mode = WARPAES_MODE_SIV;
  batch.messages = 1;
  batch.bytes = message.data.size();
  batch.nonce_bytes = 0;
  batch.aad = message.aad.data();
  batch.aad_bytes = message.aad.size();
  const Prepared mac_key(engine);
  note_wipes([&] {
    S2v s2v(engine, mac_key);
    (void)s2v.tag_of(batch, message_of(batch, 0), message.data.data());
  });
  const Bytes l = Aes().of(Bytes(16)), k1 = doubled(l);
  const Bytes of_zeros = Aes().of(k1), of_aad = Aes().of(sum(message.aad, k1));
  const Bytes d = sum(doubled(of_zeros), of_aad);
  return {{"K1 and K2", joined(k1, doubled(k1))},
          {"CMAC of zeros", of_zeros},
          {"D", d},
          {"the message's end", sum(part(plaintext, 16, 16), d)}};
}

/// What unwrapping has at its end: the check value, and the first half of the key.
std::vector<Secret> key_wrapping() {
  Bytes wrapped(40), unwrapped(32);
  const Bytes content = counted(32, 7);
  const Prepared key(engine);
  key_wrap(engine, key, WARPAES_MODE_KW, {content.data(), wrapped.data(), content.size()});
  note_wipes([&] {
    EXPECT_EQ(key_unwrap(engine, key, WARPAES_MODE_KW, {wrapped.data(), unwrapped.data(), wrapped.size()}),
              32u);
  });
  EXPECT_EQ(unwrapped, content);
  return {{"the check value and a key's beginning", joined(Bytes(8, 0xa6), part(content, 0, 8))}};
}

std::vector<Secret> wrong_key_wrapping() {
  Bytes wrapped = counted(40, 7), unwrapped(32, 1);
  const Prepared key(engine);
  EXPECT_THROW(key_unwrap(engine, key, WARPAES_MODE_KW, {wrapped.data(), unwrapped.data(), wrapped.size()}),
               Failure);
  EXPECT_EQ(unwrapped, Bytes(32));
  return {};
}

constexpr WipeRow kRows[] = {
    {"CTR", ctr},
    {"CbcWithCiphertextStealing", cts},
    {"CbcWithWrongPadding", wrong_padding},
    {"XtsEncryption", xts_encryption},
    {"XtsDecryption", xts_decryption},
    {"XtsOfAnEngineThatFails", xts_failing},
    {"CMAC", cmac},
    {"ForgedCMACs", forged_cmacs},
    {"GCM", gcm},
    {"GMAC", gmac},
    {"GcmSiv", gcm_siv},
    {"CCM", ccm},
    {"EAX", eax},
    {"OCB3", ocb3},
    {"SIV", siv},
    {"KeyWrapping", key_wrapping},
    {"WrongKeyWrapping", wrong_key_wrapping},
};

class WipesOfModes : public ::testing::TestWithParam<WipeRow> {};

TEST_P(WipesOfModes, EachSecretIsWiped) { expect_wipes(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Modes, WipesOfModes, ::testing::ValuesIn(kRows),
                         [](const auto& test) { return std::string(test.param.name); });

/// The ledger tells whether something was wiped, and leaves out what a test does itself.
TEST(WipeLedger, KnowsWhatWasWipedMeanwhile) {
  Bytes memory = counted(32, 1), another = counted(32, 2);
  const Bytes before = memory, before_another = another;
  OPENSSL_cleanse(another.data(), another.size());
  note_wipes([&] {
    EXPECT_EQ(wipes_of(part(before, 8, 16)), 0u);
    OPENSSL_cleanse(memory.data(), memory.size());
    EXPECT_EQ(memory, Bytes(32));
    EXPECT_EQ(wipes_of(part(before, 8, 16)), 1u);
    OPENSSL_cleanse(memory.data(), memory.size());
  });
  EXPECT_EQ(wipes_of(part(before, 8, 16)), 1u);
  EXPECT_EQ(wipes_of(part(before_another, 8, 16)), 0u);
}

}  // namespace
}  // namespace warpaes::core::testing
