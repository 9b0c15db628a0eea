// Batches of padding, ciphertext stealing and short segments through the C ABI: ragged messages in host
// memory on every engine that can run here, and in device memory.
#include <cstring>

#include "cipher_rows.hpp"
#include "device/device.hpp"

namespace warpaes::testing {
namespace {

struct Kind {
  const char* name;
  warpaes_mode mode;
  Bytes (*encrypted)(const Bytes& key, const Bytes& iv, const Bytes& message);

  bool pads() const { return mode == WARPAES_MODE_ECB_PKCS7 || mode == WARPAES_MODE_CBC_PKCS7; }
};

template <int Variant>
Bytes stolen(const Bytes& key, const Bytes& iv, const Bytes& message) {
  return reference::cbc_cts(Variant, key, iv, message);
}

Bytes padded_ecb(const Bytes& key, const Bytes&, const Bytes& message) {
  Bytes text = message;
  text.resize(message.size() / 16 * 16 + 16, static_cast<uint8_t>(16 - message.size() % 16));
  return reference::ecb(key, true, text);
}

const Kind kKinds[] = {
    {"ECB_PKCS7", WARPAES_MODE_ECB_PKCS7, padded_ecb},
    {"CBC_PKCS7", WARPAES_MODE_CBC_PKCS7,
     [](const Bytes& key, const Bytes& iv, const Bytes& message) {
       return reference::cbc_pkcs7(key, iv, message);
     }},
    {"CBC_CS1", WARPAES_MODE_CBC_CS1, stolen<1>},
    {"CBC_CS2", WARPAES_MODE_CBC_CS2, stolen<2>},
    {"CBC_CS3", WARPAES_MODE_CBC_CS3, stolen<3>},
    {"CFB8", WARPAES_MODE_CFB8,
     [](const Bytes& key, const Bytes& iv, const Bytes& message) {
       return reference::crypt("CFB8", key, iv, message);
     }},
    {"CFB1", WARPAES_MODE_CFB1,
     [](const Bytes& key, const Bytes& iv, const Bytes& message) {
       return reference::crypt("CFB1", key, iv, message);
     }},
};

constexpr size_t kMessages = 75, kMost = 16 + kMessages - 1, kStride = 112, kWrong = 5;

/// All that a call reads and writes, in one piece, wherever that lies.
struct Image {
  static constexpr size_t kInput = 0, kOutput = kMessages * kStride, kIvs = 2 * kOutput,
                          kKeys = kIvs + 16 * kMessages, kLengths = kKeys + 24 * kMessages,
                          kOutputLengths = kLengths + 8 * kMessages,
                          kStatuses = kOutputLengths + 8 * kMessages, kEnd = kStatuses + 4 * kMessages;
  Bytes bytes = counting(kEnd, 1);

  Bytes key(size_t m) const { return slice(bytes, kKeys + 24 * m, 24); }
  Bytes iv(size_t m) const { return slice(bytes, kIvs + 16 * m, 16); }
  Bytes input(size_t m) const { return slice(bytes, kInput + kStride * m, length(kLengths, m)); }
  Bytes output(size_t m, size_t count) const { return slice(bytes, kOutput + kStride * m, count); }
  uint64_t length(size_t list, size_t m) const {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + list + 8 * m, 8);
    return value;
  }
  int32_t status(size_t m) const {
    int32_t value = 0;
    std::memcpy(&value, bytes.data() + kStatuses + 4 * m, 4);
    return value;
  }
  void put(size_t at, const Bytes& field) {
    std::copy(field.begin(), field.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
  }
  void set_input(size_t m, const Bytes& message) {
    const uint64_t count = message.size();
    put(kInput + kStride * m, message);
    std::memcpy(bytes.data() + kLengths + 8 * m, &count, 8);
  }

  static Arguments arguments(uint8_t* at, const Kind& kind) {
    Arguments batch = {};
    batch.size = sizeof batch;
    batch.messages = kMessages;
    batch.bytes = kMost + 6;  // 96, with padding
    batch.input = at + kInput;
    batch.output = at + kOutput;
    batch.input_stride = batch.output_stride = kStride;
    batch.ivs = at + kIvs;
    batch.iv_stride = 16;
    batch.statuses = reinterpret_cast<int32_t*>(at + kStatuses);
    batch.lengths = reinterpret_cast<uint64_t*>(at + kLengths);
    if (kind.pads()) batch.output_lengths = reinterpret_cast<uint64_t*>(at + kOutputLengths);
    return batch;
  }
};

/// @param call (uint8_t* memory, warpaes_direction) -> warpaes_status; it works on the image's bytes
template <class Call>
void expect_right(const Kind& kind, bool key_each, bool tells, const Call& call) {
  Image image;
  const auto key = [&](size_t m) { return image.key(key_each ? m : 0); };
  std::vector<Bytes> messages;
  for (size_t m = 0; m < kMessages; m++) {
    image.set_input(m, counting(kind.pads() ? m : 16 + m, m));
    messages.push_back(image.input(m));
  }
  ASSERT_EQ(call(image, WARPAES_ENCRYPT), WARPAES_OK) << warpaes_last_error();
  for (size_t m = 0; m < kMessages; m++) {
    const Bytes expected = kind.encrypted(key(m), image.iv(m), messages[m]);
    ASSERT_EQ(image.output(m, expected.size()), expected) << kind.name << ", message " << m;
    ASSERT_EQ(image.status(m), WARPAES_OK);
    ASSERT_TRUE(!kind.pads() || image.length(Image::kOutputLengths, m) == expected.size());
    image.set_input(m, expected);
  }
  if (kind.pads()) {
    const Bytes none(32, 0x11);  // 17 is no padding
    image.set_input(kWrong, kind.mode == WARPAES_MODE_ECB_PKCS7
                                ? reference::ecb(key(kWrong), true, none)
                                : reference::crypt("CBC", key(kWrong), image.iv(kWrong), none));
    messages[kWrong].clear();
  }
  ASSERT_EQ(call(image, WARPAES_DECRYPT), tells && kind.pads() ? WARPAES_ERROR_PADDING : WARPAES_OK);
  for (size_t m = 0; m < kMessages; m++) {
    const bool wrong = kind.pads() && m == kWrong;
    Bytes expected = messages[m];
    if (kind.pads()) expected.resize(image.length(Image::kLengths, m));
    ASSERT_EQ(image.output(m, expected.size()), expected) << kind.name << ", message " << m;
    ASSERT_EQ(image.status(m), wrong ? WARPAES_ERROR_PADDING : WARPAES_OK);
    ASSERT_TRUE(!kind.pads() || image.length(Image::kOutputLengths, m) == messages[m].size());
  }
}

TEST(CipherBatchEndings, AreOpensslsInHostMemory) {
  for (const std::string& engine : usable_engines()) {
    if (engine == "cuda/bitsliced") continue;  // has no batches
    const TestContext context(engine.c_str(), 2);
    const TestKey key(context, Image().key(0));
    for (const Kind& kind : kKinds) {
      for (const bool key_each : {false, true}) {
        SCOPED_TRACE(engine + " " + kind.name);
        expect_right(kind, key_each, true, [&](Image& image, warpaes_direction direction) {
          const Arguments batch = Image::arguments(image.bytes.data(), kind);
          if (!key_each) return warpaes_cipher_batch(key.get(), kind.mode, direction, &batch);
          return warpaes_cipher_batch_key_each(context.get(), image.bytes.data() + Image::kKeys, 24, 24,
                                               kind.mode, direction, &batch);
        });
      }
    }
  }
}

TEST(CipherBatchEndings, AreOpensslsInDeviceMemory) {
  std::string reason;
  if (device_count(&reason) == 0) GTEST_SKIP() << "no GPU: " << reason;
  const TestContext context("cuda");
  const TestKey key(context, Image().key(0));
  const OwnedStream stream(0);
  const DeviceBuffer memory(0, Image::kEnd);
  for (const Kind& kind : kKinds) {
    for (const bool key_each : {false, true}) {
      SCOPED_TRACE(kind.name);
      expect_right(kind, key_each, false, [&](Image& image, warpaes_direction direction) {
        copy_to_device(memory.data(), image.bytes.data(), Image::kEnd, stream.get());
        const Arguments batch = Image::arguments(memory.data(), kind);
        const warpaes_status status =
            key_each ? warpaes_cipher_batch_key_each_device(context.get(), memory.data() + Image::kKeys, 24,
                                                            24, kind.mode, direction, &batch, stream.get())
                     : warpaes_cipher_batch_device(key.get(), kind.mode, direction, &batch, stream.get());
        copy_to_host(image.bytes.data(), memory.data(), Image::kEnd, stream.get());
        synchronize(stream.get());
        return status;
      });
    }
  }
}

}  // namespace
}  // namespace warpaes::testing
