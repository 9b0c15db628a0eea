// What keys, containers and OpenSSL's engine have in memory of their own, besides what the modes compute: it
// must have been wiped.
#include <gtest/gtest.h>

#include <algorithm>

#include "container/chunk_range.hpp"
#include "container/rejections.hpp"
#include "derivation/derivation.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "engines/portable/portable_engine.hpp"
#include "modes/chain.hpp"
#include "modes/composed_batches.hpp"
#include "modes/gcm_parts.hpp"
#include "modes/mac_chain.hpp"
#include "pipeline/block_mode_forms.hpp"
#include "pipeline/gcm_in_parts.hpp"
#include "pipeline/gcm_shared.hpp"
#include "primitives/ghash.hpp"
#include "wipe_ledger.hpp"
#include "worked_secrets.hpp"

namespace warpaes::core::testing {
namespace {

using namespace cobblestone;

/// The engine that has nothing but its block functions, on the caller's thread.
Context portable() { return Context({.engine = "portable/t_tables", .threads = 1}); }

/// Of each message its key and both schedules: in the batch's own memory, and on the stack.
std::vector<Secret> keys_of_messages() {
  const Context context = portable();
  const Bytes keys = counted(32, 9), nonces = counted(24, 8);
  Bytes data(32), tags(32);
  std::vector<int32_t> statuses(2, -1);
  note_wipes([&] {
    batch_key_each_host(context, {keys.data(), 16, 16},
                        {.direction = WARPAES_DIRECTION_ENCRYPT,
                         .messages = 2,
                         .bytes = 16,
                         .input = data.data(),
                         .input_stride = 16,
                         .output = data.data(),
                         .output_stride = 16,
                         .nonces = nonces.data(),
                         .nonce_stride = 12,
                         .tags = tags.data(),
                         .tag_stride = 16,
                         .tag_bytes = 16,
                         .statuses = statuses.data()});
  });
  EXPECT_EQ(statuses, std::vector<int32_t>(2, WARPAES_OK));
  std::vector<Secret> secrets;
  for (size_t message = 0; message < 2; message++) {
    const Bytes key = part(keys, 16 * message, 16);
    const KeySchedule schedule(key);
    const Bytes rounds = bytes_of(schedule.encryption()), inverse = bytes_of(schedule.decryption());
    secrets.push_back({"a message's key", key});
    secrets.push_back({"its round keys", part(rounds, 16, 160)});
    secrets.push_back({"its inverse round keys", part(inverse, 16, 160)});
    secrets.push_back({"its H", Aes(key).of(Bytes(16))});
  }
  return secrets;
}

/// A container's keys as its specification derives them: the file's key, the first nonce, the commitment.
struct FileKeyExample {
  const Context context = portable();
  const Bytes input_key = counted(32, 10);
  Salt salt{};
  Bytes derived = Bytes(32 + kNonceBytes + kCommitmentBytes);

  FileKeyExample() {
    std::ranges::copy(counted(salt.size(), 11), salt.begin());
    const std::string_view begins = "c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM";
    Bytes info(begins.begin(), begins.end());
    info.push_back(0);
    hkdf_expand(WARPAES_HASH_SHA512, input_key, joined(info, Bytes(salt.begin(), salt.end())), derived);
  }
  Bytes key() const { return part(derived, 0, 32); }
  /// Of a chunk under 256.
  Bytes nonce(uint8_t chunk = 0) const {
    Bytes nonce = part(derived, 32, kNonceBytes);
    nonce.back() ^= chunk;
    return nonce;
  }
  Bytes commitment() const { return part(derived, 32 + kNonceBytes, kCommitmentBytes); }
  Bytes h() const { return Aes(key()).of(Bytes(16)); }
  Bytes mask(uint8_t chunk) const { return Aes(key()).of(joined(nonce(chunk), {0, 0, 0, 1})); }
};

std::vector<Secret> file_keys() {
  const FileKeyExample example;
  note_wipes([&] { const FileKey file_key(example.context, {example.input_key}, example.salt); });
  return {{"all that is derived, in one piece", example.derived},
          {"the file's key, there and in its schedule", example.key(), 2},
          {"the first nonce, there and in its own place", example.nonce(), 2},
          {"the commitment, there and in its own place", example.commitment(), 2}};
}

/// Two whole chunks, sealed.
Bytes two_chunks(const FileKey& file_key) {
  const Bytes plaintext(2 * kChunkBytes, 0x11);
  Bytes sealed(2 * kSealedChunkBytes);
  seal_chunks(file_key, {0, plaintext.data(), plaintext.size(), sealed.data(), false});
  return sealed;
}

std::vector<Secret> sealed_chunks() {
  const FileKeyExample example;
  const FileKey file_key(example.context, {example.input_key}, example.salt);
  note_wipes([&] { (void)two_chunks(file_key); });
  return {{"the chunks' nonces", joined(example.nonce(0), example.nonce(1))}};
}

/// Who knows the tags that GMAC has of chunks, and the chunks' own, knows H.
std::vector<Secret> checked_chunks() {
  const FileKeyExample example;
  const FileKey file_key(example.context, {example.input_key}, example.salt);
  const Bytes sealed = two_chunks(file_key);
  std::vector<int32_t> statuses(2, -1);
  note_wipes([&] { check_chunks(file_key, {0, sealed.data(), sealed.size(), nullptr, false}, statuses); });
  EXPECT_EQ(statuses, std::vector<int32_t>(2, WARPAES_OK));
  const GcmHashKey hash{ghash_key(gf128_from_block(example.h().data()))};
  const Gf128 lengths = ghash_lengths(0, kChunkBytes) ^ ghash_lengths(kChunkBytes, 0);
  const Gf128 difference = host_gf128().multiply(lengths, hash.key);
  Bytes gmac;
  for (uint64_t chunk = 0; chunk < 2; chunk++) {
    Bytes tag(16);
    const Gf128 own = gf128_from_block(sealed.data() + chunk * kSealedChunkBytes + kChunkBytes);
    gf128_to_block(own ^ difference, tag.data());
    gmac = joined(gmac, tag);
  }
  return {{"GMAC's tags", gmac},
          {"how GCM's differ from them", bytes_of(difference)},
          {"H, with no inverse", bytes_of(hash)},
          {"the chunks' nonces", joined(example.nonce(0), example.nonce(1))}};
}

std::vector<Secret> memory_of_a_chunk() {
  const Bytes plaintext = counted(kChunkBytes, 12);
  note_wipes([&] {
    ChunkMemory memory;
    std::ranges::copy(plaintext, memory.begin());
  });
  return {{"a chunk's plaintext", plaintext}};
}

std::vector<Secret> shorter_last_chunks() {
  const FileKeyExample example;
  const FileKey file_key(example.context, {example.input_key}, example.salt);
  const Bytes sealed = counted(100, 13);
  note_wipes([&] { EXPECT_EQ(shorter_last_chunk(file_key, 5, sealed), std::nullopt); });
  const Bytes mask = example.mask(5);
  Ghash ghash(ghash_key(gf128_from_block(example.h().data())));
  ghash.add_padded(sealed.data(), 83);
  ghash.add(ghash_lengths(0, 83));
  return {{"H, and what encrypts the tag", joined(example.h(), mask)},
          {"the tag that the last beginning ought to have",
           bytes_of(ghash.sum() ^ gf128_from_block(mask.data()))},
          {"the latter as a number", bytes_of(gf128_from_block(mask.data()))}};
}

/// What the threads that share a message of GCM put together.
std::vector<Secret> shared_gcm() {
  Bytes data(1 << 20);
  const Engine& engine = portable_t_tables;
  const Prepared key(engine);
  WorkerThreads threads(2);
  MacBlock tag{};
  note_wipes([&] {
    GcmInParts gcm(engine, key, threads, WARPAES_DIRECTION_ENCRYPT, kNonce);
    gcm.crypt(data.data(), data.data(), data.size());
    tag = gcm.tag();
  });
  GcmHashKey hash = gcm_hash_key(engine, key);
  hash.inverse = host_inverse(hash.key);
  const Bytes mask = Aes().of(joined(kNonce, {0, 0, 0, 1}));
  const Gf128 sum = gf128_from_block(tag.data()) ^ gf128_from_block(mask.data()) ^
                    host_gf128().multiply(ghash_lengths(0, data.size()), hash.key);
  // Parts are a thread's share, 512 KiB, so their sums are put together by this power of H.
  return {{"H and its inverse", bytes_of(hash)},
          {"H, there, in three hashes and beside the parts' sums", bytes_of(hash.key), 5},
          {"the power of H", bytes_of(host_power(hash.key, (512 << 10) / 16))},
          {"the parts' sum", bytes_of(sum)},
          {"H times the lengths", bytes_of(host_gf128().multiply(ghash_lengths(0, data.size()), hash.key))}};
}

/// The bits that make no byte are worked on in a block of their own.
std::vector<Secret> last_bits_of_cfb1() {
  const Context context = portable();
  const Key key(context, kKey);
  const Bytes sealed = counted(2, 7);
  Bytes opened(2);
  note_wipes([&] {
    cfb1_bits_host(key, WARPAES_DIRECTION_DECRYPT, {kIv.data(), sealed.data(), opened.data(), 15});
  });
  return {{"the last bits", joined(part(opened, 1, 1), Bytes(15))}};
}

/// The first counter block of a nonce that does not have 12 bytes is a hash of the nonce, so it tells H, too.
CounterBlock first_counter_of(const Bytes& nonce) {
  Ghash ghash(ghash_key(gf128_from_block(Aes().of(Bytes(16)).data())));
  return gcm_initial_counter(ghash, nonce.data(), nonce.size());
}

std::vector<Secret> gcm_in_parts_with_a_long_nonce() {
  Bytes data(40);
  const Prepared key(portable_t_tables);
  WorkerThreads threads(1);
  note_wipes([&] {
    GcmInParts gcm(portable_t_tables, key, threads, WARPAES_DIRECTION_ENCRYPT, kIv);
    gcm.crypt(data.data(), data.data(), data.size());
    (void)gcm.tag();
  });
  return {{"the first counter block", bytes_of(first_counter_of(kIv))}};
}

std::vector<Secret> shared_gcm_with_a_long_nonce() {
  const Context context = portable();
  const Key key(context, kKey);
  Message message(40);
  Batch batch = message.batch(WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT);
  batch.host_nonce = kIv.data();
  batch.host_nonce_bytes = kIv.size();
  note_wipes([&] { gcm_shared(key, batch); });
  EXPECT_EQ(message.status, WARPAES_OK);
  const Bytes h = bytes_of(ghash_key(gf128_from_block(Aes().of(Bytes(16)).data())));
  return {{"the first counter block", bytes_of(first_counter_of(kIv))},
          {"H, alone and in two hashes, and beside the parts' sums", h, 4}};
}

std::vector<Secret> gcm_with_a_long_nonce() {
  const Prepared key(portable_t_tables);
  Message message(40);
  Batch batch = message.batch(WARPAES_MODE_GCM, WARPAES_DIRECTION_ENCRYPT);
  batch.host_nonce = kIv.data();
  batch.host_nonce_bytes = kIv.size();
  note_wipes([&] { gcm_composed(portable_t_tables, {key, 128}, batch); });
  EXPECT_EQ(message.status, WARPAES_OK);
  return {{"the first counter block", bytes_of(first_counter_of(kIv))}};
}

/// S2V's steps between the strings (RFC 5297 section 2.4).
std::vector<Secret> siv_of_a_string() {
  const Prepared key(portable_t_tables);
  Message message(8);
  Batch batch = message.batch(WARPAES_MODE_SIV, WARPAES_DIRECTION_ENCRYPT);
  batch.host_nonce = nullptr;
  batch.nonce_bytes = 0;
  note_wipes(
      [&] { siv_composed(portable_t_tables, {key, 128, &static_cast<const EngineKey&>(key)}, batch); });
  EXPECT_EQ(message.status, WARPAES_OK);
  Cmac cmac(portable_t_tables, key);
  const MacBlock zeros = cmac.of(Bytes(16).data(), 16),
                 of_aad = cmac.of(message.aad.data(), message.aad.size());
  MacBlock sum = mac_doubled(zeros);
  const MacBlock first = sum;
  xor_block(sum, of_aad);
  const auto bytes = [](const MacBlock& block) { return Bytes(block.begin(), block.end()); };
  return {{"the doubled MAC of zeros", bytes(first)},
          {"the MAC of the string", bytes(of_aad)},
          {"their sum, doubled", bytes(mac_doubled(sum))}};
}

/// What a GPU and the CPU's threads put together that share a message of GCM; here one thread, which has all
/// of it as one part.
std::vector<Secret> gcm_of_several_workers() {
  const Context context = portable();
  const Key key(context, kKey);
  Bytes text(4096);
  note_wipes([&] {
    gcm_shared_by({nullptr, &portable_t_tables, context.state().threads}, key, text.data(), text.size());
  });
  GcmHashKey hash{ghash_key(gf128_from_block(Aes().of(Bytes(16)).data()))};
  hash.inverse = host_inverse(hash.key);
  Ghash ghash(hash.key);
  ghash.start();
  ghash.add_padded(text.data(), text.size());
  ghash.add(Gf128{0, 0});  // a part's sum has been multiplied by H once more, for the part behind it
  return {{"H and its inverse", bytes_of(hash)},
          {"the part's sum, in its hash and among all", bytes_of(ghash.sum()), 2}};
}

/// The engine of FIPS 197's words has a block's state in memory.
std::vector<Secret> state_of_a_block() {
  Bytes block(16);
  const Prepared key(portable_fips197);
  note_wipes([&] { portable_fips197.decrypt_blocks(key, {block.data(), block.data(), 16}, nullptr); });
  return {{"the decrypted block", block}};
}

std::vector<Secret> openssl_xts() {
  Bytes data(32);
  const Prepared key(openssl_evp), tweak_key(openssl_evp, kSecondKey);
  note_wipes([&] {
    openssl_evp.xts({key, tweak_key, 128}, WARPAES_DIRECTION_ENCRYPT,
                    {kIv.data(), data.size(), data.data(), data.data(), data.size()}, nullptr);
  });
  return {{"both keys", joined(kKey, kSecondKey)}};
}

/// OpenSSL gives the bytes that make no block at the end.
std::vector<Secret> openssl_ocb3() {
  Message message(24);
  const Bytes plaintext = message.data;
  const Prepared key(openssl_evp);
  for (const Direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
    note_wipes([&] {
      openssl_evp.modes[WARPAES_MODE_OCB3].run({.prepared = key, .bits = 128},
                                               message.batch(WARPAES_MODE_OCB3, direction), nullptr, nullptr);
    });
    EXPECT_EQ(message.status, WARPAES_OK);
  }
  EXPECT_EQ(message.data, plaintext);
  return {{"the message's end", joined(part(plaintext, 16, 8), Bytes(8))}};
}

/// The plaintext is there before its tag is compared.
std::vector<Secret> openssl_forged_gcm() {
  Message message(24);
  const Bytes plaintext = message.data;
  const Prepared key(openssl_evp);
  const auto run = [&](Direction direction) {
    openssl_evp.modes[WARPAES_MODE_GCM].run({.prepared = key, .bits = 128},
                                            message.batch(WARPAES_MODE_GCM, direction), nullptr, nullptr);
  };
  run(WARPAES_DIRECTION_ENCRYPT);
  message.tag[0] ^= 1;
  note_wipes([&] { run(WARPAES_DIRECTION_DECRYPT); });
  EXPECT_EQ(message.status, WARPAES_ERROR_AUTHENTICATION);
  EXPECT_EQ(message.data, Bytes(24));
  return {{"the plaintext", plaintext}};
}

/// From block 4 on of a message whose nonce does not have 12 bytes.
std::vector<Secret> openssl_gcm_part() {
  const Prepared key(openssl_evp);
  GcmHashKey hash = gcm_hash_key(openssl_evp, key);
  hash.inverse = host_inverse(hash.key);
  const CounterBlock first = load_counter(kIv.data()), before = add32(first, 0xffffffff);
  Bytes data(20), counter(16), nonce(16);
  Gf128 sum{};
  note_wipes([&] {
    const auto gcm = openssl_evp.gcm_part(key, hash, WARPAES_DIRECTION_ENCRYPT, first);
    gcm->crypt(data.data(), data.data(), data.size());
    sum = gcm->sum();
  });
  store_counter(counter.data(), before);
  const Gf128 inner =
      host_gf128().multiply(gf128_from_block(counter.data()), hash.inverse) ^ ghash_lengths(0, 16);
  gf128_to_block(host_gf128().multiply(inner, hash.inverse), nonce.data());
  const Bytes mask = Aes().of(counter);
  Bytes tag(16);
  gf128_to_block(
      sum ^ gf128_from_block(mask.data()) ^ host_gf128().multiply(ghash_lengths(0, data.size()), hash.key),
      tag.data());
  return {{"a nonce that tells H", nonce}, {"the part's tag", tag}, {"what encrypts it", mask}};
}

constexpr WipeRow kRows[] = {
    {"KeysOfMessages", keys_of_messages},
    {"FileKeys", file_keys},
    {"SealedChunks", sealed_chunks},
    {"CheckedChunks", checked_chunks},
    {"MemoryOfAChunk", memory_of_a_chunk},
    {"ShorterLastChunks", shorter_last_chunks},
    {"SharedGcm", shared_gcm},
    {"LastBitsOfCfb1", last_bits_of_cfb1},
    {"GcmInPartsWithALongNonce", gcm_in_parts_with_a_long_nonce},
    {"SharedGcmWithALongNonce", shared_gcm_with_a_long_nonce},
    {"GcmWithALongNonce", gcm_with_a_long_nonce},
    {"SivOfAString", siv_of_a_string},
    {"GcmOfSeveralWorkers", gcm_of_several_workers},
    {"StateOfABlock", state_of_a_block},
    {"OpensslXts", openssl_xts},
    {"OpensslOcb3", openssl_ocb3},
    {"OpensslForgedGcm", openssl_forged_gcm},
    {"OpensslGcmPart", openssl_gcm_part},
};

class WipesOfKeys : public ::testing::TestWithParam<WipeRow> {};

TEST_P(WipesOfKeys, EachSecretIsWiped) { expect_wipes(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Keys, WipesOfKeys, ::testing::ValuesIn(kRows),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpaes::core::testing
