#include "message_batches_trial.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "engines/engine_buffer.hpp"
#include "engines/openssl/openssl_engine.hpp"
#include "evp_reference.hpp"
#include "modes/batch.hpp"
#include "modes/mode_table.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr uint8_t kGuard = 0xa5;
constexpr size_t kGuardBytes = 48;

/// All memory of a call in one buffer, so that whatever is written anywhere else is seen.
class Arena {
 public:
  /// @return where `bytes` bytes lie, guarded on both sides
  size_t place(size_t bytes, size_t misalignment) {
    const size_t at = (image_.size() + kGuardBytes + 15) / 16 * 16 + misalignment;
    image_.resize(at + bytes + kGuardBytes, kGuard);
    return at;
  }
  size_t place(const Bytes& contents, size_t misalignment) {
    const size_t at = place(contents.size(), misalignment);
    set(at, contents);
    return at;
  }
  void set(size_t at, const Bytes& contents) {
    std::copy(contents.begin(), contents.end(), image_.begin() + static_cast<ptrdiff_t>(at));
  }
  void set_number(size_t at, uint64_t number) { std::memcpy(image_.data() + at, &number, sizeof number); }
  const Bytes& image() const { return image_; }

 private:
  Bytes image_;
};

/// A key made ready for an engine: of SIV, whose has two halves, the MAC's too.
struct PreparedKeys {
  std::unique_ptr<EngineKey> mac_key, key;
  int bits;

  PreparedKeys(const Engine& engine, int device, Aead mode, const Bytes& both) {
    const size_t halves = mode_row(mode).key_count, bytes = both.size() / halves;
    if (halves == 2) mac_key = engine.prepare(KeySchedule({both.data(), bytes}), device);
    const KeySchedule schedule({both.data() + both.size() - bytes, bytes});
    key = engine.prepare(schedule, device);
    bits = schedule.key_bits();
  }
};

/// Where each message's piece of a field lies.
struct Field {
  std::vector<size_t> at;
  size_t stride = 0;
};

class Trial {
 public:
  Trial(const Engine& engine, int device, Direction direction, const BatchedAead& batch)
      : engine_(engine),
        device_(device),
        direction_(direction),
        batch_(batch),
        stream_(engine, device),
        memory_(engine, device, stream_) {}

  std::string run() {
    place_fields();
    lists_ = Lists{array(), array(), array(), array(), array(), array(), array(), array()};
    memory_.resize(arena_.image().size());
    for (size_t i = 0; i < batch_.messages.size(); i++) {
      set_message(i);
      list_message(i);
    }
    memory_.write(0, arena_.image());
    work(call());
    for (size_t i = 0; i < batch_.messages.size(); i++) expect_message(i);
    return first_difference();
  }

 private:
  /// Where the batch's arrays of lengths and of pointers lie.
  struct Lists {
    size_t lengths, inputs, outputs, aads, aad_lengths, nonces, tags, keys;
  };

  void place_fields() {
    const bool scattered = batch_.form.scattered;
    input_ = pieces(batch_.most_bytes, scattered);
    output_ = batch_.form.in_place ? input_ : pieces(batch_.most_bytes, scattered);
    aad_ = pieces(batch_.most_aad_bytes, batch_.form.scattered_aad);
    nonces_ = pieces(batch_.nonce_bytes, batch_.form.listed);
    keys_ = pieces(batch_.messages[0].key.size(), batch_.form.listed);
    tags_ = pieces(batch_.tag_bytes, batch_.form.listed);
    statuses_at_ = arena_.place(batch_.messages.size() * sizeof(int32_t), 0);
  }

  /// Writes message i's lengths and pointers into the arrays, and the one that it is to have wrong.
  void list_message(size_t i) {
    const BatchedMessageExample& message = batch_.messages[i];
    const WrongEntry wrong = message.wrong;
    const auto set_address = [&](size_t list, WrongEntry kind, size_t at) {
      arena_.set_number(list + 8 * i, wrong == kind ? 0 : address(at));
    };
    arena_.set_number(lists_.lengths + 8 * i,
                      wrong == WrongEntry::length ? batch_.most_bytes + 1 : message.plaintext.size());
    arena_.set_number(lists_.aad_lengths + 8 * i,
                      wrong == WrongEntry::aad_length ? batch_.most_aad_bytes + 1 : message.aad.size());
    set_address(lists_.inputs, WrongEntry::input, input_.at[i]);
    set_address(lists_.outputs, WrongEntry::output,
                wrong == WrongEntry::overlap ? input_.at[i] + 16 : output_.at[i]);
    set_address(lists_.aads, WrongEntry::aad, aad_.at[i]);
    set_address(lists_.nonces, WrongEntry::nonce, nonces_.at[i]);
    set_address(lists_.tags, WrongEntry::tag, tags_.at[i]);
    set_address(lists_.keys, WrongEntry::key, keys_.at[i]);
  }

  Batch call() {
    Batch call{};
    call.direction = direction_;
    call.mode = batch_.mode;
    call.messages = batch_.messages.size();
    call.bytes = batch_.most_bytes;
    call.statuses = reinterpret_cast<int32_t*>(pointer(statuses_at_));
    give_data(call);
    give_nonces(call);
    give_aad(call);
    give_tags(call);
    return call;
  }

  void give_data(Batch& call) {
    call.input_stride = input_.stride;
    call.output_stride = output_.stride;
    if (batch_.form.ragged) call.lengths = reinterpret_cast<const uint64_t*>(pointer(lists_.lengths));
    if (batch_.form.scattered) {
      call.inputs = reinterpret_cast<const uint8_t* const*>(pointer(lists_.inputs));
      call.outputs = reinterpret_cast<uint8_t* const*>(pointer(lists_.outputs));
    } else {
      call.input = pointer(input_.at[0]);
      call.output = pointer(output_.at[0]);
    }
  }

  void give_nonces(Batch& call) {
    call.nonce_bytes = batch_.nonce_bytes;
    if (batch_.form.host_nonce) {
      call.host_nonce = batch_.messages[0].nonce.data();
      call.host_nonce_bytes = batch_.nonce_bytes;
    } else if (batch_.form.listed) {
      call.nonce_pointers = reinterpret_cast<const uint8_t* const*>(pointer(lists_.nonces));
    } else {
      call.nonces = pointer(nonces_.at[0]);
      call.nonce_stride = nonces_.stride;
    }
  }

  void give_aad(Batch& call) {
    call.aad_bytes = batch_.most_aad_bytes;
    call.aad_stride = aad_.stride;
    if (batch_.form.ragged_aad) {
      call.aad_lengths = reinterpret_cast<const uint64_t*>(pointer(lists_.aad_lengths));
    }
    if (batch_.form.scattered_aad) {
      call.aads = reinterpret_cast<const uint8_t* const*>(pointer(lists_.aads));
    } else {
      call.aad = pointer(aad_.at[0]);
    }
  }

  void give_tags(Batch& call) {
    call.tag_bytes = batch_.tag_bytes;
    if (batch_.form.listed) {
      call.tag_pointers = reinterpret_cast<uint8_t* const*>(pointer(lists_.tags));
    } else {
      call.tags = pointer(tags_.at[0]);
      call.tag_stride = tags_.stride;
    }
  }

  size_t array() { return arena_.place(8 * batch_.messages.size(), 0); }
  uint8_t* pointer(size_t at) { return memory_.data() + at; }
  uint64_t address(size_t at) { return reinterpret_cast<uintptr_t>(pointer(at)); }

  /// One after another with a small gap; scattered ones backwards, at other alignments.
  Field pieces(size_t bytes, bool scattered) {
    const size_t count = batch_.messages.size(), misalignment = batch_.form.misalignment;
    Field field;
    field.stride = misalignment == 0 ? (bytes + 15) / 16 * 16 : bytes + 3;
    if (!scattered) {
      const size_t first = arena_.place(count * field.stride, misalignment);
      for (size_t i = 0; i < count; i++) field.at.push_back(first + i * field.stride);
      return field;
    }
    for (size_t i = 0; i < count; i++) {
      field.at.push_back(arena_.place(bytes, misalignment == 0 ? 0 : (misalignment + 5 * i) % 16));
    }
    std::reverse(field.at.begin(), field.at.end());
    return field;
  }

  const Bytes& key_of(size_t i) const { return batch_.messages[batch_.form.key_each ? i : 0].key; }

  reference::Sealed sealed(size_t i) const {
    const BatchedMessageExample& message = batch_.messages[i];
    if (batch_.mode != WARPAES_MODE_GCM) return composed(i);
    return reference::gcm(key_of(i), message.nonce, message.aad, message.plaintext, batch_.tag_bytes);
  }

  /// By the mode's composed form, on libcrypto's block functions.
  reference::Sealed composed(size_t i) const {
    const BatchedMessageExample& message = batch_.messages[i];
    const PreparedKeys keys(openssl_evp, 0, batch_.mode, key_of(i));
    reference::Sealed seal{Bytes(message.plaintext.size()), Bytes(batch_.tag_bytes)};
    Batch call{};
    call.direction = WARPAES_DIRECTION_ENCRYPT;
    call.messages = 1;
    call.bytes = message.plaintext.size();
    call.input = message.plaintext.data();
    call.output = seal.ciphertext.data();
    call.nonces = message.nonce.data();
    call.nonce_bytes = message.nonce.size();
    call.aad = message.aad.data();
    call.aad_bytes = message.aad.size();
    call.tags = seal.tag.data();
    call.tag_bytes = seal.tag.size();
    call.mode = batch_.mode;
    run_batch(openssl_evp, {*keys.key, keys.bits, keys.mac_key.get()}, call, nullptr, 0, nullptr);
    return seal;
  }

  void set_message(size_t i) {
    const BatchedMessageExample& message = batch_.messages[i];
    arena_.set(nonces_.at[i], message.nonce);
    arena_.set(keys_.at[i], message.key);
    arena_.set(aad_.at[i], message.aad);
    if (direction_ == WARPAES_DIRECTION_ENCRYPT) {
      arena_.set(input_.at[i], message.plaintext);
      return;
    }
    reference::Sealed seal = sealed(i);
    if (message.forged) seal.tag.back() ^= 1;
    arena_.set(input_.at[i], seal.ciphertext);
    arena_.set(tags_.at[i], seal.tag);
  }

  Status expected_status(const BatchedMessageExample& message) const {
    switch (message.wrong) {
      case WrongEntry::nothing: {
        const bool forged = message.forged && direction_ == WARPAES_DIRECTION_DECRYPT;
        return forged ? WARPAES_ERROR_AUTHENTICATION : WARPAES_OK;
      }
      case WrongEntry::overlap:
        return WARPAES_ERROR_OVERLAP;
      case WrongEntry::length:
      case WrongEntry::aad_length:
        return WARPAES_ERROR_LENGTH;
      default:
        return WARPAES_ERROR_NULL_POINTER;
    }
  }

  void expect_message(size_t i) {
    const BatchedMessageExample& message = batch_.messages[i];
    const int32_t status = expected_status(message);
    Bytes bytes(sizeof status);
    std::memcpy(bytes.data(), &status, sizeof status);
    arena_.set(statuses_at_ + i * sizeof status, bytes);
    if (message.wrong != WrongEntry::nothing) return;
    if (direction_ == WARPAES_DIRECTION_ENCRYPT) {
      const reference::Sealed seal = sealed(i);
      arena_.set(output_.at[i], seal.ciphertext);
      arena_.set(tags_.at[i], seal.tag);
      return;
    }
    arena_.set(output_.at[i], message.forged ? Bytes(message.plaintext.size()) : message.plaintext);
  }

  void work(const Batch& call) {
    if (batch_.form.key_each) {
      KeyArray keys{pointer(keys_.at[0]), keys_.stride, batch_.messages[0].key.size()};
      if (batch_.form.listed) {
        keys.keys = nullptr;
        keys.key_pointers = reinterpret_cast<const uint8_t* const*>(pointer(lists_.keys));
      }
      run_batch_key_each(engine_, device_, keys, call, stream_.get());
    } else {
      const PreparedKeys prepared(engine_, device_, call.mode, batch_.messages[0].key);
      EngineBuffer workspace(engine_, device_, stream_);
      const size_t bytes = batch_workspace_bytes(engine_, call.mode, call.messages, call.bytes);
      workspace.resize(std::max<size_t>(bytes, 16));
      run_batch(engine_, {*prepared.key, prepared.bits, prepared.mac_key.get()}, call,
                bytes == 0 ? nullptr : workspace.data(), bytes, stream_.get());
    }
    stream_.wait();
  }

  std::string first_difference() {
    const Bytes found = memory_.read(0, arena_.image().size());
    if (found == arena_.image()) return "";
    const auto at = std::mismatch(found.begin(), found.end(), arena_.image().begin()).first;
    const size_t position = static_cast<size_t>(at - found.begin());
    std::string where = "outside of all messages";
    const auto name = [&](const char* field, const Field& pieces, size_t bytes) {
      for (size_t i = 0; i < pieces.at.size(); i++) {
        if (position < pieces.at[i] || position >= pieces.at[i] + bytes) continue;
        where = std::string(field) + " of message " + std::to_string(i) + " at byte " +
                std::to_string(position - pieces.at[i]);
      }
    };
    name("input", input_, batch_.most_bytes);
    name("output", output_, batch_.most_bytes);
    name("tag", tags_, batch_.tag_bytes);
    if (position >= statuses_at_ && position < statuses_at_ + 4 * batch_.messages.size()) where = "a status";
    return batch_.name + ": memory differs, " + where;
  }

  const Engine& engine_;
  const int device_;
  const Direction direction_;
  const BatchedAead& batch_;
  const EngineStream stream_;
  EngineBuffer memory_;
  Arena arena_;
  Field input_, output_, aad_, nonces_, keys_, tags_;
  size_t statuses_at_ = 0;
  Lists lists_{};
};

}  // namespace

void plant_wrong_entries(BatchedAead& batch) {
  const BatchForm& form = batch.form;
  std::vector<WrongEntry> kinds;
  if (form.ragged) kinds.push_back(WrongEntry::length);
  if (form.ragged_aad) kinds.push_back(WrongEntry::aad_length);
  if (form.scattered) kinds.insert(kinds.end(), {WrongEntry::input, WrongEntry::output});
  if (form.scattered && !form.in_place) kinds.push_back(WrongEntry::overlap);
  if (form.scattered_aad) kinds.push_back(WrongEntry::aad);
  if (form.listed && batch.nonce_bytes != 0 && !form.host_nonce) kinds.push_back(WrongEntry::nonce);
  if (form.listed) kinds.push_back(WrongEntry::tag);
  if (form.listed && form.key_each) kinds.push_back(WrongEntry::key);
  size_t next = 0;
  for (size_t i = 0; i < batch.messages.size() && !kinds.empty(); i += 3) {
    BatchedMessageExample& message = batch.messages[i];
    const WrongEntry kind = kinds[next++ % kinds.size()];
    const bool of_data =
        kind == WrongEntry::input || kind == WrongEntry::output || kind == WrongEntry::overlap;
    if (of_data && message.plaintext.size() <= 16) continue;
    if (kind == WrongEntry::aad && message.aad.empty()) continue;
    message.wrong = kind;
  }
}

std::string difference(const Engine& engine, int device, Direction direction, const BatchedAead& batch) {
  return Trial(engine, device, direction, batch).run();
}

}  // namespace warpaes::core::conformance
