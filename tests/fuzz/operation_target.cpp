// In whatever order parts, ends and places come, an operation must give what one call with the whole message
// gives, including the same refusals, and must give nothing after its end or after a refusal.
#include <algorithm>
#include <map>
#include <vector>

#include "fuzz_target.hpp"
#include "warpaes/warpaes.h"

namespace {

using warpaes::core::fuzz::Choices, warpaes::core::fuzz::require;
using Bytes = std::vector<uint8_t>;

constexpr size_t kKeySizes = 3;

/// A mode and a direction in which messages may come in parts.
struct Row {
  warpaes_mode mode;
  warpaes_direction direction;
};

struct Ciphers {
  warpaes_context* context = nullptr;
  std::vector<Row> rows;
  std::map<warpaes_mode, warpaes_mode_info> infos;
  std::map<warpaes_mode, std::vector<warpaes_cipher*>> of;  // of each length of a key

  Ciphers() {
    warpaes_context_options options = {};
    options.size = sizeof options;
    options.engine = "openssl";
    options.threads = 2;
    require(warpaes_context_create(&options, &context) == WARPAES_OK, "a context");
    for (warpaes_mode mode = 1;; mode++) {
      warpaes_mode_info info = {};
      info.size = sizeof info;
      if (warpaes_mode_get(mode, &info) != WARPAES_OK) break;
      infos[mode] = info;
      add_ciphers(mode, info);
      for (const warpaes_direction direction : {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT}) {
        if (comes_in_parts(mode, direction)) rows.push_back({mode, direction});
      }
    }
    require(rows.size() >= 30, "most modes come in parts");
  }
  ~Ciphers() {
    for (const auto& [mode, ciphers] : of) {
      for (warpaes_cipher* each : ciphers) warpaes_cipher_destroy(each);
    }
    warpaes_context_destroy(context);
  }
  Ciphers(const Ciphers&) = delete;
  Ciphers& operator=(const Ciphers&) = delete;

 private:
  void add_ciphers(warpaes_mode mode, const warpaes_mode_info& info) {
    for (size_t length = 16; length <= 64; length += 8) {
      if ((info.key_lengths >> length / 8 & 1) == 0) continue;
      Bytes key(length, 1);
      std::fill(key.begin() + static_cast<ptrdiff_t>(length / 2), key.end(), uint8_t{2});
      warpaes_cipher* made = nullptr;
      require(warpaes_cipher_create(context, mode, key.data(), length, &made) == WARPAES_OK, "a cipher");
      of[mode].push_back(made);
    }
  }
  bool comes_in_parts(warpaes_mode mode, warpaes_direction direction) {
    warpaes_message message = {};
    const Bytes nonce(16, 1);
    message.size = sizeof message;
    message.nonce_length = infos[mode].recommended_nonce;
    message.nonce = message.nonce_length == 0 ? nullptr : nonce.data();
    message.data_unit = mode == WARPAES_MODE_XTS ? 512 : 0;
    warpaes_operation* operation = nullptr;
    const warpaes_status status = warpaes_operation_create(of[mode].front(), direction, &message, &operation);
    warpaes_operation_destroy(operation);
    require(status == WARPAES_OK ||
                ((status == WARPAES_ERROR_MODE || status == WARPAES_ERROR_OPTION) && operation == nullptr),
            "an operation, or the reason why there is none");
    return status == WARPAES_OK;
  }
};

struct Message {
  Row row;
  const warpaes_mode_info* info;
  const warpaes_cipher* cipher;
  warpaes_message options;  // nonce, additional data, tag_length, data_unit
  Bytes nonce, aad, input;

  bool encrypts() const { return row.direction == WARPAES_DIRECTION_ENCRYPT; }
};

/// One call with the whole message. Behind the output there is the tag, as an operation's end has it.
warpaes_status whole(const Message& message, Bytes& output) {
  warpaes_message call = message.options;
  uint64_t room = 0, written = 0;
  const uint64_t length = message.input.size();
  if (warpaes_output_size(message.row.mode, message.row.direction, length, &room) != WARPAES_OK) {
    room = length;  // no message at all; the call says so
  }
  if (message.info->has_output == 0) room = 0;
  output.assign(room + call.tag_length, 0);
  call.input = message.input.data();
  call.length = length;
  if (message.info->has_output != 0) {
    call.output = output.data();
    call.output_capacity = room;
    call.output_length = &written;
  }
  if (call.tag_length != 0) call.tag = output.data() + room;
  const warpaes_status status =
      (message.encrypts() ? warpaes_encrypt : warpaes_decrypt)(message.cipher, &call);
  if (call.tag_length == 0) output.resize(written);
  return status;
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
  require(warpaes_operation_size(operation, part, &ready, nullptr) == WARPAES_OK && ready <= part + 4096,
          "it says how much it will write");
  const bool writes = message.info->has_output != 0;
  Bytes memory(std::max<size_t>(part, ready) + part + 1);
  for (size_t i = 0; i < part; i++) memory[i] = static_cast<uint8_t>(first + 7 * i);
  message.input.insert(message.input.end(), memory.begin(), memory.begin() + static_cast<ptrdiff_t>(part));
  const bool in_place = how % 2 == 0, refused = how % 64 == 63 && ready != 0;
  uint8_t* const to = writes ? memory.data() + (in_place ? 0 : part) : nullptr;
  const warpaes_status status =
      warpaes_operation_update(operation, memory.data(), part, to, refused ? ready - 1 : ready, &written);
  if (refused) {
    require(status == WARPAES_ERROR_BUFFER_SIZE && written == 0, "too little room is refused");
    return false;
  }
  require(status == WARPAES_OK && written == ready, "it writes what it said");
  if (writes) output.insert(output.end(), to, to + written);
  return true;
}

/// Whatever there is besides the message itself, by choices.
Message message_by(const Ciphers& ciphers, Choices& choices) {
  Message message = {};
  const unsigned size = choices.below(kKeySizes);
  message.row = ciphers.rows[choices.below(static_cast<unsigned>(ciphers.rows.size()))];
  message.info = &ciphers.infos.at(message.row.mode);
  const std::vector<warpaes_cipher*>& of_each_length = ciphers.of.at(message.row.mode);
  message.cipher = of_each_length[size % of_each_length.size()];

  const uint64_t shortest = message.info->shortest_nonce, longest = message.info->longest_nonce;
  message.nonce.resize(shortest + choices.byte() % (std::min<uint64_t>(longest - shortest, 255) + 1));
  message.aad.resize(message.info->longest_aad == 0 ? 0 : choices.byte());
  for (uint8_t& each : message.nonce) each = choices.byte();
  for (size_t i = 0; i < message.aad.size(); i++) message.aad[i] = static_cast<uint8_t>(i * 5 + 3);

  message.options.size = sizeof message.options;
  if (message.row.mode == WARPAES_MODE_XTS) message.options.data_unit = 16 + choices.below(600);
  const uint32_t tags = message.info->tag_lengths;
  if (tags != 0) {
    size_t tag_length = choices.byte() % 32;
    while ((tags >> tag_length & 1) == 0) tag_length = (tag_length + 1) % 32;
    message.options.tag_length = tag_length;
  }
  return message;
}

/// The rest that an operation writes, against the whole message's.
void finish(warpaes_operation* operation, const Message& message, Bytes output) {
  uint64_t most = 0, written = 0;
  require(warpaes_operation_size(operation, 0, nullptr, &most) == WARPAES_OK, "it says how much is left");
  Bytes rest(most), expected;
  const warpaes_status status = warpaes_operation_finish(operation, rest.data(), rest.size(), &written);
  output.insert(output.end(), rest.begin(), rest.begin() + static_cast<ptrdiff_t>(written));
  require(status == whole(message, expected), "parts and the whole have the same status");
  require(status != WARPAES_OK || output == expected, "parts give what the whole gives");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const Ciphers ciphers;
  Choices choices(data, bytes);
  Message message = message_by(ciphers, choices);
  message.options.nonce = message.nonce.empty() ? nullptr : message.nonce.data();
  message.options.nonce_length = message.nonce.size();
  message.options.aad = message.aad.empty() ? nullptr : message.aad.data();
  message.options.aad_length = message.aad.size();

  warpaes_operation* operation = nullptr;
  const warpaes_status status =
      warpaes_operation_create(message.cipher, message.row.direction, &message.options, &operation);
  require(status == WARPAES_OK, warpaes_last_error());
  Bytes output;
  bool alive = true;
  while (alive && !choices.empty()) alive = update(operation, choices, message, output);
  if (alive) finish(operation, message, output);
  require_over(operation);
  warpaes_operation_destroy(operation);
  return 0;
}
