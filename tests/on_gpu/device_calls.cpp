#include "device_calls.hpp"

#include <algorithm>

#include "evp_reference.hpp"

namespace warpaes::testing {
namespace {

const Bytes kNonce(12, 0x31), kCounter(16, 0xff);  // a counter that wraps

template <auto Call>
warpaes_status ecb(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return Call(key, at.input, at.output, at.bytes, stream);
}

warpaes_status ctr(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_ctr_crypt_device(key, kCounter.data(), at.input, at.output, at.bytes, stream);
}

template <warpaes_aead Mode>
warpaes_status seal(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_aead_encrypt_device(key, Mode, kNonce.data(), 12, nullptr, 0, at.input, at.output, at.bytes,
                                     at.tag, 16, at.workspace, at.workspace_bytes, stream);
}

template <warpaes_aead Mode>
warpaes_status open(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return warpaes_aead_decrypt_device(key, Mode, kNonce.data(), 12, nullptr, 0, at.input, at.output, at.bytes,
                                     at.tag, 16, reinterpret_cast<int32_t*>(at.tag + 16), at.workspace,
                                     at.workspace_bytes, stream);
}

/// A batch of one message, without a nonce; both halves of the key are the one that is given.
warpaes_status seal_by_siv(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  warpaes_aead_batch_arguments batch = {};
  batch.size = sizeof batch;
  batch.messages = 1;
  batch.bytes = at.bytes;
  batch.input = at.input;
  batch.output = at.output;
  batch.tags = at.tag;
  batch.tag_bytes = 16;
  batch.mac_key = key;
  return warpaes_aead_batch_device(key, WARPAES_AEAD_SIV, WARPAES_ENCRYPT, &batch, nullptr, 0, stream);
}

template <auto Call>
warpaes_status unchain(const warpaes_key* key, const CallMemory& at, cudaStream_t stream) {
  return Call(key, kCounter.data(), at.input, at.output, at.bytes, at.workspace, at.workspace_bytes, stream);
}

/// `mask` and the block before each, added up: SP 800-38A 6.2 and 6.3, decrypting.
Bytes plus(Bytes mask, const Bytes& blocks) {
  for (size_t i = 0; i < mask.size(); i++) mask[i] ^= blocks[i];
  return mask;
}
Bytes shifted_behind_iv(const Bytes& ciphertext) {
  Bytes made = kCounter;
  made.insert(made.end(), ciphertext.begin(), ciphertext.end() - 16);
  return made;
}

SealedInput sealed_by_gcm(const Bytes& key, const Bytes& input) {
  const reference::Sealed made = reference::gcm(key, kNonce, {}, input, 16);
  return {made.ciphertext, made.tag};
}
SealedInput sealed_by_ocb3(const Bytes& key, const Bytes& input) {
  const reference::Sealed made = reference::ocb3(key, true, kNonce, input);
  return {made.ciphertext, made.tag};
}

/// RFC 5297 sections 2.4 to 2.6, of whole blocks, with one piece of associated data, which is empty.
SealedInput sealed_by_siv(const Bytes& key, const Bytes& input) {
  Bytes sum = reference::cmac(key, Bytes(16)), last = reference::cmac(key, {}), hashed = input;
  const bool carries = (sum[0] & 0x80) != 0;
  for (size_t i = 0; i < 16; i++) {
    const int next = i < 15 ? sum[i + 1] >> 7 : carries ? 0x87 : 0;
    last[i] = static_cast<uint8_t>(last[i] ^ sum[i] << 1 ^ next);
    hashed[input.size() - 16 + i] ^= last[i];
  }
  Bytes tag = reference::cmac(key, hashed), counter = tag;
  counter[8] &= 0x7f;
  counter[12] &= 0x7f;
  return {reference::ctr(key, counter, input), tag};
}

/// Both ways: it is an exclusive or.
Bytes crypted_by_gcm(const Bytes& key, const Bytes& input) { return sealed_by_gcm(key, input).ciphertext; }

}  // namespace

DeviceBytes::DeviceBytes(size_t bytes, int device) : device_(device), size_(bytes) {
  EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), bytes), cudaSuccess) << bytes;
  EXPECT_EQ(cudaMemset(data_, 0x5a, bytes), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

DeviceBytes::~DeviceBytes() {
  EXPECT_EQ(cudaSetDevice(device_), cudaSuccess);
  EXPECT_EQ(cudaFree(data_), cudaSuccess);
}

void DeviceBytes::write(const Bytes& bytes) const {
  ASSERT_LE(bytes.size(), size_);
  EXPECT_EQ(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

Bytes DeviceBytes::read(size_t bytes, size_t from) const {
  Bytes copy(bytes);
  EXPECT_EQ(cudaMemcpy(copy.data(), data_ + from, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  return copy;
}

size_t workspace_bytes(const warpaes_key* key, uint64_t bytes) {
  size_t most = 0, needed = 0;
  EXPECT_EQ(warpaes_chained_decrypt_workspace_bytes(key, bytes, &most), WARPAES_OK);
  for (const warpaes_aead mode : {WARPAES_AEAD_GCM, WARPAES_AEAD_OCB3}) {
    EXPECT_EQ(warpaes_aead_workspace_bytes(key, mode, 1, bytes, &needed), WARPAES_OK) << warpaes_last_error();
    most = std::max(most, needed);
  }
  return most;
}

std::vector<DeviceCall> device_calls() {
  return {
      {"ECB encryption", ecb<warpaes_ecb_encrypt_device>,
       [](const Bytes& key, const Bytes& input) { return reference::ecb(key, true, input); }, nullptr, false},
      {"ECB decryption", ecb<warpaes_ecb_decrypt_device>,
       [](const Bytes& key, const Bytes& input) { return reference::ecb(key, false, input); }, nullptr,
       false},
      {"CTR", ctr, [](const Bytes& key, const Bytes& input) { return reference::ctr(key, kCounter, input); },
       nullptr, false},
      {"CBC decryption", unchain<warpaes_cbc_decrypt_device>,
       [](const Bytes& key, const Bytes& input) {
         return plus(reference::ecb(key, false, input), shifted_behind_iv(input));
       },
       nullptr, false},
      {"CFB decryption", unchain<warpaes_cfb_decrypt_device>,
       [](const Bytes& key, const Bytes& input) {
         return plus(reference::ecb(key, true, shifted_behind_iv(input)), input);
       },
       nullptr, false},
      {"SIV encryption", seal_by_siv,
       [](const Bytes& key, const Bytes& input) { return sealed_by_siv(key, input).ciphertext; },
       sealed_by_siv, false},
      {"OCB3 encryption", seal<WARPAES_AEAD_OCB3>,
       [](const Bytes& key, const Bytes& input) { return sealed_by_ocb3(key, input).ciphertext; },
       sealed_by_ocb3, false},
      {"OCB3 decryption", open<WARPAES_AEAD_OCB3>,
       [](const Bytes& key, const Bytes& input) {
         return reference::ocb3(key, false, kNonce, input).ciphertext;
       },
       sealed_by_ocb3, true},
      {"GCM encryption", seal<WARPAES_AEAD_GCM>, crypted_by_gcm, sealed_by_gcm, false},
      {"GCM decryption", open<WARPAES_AEAD_GCM>, crypted_by_gcm, sealed_by_gcm, true},
  };
}

int gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace warpaes::testing
