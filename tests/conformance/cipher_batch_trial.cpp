#include "cipher_batch_trial.hpp"

#include <algorithm>
#include <cstring>

#include "cipher_modes.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr uint8_t kUntouched = 0xa5;
constexpr size_t kBetween = 48, kBetweenKeys = 3;

/// All fields of a call in one piece of memory, with bytes between them that must stay.
class Image {
 public:
  /// @return where the field begins
  size_t add(const Bytes& field, size_t offset, size_t align = 16) {
    const size_t at = (bytes_.size() + kBetween + align - 1) / align * align + offset;
    bytes_.resize(at, kUntouched);
    bytes_.insert(bytes_.end(), field.begin(), field.end());
    return at;
  }
  size_t add(size_t bytes, size_t offset) { return add(Bytes(bytes, kUntouched), offset); }
  template <class T>
  size_t add_words(const std::vector<T>& words) {
    Bytes field(words.size() * sizeof(T));
    if (!field.empty()) std::memcpy(field.data(), words.data(), field.size());
    return add(field, 0);
  }
  void put(size_t at, const Bytes& field) {
    std::copy(field.begin(), field.end(), bytes_.begin() + static_cast<ptrdiff_t>(at));
  }
  void end() { bytes_.resize(bytes_.size() + kBetween, kUntouched); }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

/// Where the fields of a call lie.
struct Places {
  std::vector<size_t> inputs, outputs;  // of each message
  std::vector<size_t> ivs, keys, tags;  // of each message
  size_t statuses = 0, input_list = 0, output_list = 0, lengths = 0, output_lengths = 0, iv_list = 0,
         key_list = 0, tag_list = 0;
  uint64_t stride = 0, longest = 0;
};

class Call {
 public:
  Call(const Engine& engine, int device, const CipherExamples& examples)
      : engine_(engine), examples_(examples), stream_(engine, device), memory_(engine, device, stream_) {
    place_messages();
    place_small_things();
    image_.end();
    memory_.resize(image_.bytes().size() + sizeof(void*) * 2 * count());
    write_pointers();
    memory_.write(0, image_.bytes());
  }

  std::string run(int device) {
    if (examples_.key.empty()) {
      KeyArray keys{memory_.data() + first(places_.keys), key_stride(), key_bytes()};
      if (examples_.listed) {
        keys.keys = nullptr;
        keys.key_pointers = reinterpret_cast<const uint8_t* const*>(memory_.data() + places_.key_list);
      }
      run_batch_key_each(engine_, device, keys, batch(), stream_.get());
    } else if (is_xts(examples_.mode)) {
      const size_t half = examples_.key.size() / 2;
      const KeySchedule data({examples_.key.data(), half}), tweak({examples_.key.data() + half, half});
      const auto data_key = engine_.prepare(data, device), tweak_key = engine_.prepare(tweak, device);
      run_batch(engine_, {*data_key, data.key_bits(), tweak_key.get()}, batch(), nullptr, 0, stream_.get());
      stream_.wait();
    } else {
      const KeySchedule schedule(examples_.key);
      const auto key = engine_.prepare(schedule, device);
      run_batch(engine_, {*key, schedule.key_bits()}, batch(), nullptr, 0, stream_.get());
    }
    stream_.wait();
    const Bytes found = memory_.read(0, image_.bytes().size());
    Image expected = image_;
    for (size_t m = 0; m < count(); m++) put_answer(expected, m);
    if (found == expected.bytes()) return "";
    const auto at = std::mismatch(found.begin(), found.end(), expected.bytes().begin()).first;
    return place_of(static_cast<size_t>(at - found.begin()));
  }

 private:
  void put_answer(Image& expected, size_t m) const {
    const CipherExample& message = examples_.messages[m];
    const auto put = [&](size_t list, auto value) {
      Bytes field(sizeof value);
      std::memcpy(field.data(), &value, sizeof value);
      expected.put(list + sizeof value * m, field);
    };
    const bool right = message.status == WARPAES_OK;
    put(places_.statuses, message.status);
    if (changes_length(examples_.mode)) {
      put(places_.output_lengths, right ? uint64_t{message.expected.size()} : 0);
    }
    const bool of_data =
        message.status == WARPAES_ERROR_AUTHENTICATION || message.status == WARPAES_ERROR_PADDING;
    if (makes_tags(examples_.mode)) {
      if (right) expected.put(places_.tags[m], message.expected);
    } else if (right || of_data) {
      Bytes output = right ? message.expected : Bytes();
      output.resize(room(message));
      expected.put(places_.outputs[m], output);
    }
  }

  size_t room(const CipherExample& message) const {
    return makes_tags(examples_.mode) ? message.input.size()
                                      : output_bytes(examples_.mode, message.input.size());
  }
  /// With room for the output too, if that is written over it.
  Bytes input_of(const CipherExample& message) const {
    Bytes input = message.input;
    if (examples_.in_place || message.overlap != 0) {
      input.resize(std::max(input.size(), room(message)), kUntouched);
    }
    return input;
  }

  size_t count() const { return examples_.messages.size(); }
  size_t key_bytes() const { return examples_.messages.empty() ? 32 : examples_.messages[0].key.size(); }
  size_t key_stride() const { return key_bytes() + kBetweenKeys; }
  size_t tag_stride() const { return examples_.tag_bytes + examples_.gap; }

  void place_messages() {
    for (const CipherExample& message : examples_.messages) {
      if (message.status == WARPAES_ERROR_LENGTH) continue;
      places_.longest = std::max<uint64_t>(places_.longest, message.input.size());
    }
    if (!examples_.scattered) {
      place_rows();
      return;
    }
    for (const CipherExample& message : examples_.messages) {
      places_.inputs.push_back(image_.add(input_of(message), message.offset));
      const bool apart = !examples_.in_place && message.overlap == 0;
      places_.outputs.push_back(apart ? image_.add(room(message), (7 * message.offset + 3) % 16 & ~size_t{3})
                                      : places_.inputs.back() + message.overlap);
    }
  }

  void place_rows() {
    for (const CipherExample& message : examples_.messages) {
      places_.stride = std::max<uint64_t>({places_.stride, message.input.size(), room(message)});
    }
    places_.stride += examples_.gap;
    Bytes rows(places_.stride * count(), kUntouched);
    for (size_t m = 0; m < count(); m++) {
      const Bytes& input = examples_.messages[m].input;
      std::copy(input.begin(), input.end(), rows.begin() + static_cast<ptrdiff_t>(m * places_.stride));
    }
    const size_t offset = examples_.messages.empty() ? 0 : examples_.messages[0].offset;
    const size_t input = image_.add(rows, offset);
    const size_t output = examples_.in_place ? input : image_.add(rows.size(), offset);
    for (size_t m = 0; m < count(); m++) {
      places_.inputs.push_back(input + m * places_.stride);
      places_.outputs.push_back(output + m * places_.stride);
    }
  }

  void place_small_things() {
    std::vector<Bytes> ivs, keys, tags;
    for (const CipherExample& message : examples_.messages) {
      ivs.push_back(message.iv);
      keys.push_back(message.key);
      tags.push_back(examples_.mode == CipherMode::cmac_check ? message.expected
                                                              : Bytes(examples_.tag_bytes, kUntouched));
    }
    places_.ivs = place(ivs, 16, 5);
    places_.keys = place(keys, key_stride(), 1);
    places_.tags = place(tags, tag_stride(), 3);
    places_.statuses = image_.add(sizeof(int32_t) * count(), 0);
    places_.output_lengths = image_.add(changes_length(examples_.mode) ? sizeof(uint64_t) * count() : 0, 0);
    std::vector<uint64_t> lengths;
    for (const CipherExample& message : examples_.messages) lengths.push_back(message.input.size());
    places_.lengths = image_.add_words(lengths);
    places_.input_list = image_.add(sizeof(void*) * count(), 0);
    places_.output_list = image_.add(sizeof(void*) * count(), 0);
    for (size_t* place : {&places_.iv_list, &places_.tag_list, &places_.key_list}) {
      *place = image_.add(sizeof(void*) * count(), 0);
    }
  }

  /// Small fields, one for each message: a stride apart, or wherever they come to lie, the last one first.
  std::vector<size_t> place(const std::vector<Bytes>& fields, size_t stride, size_t offset) {
    std::vector<size_t> places;
    if (examples_.listed) {
      for (size_t m = fields.size(); m-- > 0;) places.push_back(image_.add(fields[m], (offset + 3 * m) % 16));
      std::reverse(places.begin(), places.end());
      return places;
    }
    Bytes row;
    for (const Bytes& field : fields) {
      row.insert(row.end(), field.begin(), field.end());
      row.resize(stride * (places.size() + 1), kUntouched);
      places.push_back(stride * places.size());
    }
    const size_t at = image_.add(row, offset);
    for (size_t& one : places) one += at;
    return places;
  }

  static size_t first(const std::vector<size_t>& places) { return places.empty() ? 0 : places[0]; }

  void write_pointers() {
    const auto list = [&](const std::vector<size_t>& places, bool CipherExample::* null) {
      std::vector<const uint8_t*> pointers;
      for (size_t m = 0; m < count(); m++) {
        pointers.push_back(examples_.messages[m].*null ? nullptr : memory_.data() + places[m]);
      }
      Bytes words(sizeof(void*) * count());
      if (!words.empty()) std::memcpy(words.data(), pointers.data(), words.size());
      return words;
    };
    if (examples_.scattered) {
      image_.put(places_.input_list, list(places_.inputs, &CipherExample::without_input));
      image_.put(places_.output_list, list(places_.outputs, &CipherExample::without_output));
    }
    if (!examples_.listed) return;
    image_.put(places_.iv_list, list(places_.ivs, &CipherExample::without_iv));
    image_.put(places_.tag_list, list(places_.tags, &CipherExample::without_tag));
    image_.put(places_.key_list, list(places_.keys, &CipherExample::without_key));
  }

  Batch batch() {
    uint8_t* const memory = memory_.data();
    const bool rows = !examples_.scattered && count() != 0, tags_only = makes_tags(examples_.mode);
    const auto [mode, direction] = mode_of(examples_.mode);
    Batch batch{
        .mode = mode,
        .direction = direction,
        .messages = count(),
        .bytes = places_.longest,
        .input = rows ? memory + places_.inputs[0] : nullptr,
        .input_stride = places_.stride,
        .output = rows && !tags_only ? memory + places_.outputs[0] : nullptr,
        .output_stride = places_.stride,
        .nonces = has_iv(examples_.mode) && !examples_.listed ? memory + first(places_.ivs) : nullptr,
        .nonce_stride = 16,
        .nonce_bytes = has_iv(examples_.mode) ? size_t{16} : 0,
        .tags = tags_only && !examples_.listed ? memory + first(places_.tags) : nullptr,
        .tag_stride = tag_stride(),
        .tag_bytes = tags_only ? examples_.tag_bytes : 0,
        .statuses = reinterpret_cast<int32_t*>(memory + places_.statuses),
    };
    if (changes_length(examples_.mode)) {
      batch.output_lengths = reinterpret_cast<uint64_t*>(memory + places_.output_lengths);
    }
    const auto list_at = [memory](auto* type, size_t at) {
      return reinterpret_cast<decltype(type)>(memory + at);
    };
    if (examples_.listed && has_iv(examples_.mode)) {
      batch.nonce_pointers = list_at(batch.nonce_pointers, places_.iv_list);
    }
    if (examples_.listed && tags_only) batch.tag_pointers = list_at(batch.tag_pointers, places_.tag_list);
    if (!examples_.scattered) return batch;
    batch.lengths = reinterpret_cast<const uint64_t*>(memory + places_.lengths);
    batch.inputs = reinterpret_cast<const uint8_t* const*>(memory + places_.input_list);
    if (!tags_only) batch.outputs = reinterpret_cast<uint8_t* const*>(memory + places_.output_list);
    return batch;
  }

  std::string place_of(size_t byte) const {
    const auto is_in = [byte](size_t at, size_t bytes) { return byte >= at && byte < at + bytes; };
    for (size_t m = 0; m < count(); m++) {
      const std::string message = "message " + std::to_string(m) + ": ";
      const size_t bytes = room(examples_.messages[m]);
      if (is_in(places_.statuses + sizeof(int32_t) * m, sizeof(int32_t))) return message + "status differs";
      if (changes_length(examples_.mode) &&
          is_in(places_.output_lengths + sizeof(uint64_t) * m, sizeof(uint64_t))) {
        return message + "output length differs";
      }
      if (is_in(places_.tags[m], examples_.tag_bytes)) return message + "tag differs";
      if (is_in(places_.outputs[m], bytes)) {
        return message + "output differs at byte " + std::to_string(byte - places_.outputs[m]) + " of " +
               std::to_string(bytes);
      }
    }
    return "byte " + std::to_string(byte) + " is written where it should not be";
  }

  const Engine& engine_;
  const CipherExamples& examples_;
  const EngineStream stream_;
  EngineBuffer memory_;
  Image image_;
  Places places_;
};

}  // namespace

std::string difference(const Engine& engine, int device, const CipherExamples& examples) {
  try {
    return Call(engine, device, examples).run(device);
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace warpaes::core::conformance
