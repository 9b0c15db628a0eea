#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>

#include "warpaes/warpaes.hpp"

namespace {

using Bytes = std::vector<uint8_t>;

static_assert(!std::is_copy_constructible_v<warpaes::Key> &&
              std::is_nothrow_move_constructible_v<warpaes::Key>);
static_assert(!std::is_copy_constructible_v<warpaes::Context> &&
              std::is_nothrow_move_assignable_v<warpaes::Context>);
static_assert(std::is_constructible_v<warpaes::Input, std::span<const std::byte>>);
static_assert(std::is_constructible_v<warpaes::Input, const std::array<uint8_t, 3>&>);
static_assert(!std::is_constructible_v<warpaes::Input, const char (&)[4]>, "a literal has a final zero");
static_assert(!std::is_constructible_v<warpaes::Output, const Bytes&>);

TEST(CplusplusFace, GcmThereAndBack) {
  const warpaes::Context context;
  warpaes::Key made(context, Bytes(32, 1));
  const warpaes::Key key = std::move(made);
  const warpaes::Aead gcm(key, WARPAES_AEAD_GCM);
  const Bytes nonce(12, 2), aad(7, 3), plaintext(100, 4);
  Bytes sealed(100), opened(100);
  std::array<std::byte, 16> tag;
  gcm.encrypt(nonce, aad, plaintext, sealed, tag);
  EXPECT_EQ(gcm.decrypt(nonce, aad, sealed, opened, tag), warpaes::Authenticity::right);
  EXPECT_EQ(opened, plaintext);
  tag[0] ^= std::byte{1};
  EXPECT_EQ(gcm.decrypt(nonce, aad, sealed, opened, tag), warpaes::Authenticity::wrong_tag);
  EXPECT_EQ(opened, Bytes(100, 0));
}

TEST(CplusplusFace, SealedMessages) {
  const warpaes::Context context;
  const warpaes::Key key(context, Bytes(32, 1));
  const Bytes aad(7, 3), plaintext(100, 4);
  Bytes sealed(warpaes::sealed_bytes(WARPAES_AEAD_EAX, plaintext.size())), opened(100);
  warpaes::seal(key, WARPAES_AEAD_EAX, aad, plaintext, sealed);
  uint64_t bytes = 0;
  EXPECT_EQ(warpaes::open(key, WARPAES_AEAD_EAX, aad, sealed, opened, bytes), warpaes::Authenticity::right);
  EXPECT_EQ(opened, plaintext);
  EXPECT_EQ(bytes, plaintext.size());
  EXPECT_EQ(warpaes::open(key, WARPAES_AEAD_EAX, {}, sealed, opened, bytes),
            warpaes::Authenticity::wrong_tag);
  EXPECT_EQ(warpaes::random_nonces(key), 1u);
}

TEST(CplusplusFace, CtrAndEcb) {
  const warpaes::Context context({.engine = "portable", .threads = 1});
  EXPECT_EQ(context.engine(1000), "portable");
  const warpaes::Key key(context, Bytes(16, 1));
  const std::array<uint8_t, 16> counter{};
  Bytes data(48, 5);
  key.ctr_crypt(counter, data, data);
  key.ctr_crypt(counter, data, data);
  key.ecb_encrypt(data, data);
  key.ecb_decrypt(data, data);
  EXPECT_EQ(data, Bytes(48, 5));
}

TEST(CplusplusFace, ChainedModesAndXts) {
  const warpaes::Context context({.engine = "portable"});
  const warpaes::Key key(context, Bytes(24, 1)), tweak_key(context, Bytes(24, 2));
  const std::array<uint8_t, 16> vector{};
  const Bytes plaintext(48, 5);
  Bytes data = plaintext;
  key.cbc_encrypt(vector, data, data);
  key.cfb_encrypt(vector, data, data);
  key.ofb_crypt(vector, data, data);
  EXPECT_NE(data, plaintext);
  key.ofb_crypt(vector, data, data);
  key.cfb_decrypt(vector, data, data);
  key.cbc_decrypt(vector, data, data);
  EXPECT_EQ(data, plaintext);
  const warpaes::Xts xts(key, tweak_key);
  xts.encrypt(vector, 32, data, data);
  EXPECT_NE(data, plaintext);
  xts.decrypt(vector, 32, data, data);
  EXPECT_EQ(data, plaintext);
  EXPECT_THROW(warpaes::Xts(key, key).encrypt(vector, 32, data, data), warpaes::Error);
}

/// A batch of two messages under two keys is two batches of one.
TEST(CplusplusFace, BatchesOfMessages) {
  const warpaes::Context context({.engine = "portable"});
  Bytes keys(24, 1);
  keys.resize(48, 2);
  const warpaes::Key first(context, Bytes(24, 1)), second(context, Bytes(24, 2));
  const Bytes ivs(32, 7), plaintext(96, 5);
  Bytes data = plaintext;
  warpaes_cipher_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = 2;
  batch.bytes = batch.input_stride = batch.output_stride = 48;
  batch.input = batch.output = data.data();
  batch.ivs = ivs.data();
  batch.iv_stride = 16;
  warpaes::cipher_batch_key_each(context, keys, 24, WARPAES_MODE_CBC, WARPAES_ENCRYPT, batch);
  EXPECT_NE(data, plaintext);
  batch.messages = 1;
  first.cipher_batch(WARPAES_MODE_CBC, WARPAES_DECRYPT, batch);
  batch.input = batch.output = data.data() + 48;
  second.cipher_batch(WARPAES_MODE_CBC, WARPAES_DECRYPT, batch);
  EXPECT_EQ(data, plaintext);
  batch.bytes = 47;
  EXPECT_THROW(first.cipher_batch(WARPAES_MODE_CBC, WARPAES_DECRYPT, batch), warpaes::Error);
}

TEST(CplusplusFace, SivInBatches) {
  const warpaes::Context context({.engine = "openssl"});
  const warpaes::Key mac_key(context, Bytes(16, 1)), key(context, Bytes(16, 2));
  const warpaes::Siv siv(mac_key, key);
  const Bytes plaintext(64, 3);
  Bytes data = plaintext, tags(32), one(32), aad;
  std::vector<int32_t> statuses(2);
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = 2;
  batch.bytes = batch.input_stride = batch.output_stride = 32;
  batch.input = batch.output = data.data();
  batch.tags = tags.data();
  batch.tag_stride = batch.tag_bytes = 16;
  batch.statuses = statuses.data();
  EXPECT_EQ(siv.batch(WARPAES_ENCRYPT, batch), warpaes::Authenticity::right);
  std::array<uint8_t, 16> tag{};
  const std::array<warpaes::Input, 1> aads = {warpaes::Input(aad)};
  siv.encrypt(aads, Bytes(32, 3), one, tag);
  EXPECT_EQ(Bytes(data.begin(), data.begin() + 32), one);
  EXPECT_EQ(Bytes(tags.begin(), tags.begin() + 16), Bytes(tag.begin(), tag.end()));
  EXPECT_EQ(siv.batch(WARPAES_DECRYPT, batch), warpaes::Authenticity::right);
  EXPECT_EQ(data, plaintext);
  EXPECT_EQ(siv.batch(WARPAES_DECRYPT, batch), warpaes::Authenticity::wrong_tag);
  EXPECT_THROW(siv.batch(WARPAES_ENCRYPT, batch, nullptr), warpaes::Error) << "no GPU engine";
}

/// Keys of RFC 3394 4.1's lengths: wrapped in batches they are what they are one by one, and one key's
/// messages do not unwrap under another's.
TEST(CplusplusFace, KeysWrappedInBatches) {
  const warpaes::Context context({.engine = "portable"});
  Bytes keys(16, 1);
  keys.resize(32, 2);
  const warpaes::Key first(context, Bytes(16, 1)), second(context, Bytes(16, 2));
  const Bytes plaintext(32, 5);
  Bytes wrapped(48), one(24), unwrapped(32);
  std::vector<int32_t> statuses(2);
  warpaes_key_wrap_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = 2;
  batch.bytes = batch.input_stride = 16;
  batch.output_stride = 24;
  batch.input = plaintext.data();
  batch.output = wrapped.data();
  batch.statuses = statuses.data();
  EXPECT_EQ(warpaes::key_wrap_batch_key_each(context, keys, 16, WARPAES_KW, WARPAES_ENCRYPT, batch),
            warpaes::Authenticity::right);
  warpaes::kw_wrap(second, Bytes(16, 5), one);
  EXPECT_EQ(Bytes(wrapped.begin() + 24, wrapped.end()), one);

  batch.bytes = batch.input_stride = 24;
  batch.output_stride = 16;
  batch.input = wrapped.data();
  batch.output = unwrapped.data();
  EXPECT_EQ(warpaes::key_wrap_batch_key_each(context, keys, 16, WARPAES_KW, WARPAES_DECRYPT, batch),
            warpaes::Authenticity::right);
  EXPECT_EQ(unwrapped, plaintext);
  EXPECT_EQ(warpaes::key_wrap_batch(first, WARPAES_KW, WARPAES_DECRYPT, batch),
            warpaes::Authenticity::wrong_tag);
  EXPECT_EQ(statuses, (std::vector<int32_t>{WARPAES_OK, WARPAES_ERROR_AUTHENTICATION}));
  EXPECT_THROW(warpaes::key_wrap_batch(first, WARPAES_KW, WARPAES_DECRYPT, batch, nullptr), warpaes::Error)
      << "no GPU engine";
  EXPECT_THROW(
      warpaes::key_wrap_batch_key_each(context, keys, 16, WARPAES_KW, WARPAES_DECRYPT, batch, nullptr),
      warpaes::Error);
  batch.bytes = 23;
  EXPECT_THROW((void)warpaes::key_wrap_batch(first, WARPAES_KW, WARPAES_DECRYPT, batch), warpaes::Error);
}

TEST(CplusplusFace, MisuseIsThrown) {
  const warpaes::Context context;
  try {
    const warpaes::Key key(context, Bytes(5));
    FAIL();
  } catch (const warpaes::Error& error) {
    EXPECT_EQ(error.status(), WARPAES_ERROR_KEY_LENGTH);
    EXPECT_STREQ(error.name(), "WARPAES_ERROR_KEY_LENGTH");
    EXPECT_STRNE(error.what(), "");
  }
  const warpaes::Key key(context, Bytes(16));
  Bytes input(32), output(16);
  EXPECT_THROW(key.ecb_encrypt(input, output), warpaes::Error) << "lengths differ";
  EXPECT_THROW(warpaes::Context({.engine = "none"}), warpaes::Error);
}

TEST(CplusplusFace, EnginesAndDevicesAreLists) {
  EXPECT_EQ(warpaes::engines().size(), warpaes_engine_count());
  EXPECT_EQ(warpaes::devices().size(), static_cast<size_t>(warpaes_device_count()));
}

}  // namespace
