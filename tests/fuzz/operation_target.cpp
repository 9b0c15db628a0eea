// Whatever order parts, ends and places come in: an operation gives what one call with the whole message
// gives, the same refusals included, and after its end or a refusal nothing.
#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz_target.hpp"
#include "warpaes/warpaes.h"

namespace {

using warpaes::fuzz::Choices, warpaes::fuzz::require;
using Bytes = std::vector<uint8_t>;

struct Keys {
  warpaes_context* context = nullptr;
  warpaes_key* key[3] = {};
  warpaes_key* tweak_key[3] = {};
  Keys() {
    warpaes_context_options options = {};
    options.size = sizeof options;
    options.engine = "openssl";
    options.threads = 2;
    require(warpaes_context_create(&options, &context) == WARPAES_OK, "a context");
    for (size_t i = 0; i < 3; i++) {
      const Bytes first(16 + 8 * i, 1), second(16 + 8 * i, 2);
      require(warpaes_key_create(context, first.data(), first.size(), &key[i]) == WARPAES_OK, "a key");
      require(warpaes_key_create(context, second.data(), second.size(), &tweak_key[i]) == WARPAES_OK,
              "a key");
    }
  }
  ~Keys() {
    for (warpaes_key* each : key) warpaes_key_destroy(each);
    for (warpaes_key* each : tweak_key) warpaes_key_destroy(each);
    warpaes_context_destroy(context);
  }
};

struct Message {
  const warpaes_key* key;
  warpaes_operation_options options;
  Bytes input;
};

using Chained = decltype(&warpaes_cbc_encrypt);

struct ChainedRow {
  warpaes_mode mode;
  Chained encrypt, decrypt;
};
constexpr ChainedRow kChained[] = {
    {WARPAES_MODE_CBC, warpaes_cbc_encrypt, warpaes_cbc_decrypt},
    {WARPAES_MODE_CFB, warpaes_cfb_encrypt, warpaes_cfb_decrypt},
    {WARPAES_MODE_CFB8, warpaes_cfb8_encrypt, warpaes_cfb8_decrypt},
    {WARPAES_MODE_CFB1, warpaes_cfb1_encrypt, warpaes_cfb1_decrypt},
    {WARPAES_MODE_OFB, warpaes_ofb_crypt, warpaes_ofb_crypt},
    {WARPAES_MODE_CTR, warpaes_ctr_crypt, warpaes_ctr_crypt},
};

/// One call with the whole message.
warpaes_status whole(const Message& message, Bytes& output) {
  const warpaes_operation_options& options = message.options;
  const auto* const iv = static_cast<const uint8_t*>(options.iv);
  const bool encrypting = options.direction == WARPAES_ENCRYPT;
  const uint8_t* const input = message.input.data();
  const uint64_t bytes = message.input.size();
  output.assign(bytes, 0);
  for (const ChainedRow& row : kChained) {
    if (row.mode != options.mode) continue;
    const uint64_t length = row.mode == WARPAES_MODE_CFB1 ? 8 * bytes : bytes;
    return (encrypting ? row.encrypt : row.decrypt)(message.key, iv, input, output.data(), length);
  }
  switch (options.mode) {
    case WARPAES_MODE_ECB:
      return (encrypting ? warpaes_ecb_encrypt : warpaes_ecb_decrypt)(message.key, input, output.data(),
                                                                      bytes);
    case WARPAES_MODE_CBC_PKCS7: {
      if (encrypting) {
        output.resize(bytes / 16 * 16 + 16);
        return warpaes_cbc_pkcs7_encrypt(message.key, iv, input, output.data(), bytes);
      }
      uint64_t message_bytes = 0;
      const warpaes_status status =
          warpaes_cbc_pkcs7_decrypt(message.key, iv, input, output.data(), bytes, &message_bytes);
      output.resize(message_bytes);
      return status;
    }
    case WARPAES_MODE_XTS:
      return (encrypting ? warpaes_xts_encrypt : warpaes_xts_decrypt)(
          message.key, options.tweak_key, iv, options.data_unit_bytes, input, output.data(), bytes);
    case WARPAES_MODE_CMAC:
      output.assign(options.tag_bytes, 0);
      return warpaes_cmac(message.key, input, bytes, output.data(), output.size());
    default: {
      const auto variant = static_cast<warpaes_stealing>(WARPAES_CS1 + (options.mode - WARPAES_MODE_CBC_CS1));
      return (encrypting ? warpaes_cbc_cts_encrypt : warpaes_cbc_cts_decrypt)(message.key, variant, iv, input,
                                                                              output.data(), bytes);
    }
  }
}

void require_over(warpaes_operation* operation) {
  uint8_t byte = 0;
  uint64_t written = 0;
  require(warpaes_operation_update(operation, &byte, 1, &byte, 1, &written) == WARPAES_ERROR_STATE &&
              warpaes_operation_finish(operation, &byte, 1, &written) == WARPAES_ERROR_STATE,
          "what is over is over");
}

/// The next part, apart or in place. @return false if it was refused, as it should be
bool update(warpaes_operation* operation, Choices& choices, Message& message, Bytes& output) {
  const size_t part = choices.below(choices.byte() % 4 == 0 ? 3000 : 50);
  const uint8_t first = choices.byte(), how = choices.byte();
  uint64_t ready = 0, written = 0;
  require(warpaes_operation_update_bytes(operation, part, &ready) == WARPAES_OK && ready <= part + 4096,
          "it says how much it will write");
  Bytes memory(std::max<size_t>(part, ready) + part + 1);
  for (size_t i = 0; i < part; i++) memory[i] = static_cast<uint8_t>(first + 7 * i);
  message.input.insert(message.input.end(), memory.begin(), memory.begin() + static_cast<ptrdiff_t>(part));
  const bool in_place = how % 2 == 0, refused = how % 64 == 63 && ready != 0;
  uint8_t* const to = memory.data() + (in_place ? 0 : part);
  const warpaes_status status =
      warpaes_operation_update(operation, memory.data(), part, to, refused ? ready - 1 : ready, &written);
  if (refused) {
    require(status == WARPAES_ERROR_BUFFER_SIZE && written == 0, "too little room is refused");
    return false;
  }
  require(status == WARPAES_OK && written == ready, "it writes what it said");
  output.insert(output.end(), to, to + written);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const Keys keys;
  Choices choices(data, bytes);
  Message message = {};
  const unsigned size = choices.below(3);
  Bytes iv(16);
  message.key = keys.key[size];
  message.options.size = sizeof message.options;
  message.options.mode = static_cast<warpaes_mode>(1 + choices.below(13));
  const bool is_xts = message.options.mode == WARPAES_MODE_XTS,
             is_mac = message.options.mode == WARPAES_MODE_CMAC;
  message.options.direction = is_mac || choices.byte() % 2 == 0 ? WARPAES_ENCRYPT : WARPAES_DECRYPT;
  std::generate(iv.begin(), iv.end(), [&] { return choices.byte(); });
  message.options.iv = iv.data();
  message.options.iv_bytes = is_mac || message.options.mode == WARPAES_MODE_ECB ? 0 : iv.size();
  message.options.tweak_key = is_xts ? keys.tweak_key[size] : nullptr;
  message.options.data_unit_bytes = is_xts ? 16 + choices.below(600) : 0;
  message.options.tag_bytes = is_mac ? 8 + choices.below(9) : 0;

  warpaes_operation* operation = nullptr;
  require(warpaes_operation_create(message.key, &message.options, &operation) == WARPAES_OK, "an operation");
  Bytes output, expected;
  bool alive = true;
  while (alive && !choices.empty()) alive = update(operation, choices, message, output);
  if (alive) {
    uint64_t most = 0, written = 0;
    require(warpaes_operation_finish_bytes(operation, &most) == WARPAES_OK, "it says how much is left");
    Bytes rest(most);
    const warpaes_status status = warpaes_operation_finish(operation, rest.data(), rest.size(), &written);
    output.insert(output.end(), rest.begin(), rest.begin() + static_cast<ptrdiff_t>(written));
    require(status == whole(message, expected), "parts and the whole have the same status");
    require(status != WARPAES_OK || output == expected, "parts give what the whole gives");
  }
  require_over(operation);
  warpaes_operation_destroy(operation);
  return 0;
}
