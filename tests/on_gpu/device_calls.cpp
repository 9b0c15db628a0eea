#include "device_calls.hpp"

#include <algorithm>

namespace warpaes::core::testing {
namespace {

/// Calls that give one long message to all multiprocessors. In all others a block waits for the one before.
struct ParallelMode {
  warpaes_mode mode;
  bool encrypts, decrypts;
};
constexpr ParallelMode kParallelModes[] = {
    {WARPAES_MODE_ECB, true, true},  {WARPAES_MODE_CTR, true, true},  {WARPAES_MODE_XTS, true, true},
    {WARPAES_MODE_CBC, false, true}, {WARPAES_MODE_CFB, false, true}, {WARPAES_MODE_GCM, true, true},
    {WARPAES_MODE_GMAC, true, true}, {WARPAES_MODE_OCB3, true, true},
};

bool is_parallel(const DeviceCall& call) {
  return std::any_of(std::begin(kParallelModes), std::end(kParallelModes), [&](const ParallelMode& each) {
    return each.mode == call.mode->mode &&
           (call.direction == WARPAES_DIRECTION_ENCRYPT ? each.encrypts : each.decrypts);
  });
}

}  // namespace

DeviceBytes::DeviceBytes(size_t bytes, int device) : device_(device), size_(bytes) {
  EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<size_t>(bytes, 16)), cudaSuccess) << bytes;
  EXPECT_EQ(cudaMemset(data_, kUntouched, bytes), cudaSuccess);
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

std::string DeviceCall::name() const {
  return std::string(mode->info.name) +
         (direction == WARPAES_DIRECTION_ENCRYPT ? " encryption" : " decryption");
}

warpaes_status DeviceCall::run(const warpaes_cipher* cipher, const warpaes_message& message,
                               const DeviceBytes& workspace, cudaStream_t stream) const {
  const auto call = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_device : warpaes_decrypt_device;
  return call(cipher, &message, workspace.data(), workspace.size(), stream);
}

size_t DeviceCall::quick_length(size_t bytes) const {
  if (is_parallel(*this)) return bytes;
  const size_t blocks_a_block = mode->mode == WARPAES_MODE_CFB1   ? 128
                                : mode->mode == WARPAES_MODE_CFB8 ? 16
                                                                  : 1;
  return bytes / 64 / blocks_a_block;
}

std::vector<DeviceCall> device_calls() {
  std::vector<DeviceCall> calls;
  for (const ListedMode& mode : all_modes()) {
    calls.push_back({&mode, WARPAES_DIRECTION_ENCRYPT});
    calls.push_back({&mode, WARPAES_DIRECTION_DECRYPT});
  }
  return calls;
}

DeviceCall device_call(warpaes_mode mode, warpaes_direction direction) { return {&listed(mode), direction}; }

size_t workspace_size(const warpaes_cipher* cipher, warpaes_direction direction, uint64_t count,
                      uint64_t length) {
  size_t size = 0;
  EXPECT_EQ(warpaes_workspace_size(cipher, direction, count, length, &size), WARPAES_OK)
      << warpaes_last_error();
  return size;
}

warpaes_message message_in(uint8_t* data, uint64_t length, const Bytes& nonce) {
  auto made = sized<warpaes_message>();
  made.input = made.output = data;
  made.length = made.output_capacity = length;
  made.nonce = nonce.empty() ? nullptr : nonce.data();
  made.nonce_length = nonce.size();
  return made;
}

MessageOnDevice::MessageOnDevice(const DeviceCall& call, const warpaes_cipher* cipher, ModeMessage message,
                                 const ImageOptions& options, int device)
    : call_(call),
      message_(std::move(message)),
      image_(message_, call.direction, {options.in_place, true, options.misaligned}),
      memory_(image_.before().size(), device),
      workspace_(workspace_size(cipher, call.direction, 1, image_.arguments(memory_.data()).message.length),
                 device) {
  reset();
}

warpaes_status MessageOnDevice::run(const warpaes_cipher* cipher, cudaStream_t stream) const {
  const MessageCall arguments = image_.arguments(memory_.data());
  return call_.run(cipher, arguments.message, workspace_, stream);
}

CiphersOfAllModes::CiphersOfAllModes(const TestContext& context, const Bytes& key) : key_(key) {
  for (const ListedMode& mode : all_modes()) {
    const Bytes its(key.begin(), key.begin() + static_cast<ptrdiff_t>(key_lengths_of(mode).back()));
    ciphers_[mode.mode] = std::make_unique<TestCipher>(context, mode.mode, its);
  }
}

ModeMessage CiphersOfAllModes::message_for(const DeviceCall& call, MessageShape shape) const {
  shape.length = call.quick_length(shape.length);
  shape.key_length = key_lengths_of(*call.mode).back();
  if (call.mode->mode == WARPAES_MODE_XTS) shape.data_unit = 4096;  // a disk's
  ModeMessage made = message_of(*call.mode, shape);
  made.key.assign(key_.begin(), key_.begin() + static_cast<ptrdiff_t>(shape.key_length));
  seal_by_openssl(made);
  return made;
}

int gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

}  // namespace warpaes::core::testing
