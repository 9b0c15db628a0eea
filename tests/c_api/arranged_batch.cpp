#include "arranged_batch.hpp"

#include <cstring>

namespace warpaes::core::testing {
namespace {

constexpr Arrangement kArrangements[] = {
    {"rows", Lie::row, Lie::row, Lie::row, Lie::row},
    {"rows, in place", Lie::row, Lie::row, Lie::row, Lie::row, false, true},
    {"ragged rows", Lie::row, Lie::row, Lie::row, Lie::row, true},
    {"frames", Lie::frame, Lie::frame, Lie::frame, Lie::frame},
    {"ragged frames, in place", Lie::frame, Lie::frame, Lie::frame, Lie::frame, true, true},
    {"scattered", Lie::scattered, Lie::scattered, Lie::scattered, Lie::scattered},
    {"scattered and ragged, in place", Lie::scattered, Lie::scattered, Lie::scattered, Lie::scattered, true,
     true},
    {"one nonce and one piece of additional data", Lie::row, Lie::shared, Lie::shared, Lie::row, true},
    {"scattered data, the rest in rows", Lie::scattered, Lie::row, Lie::row, Lie::row, true},
    {"nonces scattered", Lie::row, Lie::scattered, Lie::row, Lie::row},
    {"additional data scattered", Lie::row, Lie::row, Lie::scattered, Lie::row, true},
    {"tags scattered", Lie::row, Lie::row, Lie::row, Lie::scattered},
    {"nonces beside scattered tags", Lie::frame, Lie::frame, Lie::shared, Lie::scattered},
    {"tags beside the data", Lie::frame, Lie::row, Lie::row, Lie::frame, true},
};

constexpr size_t kMostAad = 40;

size_t rounded(size_t size) { return (size + 15) / 16 * 16; }

}  // namespace

std::span<const Arrangement> arrangements() { return kArrangements; }

const char* name_of(Keys keys) {
  constexpr const char* kNames[] = {"one key", "keys in a row", "keys that are one", "keys scattered"};
  return kNames[static_cast<int>(keys)];
}

ArrangedBatch::ArrangedBatch(const ModeRow& row, const Arrangement& arrangement, Keys keys, size_t count,
                             size_t length)
    : row_(row),
      keys_(keys),
      ragged_(arrangement.ragged),
      in_place_(arrangement.in_place),
      damaged_(count, false),
      left_alone_(count, WARPAES_OK) {
  most_text_ = row.some_length(length);
  for (size_t m = 0; m < count; m++) {
    Example e = row.example(ragged_ ? m * 17 % (length + 1) : length, 5 * m);
    if (keys == Keys::one || keys == Keys::shared) e.key = counting(row.longest_key(), 9);
    if (arrangement.nonces == Lie::shared) e.nonce = counting(row.recommended_nonce, 7);
    if (row.has_aad()) {
      const bool shared = arrangement.aad == Lie::shared;
      e.aad = counting(ragged_ && !shared ? m * 11 % (kMostAad + 1) : kMostAad, shared ? 0 : m);
    }
    answers_.push_back(row.answer(e));
    examples_.push_back(std::move(e));
  }
  lay_out(arrangement);
}

size_t ArrangedBatch::take(size_t size) {
  const size_t at = memory.size();
  memory.resize(at + rounded(size) + 16, kUntouched);  // a gap behind everything
  return at;
}

ArrangedBatch::Place ArrangedBatch::place(Lie lie, size_t size) {
  Place made;
  made.size = size;
  made.count = std::max<size_t>(count(), 1);
  made.stride = lie == Lie::shared ? 0 : size + (lie == Lie::scattered ? 5 : 3);
  made.base = take(lie == Lie::shared ? size : made.stride * made.count) + (lie == Lie::scattered ? 1 : 0);
  if (lie == Lie::scattered) made.pointers = take(8 * made.count);
  return made;
}

void ArrangedBatch::lay_out_frames(const std::vector<std::pair<Place*, Lie>>& places) {
  size_t frame = 0;
  for (const auto& [each, lie] : places) {
    if (lie != Lie::frame) continue;
    each->base = frame;
    frame += each->size + 2;
  }
  if (frame == 0) return;
  const size_t base = take(frame * std::max<size_t>(count(), 1));
  for (const auto& [each, lie] : places) {
    if (lie != Lie::frame) continue;
    each->base += base;
    each->stride = frame;
  }
}

void ArrangedBatch::lay_out(const Arrangement& arrangement) {
  const size_t most = std::max<size_t>(row_.grown(most_text_), most_text_);
  const Example e = row_.example(0);
  memory = Bytes(16, kUntouched);  // no place is 0
  key_.size = e.key.size();
  nonce_.size = e.nonce.size();
  aad_.size = kMostAad;
  input_.size = output_.size = most;
  tag_.size = 16;
  const std::vector<std::pair<Place*, Lie>> places = {{&nonce_, arrangement.nonces},
                                                      {&aad_, arrangement.aad},
                                                      {&input_, arrangement.data},
                                                      {&output_, arrangement.data},
                                                      {&tag_, arrangement.tags}};
  lay_out_frames(places);
  for (const auto& [each, lie] : places) {
    if (lie != Lie::frame) *each = place(lie, each->size);
  }
  if (in_place_) output_ = input_;
  if (in_place_ && input_.pointers != 0) output_.pointers = take(8 * input_.count);
  constexpr Lie kLies[] = {Lie::shared, Lie::row, Lie::shared, Lie::scattered};
  key_ = place(kLies[static_cast<int>(keys_)], key_.size);
  lengths_ = take(8 * count());
  aad_lengths_ = take(8 * count());
  statuses_ = take(4 * count());
  output_lengths_ = take(8 * count());
}

void ArrangedBatch::put(Bytes& to, size_t at, const void* bytes, size_t count) {
  if (count > 0) std::memcpy(to.data() + at, bytes, count);
}

void ArrangedBatch::begin(warpaes_direction direction) {
  direction_ = direction;
  damaged_.assign(count(), false);
  left_alone_.assign(count(), WARPAES_OK);
  memory.assign(memory.size(), kUntouched);
  for (size_t m = 0; m < count(); m++) {
    const Example& e = examples_[m];
    const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
    const Bytes& input = encrypting || !row_.has_output() ? e.text : answers_[m].output;
    const uint64_t length = input.size(), aad_length = e.aad.size();
    put(key_.at(m), e.key);
    put(nonce_.at(m), e.nonce);
    put(aad_.at(m), e.aad);
    put(input_.at(m), input);
    if (!encrypting) put(tag_.at(m), answers_[m].tag);
    put(memory, lengths_ + 8 * m, &length, 8);
    put(memory, aad_lengths_ + 8 * m, &aad_length, 8);
  }
}

void ArrangedBatch::damage(size_t m) {
  if (!row_.notices() || direction_ != WARPAES_DIRECTION_DECRYPT) return;
  damaged_[m] = true;
  if (row_.has_pkcs7()) {
    put(input_.at(m), wrongly_padded(row_, examples_[m], answers_[m].output.size()));
  } else {
    memory[row_.has_tag() ? tag_.at(m) + 7 : input_.at(m) + 7] ^= 1;
  }
}

template <class Source>
void ArrangedBatch::point(Source& source, const Place& place, uint8_t* base) {
  if (place.pointers == 0) {
    source.data = base + place.base;
    source.stride = place.stride;
    return;
  }
  for (size_t m = 0; m < count(); m++) {
    const uint8_t* const at = base + place.at(m);
    put(memory, place.pointers + 8 * m, &at, sizeof at);
  }
  source.pointers = reinterpret_cast<decltype(source.pointers)>(base + place.pointers);
}

warpaes_batch ArrangedBatch::batch(uint8_t* base) {
  auto made = sized<warpaes_batch>();
  made.count = count();
  const bool opens = direction_ == WARPAES_DIRECTION_DECRYPT && row_.has_output();
  made.length = opens ? row_.grown(most_text_) : most_text_;
  if (ragged_) made.lengths = reinterpret_cast<uint64_t*>(base + lengths_);
  point(made.input, input_, base);
  if (row_.has_output()) {
    point(made.output, output_, base);
    made.output_capacity = ragged_ ? output_.size : 0;
    made.output_lengths = reinterpret_cast<uint64_t*>(base + output_lengths_);
  }
  if (row_.has_nonce() && nonce_.size > 0) point(made.nonces, nonce_, base);
  if (row_.has_aad()) {
    point(made.aad, aad_, base);
    made.aad_length = kMostAad;
    if (ragged_) made.aad_lengths = reinterpret_cast<uint64_t*>(base + aad_lengths_);
  }
  if (row_.has_tag()) point(made.tags, tag_, base);
  if (has_own_keys()) {
    point(made.keys, key_, base);
    made.key_length = key_.size;
  }
  made.statuses = reinterpret_cast<int32_t*>(base + statuses_);
  return made;
}

bool ArrangedBatch::repeats_nonces() const {
  const bool one_key = keys_ == Keys::one || keys_ == Keys::shared;
  return row_.breaks_by_repetition() && direction_ == WARPAES_DIRECTION_ENCRYPT && one_key && count() > 1 &&
         nonce_.stride == 0 && nonce_.pointers == 0;
}

Bytes ArrangedBatch::expected() const {
  Bytes made = memory;
  if (repeats_nonces()) return made;
  for (size_t m = 0; m < count(); m++) {
    if (left_alone_[m] != WARPAES_OK) {
      const uint64_t none = 0;
      put(made, statuses_ + 4 * m, &left_alone_[m], 4);
      if (row_.has_output()) put(made, output_lengths_ + 8 * m, &none, 8);
      continue;
    }
    const bool encrypting = direction_ == WARPAES_DIRECTION_ENCRYPT, right = !damaged_[m];
    const Bytes& ciphertext = answers_[m].output;
    Bytes output = encrypting ? ciphertext : right ? examples_[m].text : Bytes();
    uint64_t length = output.size();
    if (row_.has_output()) {
      if (!encrypting) output.resize(row_.opened_length(ciphertext.size()));
      put(made, output_.at(m), output.data(), output.size());
      put(made, output_lengths_ + 8 * m, &length, 8);
    }
    if (encrypting) put(made, tag_.at(m), answers_[m].tag.data(), answers_[m].tag.size());
    const int32_t its_status = right ? WARPAES_OK : row_.noticed();
    put(made, statuses_ + 4 * m, &its_status, 4);
  }
  return made;
}

int32_t ArrangedBatch::status(size_t m) const {
  int32_t made = 0;
  std::memcpy(&made, memory.data() + statuses_ + 4 * m, 4);
  return made;
}

void ArrangedBatch::expect_right(const Bytes& expected) const {
  for (size_t m = 0; m < count(); m++) {
    const auto same = [&](size_t at, size_t size) {
      return slice(memory, at, size) == slice(expected, at, size);
    };
    ASSERT_TRUE(same(statuses_ + 4 * m, 4)) << "status " << status(m) << " of message " << m;
    ASSERT_TRUE(same(output_.at(m), output_.size)) << "output of message " << m;
    ASSERT_TRUE(same(tag_.at(m), tag_.size)) << "tag of message " << m;
    ASSERT_TRUE(same(output_lengths_ + 8 * m, 8)) << "length of message " << m;
  }
  EXPECT_TRUE(memory == expected) << "something else was written";
}

warpaes_status ArrangedBatch::expected_status() const {
  if (repeats_nonces()) return WARPAES_ERROR_STRIDE;
  for (size_t m = 0; m < count(); m++) {
    if (damaged_[m] || left_alone_[m] != WARPAES_OK) return WARPAES_ERROR_BATCH;
  }
  return WARPAES_OK;
}

void ArrangedBatch::set_entry(List list, size_t m, uint64_t value) {
  const size_t arrays[] = {lengths_,        aad_lengths_,  input_.pointers, output_.pointers,
                           nonce_.pointers, aad_.pointers, tag_.pointers,   key_.pointers};
  put(memory, arrays[static_cast<int>(list)] + 8 * m, &value, sizeof value);
}

}  // namespace warpaes::core::testing
