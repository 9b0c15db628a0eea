#include "batch_image.hpp"

#include <algorithm>
#include <cstring>

namespace warpaes::core::testing {
namespace {

bool is_left_alone(Wrong wrong) { return wrong > Wrong::kDamaged; }

warpaes_status status_of(Wrong wrong, const Exchange& exchange) {
  switch (wrong) {
    case Wrong::kNothing:
    case Wrong::kDamaged:
      return exchange.status;
    case Wrong::kEqualKeys:
      return WARPAES_ERROR_XTS_KEYS;
    case Wrong::kTooLong:
      return WARPAES_ERROR_LENGTH;
    case Wrong::kOverlap:
      return WARPAES_ERROR_OVERLAP;
    default:
      return WARPAES_ERROR_NULL_POINTER;
  }
}

template <class Length>
size_t most(const std::vector<Exchange>& exchanges, const Length& length_of) {
  size_t found = 0;
  for (const Exchange& each : exchanges) found = std::max(found, length_of(each));
  return found;
}

/// How a layout's messages differ in length: a seventh of the whole, two sevenths and so on, a byte apart.
size_t length_of(const BatchShape& shape, size_t message, size_t whole) {
  if (shape.layout != Layout::kPointers) return whole;
  return std::max<size_t>(whole * (message % 7 + 1) / 7, 2) - message % 3;
}

}  // namespace

const char* name_of(Layout layout) {
  constexpr const char* kNames[] = {"rows", "rows that share additional data and key", "frames", "pointers"};
  return kNames[static_cast<size_t>(layout)];
}

std::vector<ModeMessage> messages_for(const ListedMode& row, const BatchShape& shape, size_t count,
                                      const MessageShape& like) {
  std::vector<ModeMessage> messages;
  for (size_t m = 0; m < count; m++) {
    MessageShape its = like;
    its.seed = like.seed + m;
    its.length = length_of(shape, m, like.length);
    if (shape.layout == Layout::kFrames) its.aad_strings = 1;  // all at one stride
    if (shape.layout == Layout::kPointers) its.aad_length = m % (like.aad_length + 1);
    messages.push_back(message_of(row, its));
    ModeMessage& made = messages.back();
    if (!shape.key_each || shape.layout == Layout::kShared) made.key = messages.front().key;
    if (shape.layout == Layout::kShared && !made.aad.empty()) {
      made.aad.assign(made.aad.size(), messages.front().aad.front());
    }
    seal_by_openssl(made);
  }
  return messages;
}

BatchImage::BatchImage(const std::vector<ModeMessage>& messages, warpaes_direction direction,
                       const BatchShape& shape, const std::vector<Wrong>& wrong)
    : messages_(&messages),
      direction_(direction),
      shape_(shape),
      wrong_(wrong),
      strings_(messages.front().aad.size()),
      has_output_(messages.front().row->info.has_output != 0),
      has_output_lengths_(has_output_ && (!shape.on_device || messages.front().row->changes_length())) {
  const bool judges = direction == WARPAES_DIRECTION_DECRYPT && messages.front().row->can_refuse();
  const bool may_have_equal_keys = messages.front().row->mode == WARPAES_MODE_XTS && shape.key_each;
  has_statuses_ = judges || may_have_equal_keys || has_pointers() || shape.layout == Layout::kFrames;
  wrong_.resize(count());
  for (size_t m = 0; m < count(); m++) {
    exchanges_.push_back(wrong_[m] == Wrong::kDamaged ? refused_exchange_of(messages[m])
                                                      : exchange_of(messages[m], direction));
  }
  inputs_.length = most(exchanges_, [](const Exchange& each) { return each.input.size(); });
  outputs_.length = most(exchanges_, [](const Exchange& each) { return each.output.size(); });
  for (const ModeMessage& message : messages) {
    for (const Bytes& string : message.aad) aads_.length = std::max(aads_.length, string.size());
  }
  shape.layout == Layout::kFrames ? lay_in_frames() : lay_in_rows();
  take_arrays();
}

BatchImage::Column BatchImage::lay_row(size_t length, size_t count) {
  // Odd strides leave gaps and reach every alignment.
  const size_t stride = length + 3 + shape_.gap * (rows_++ % 3) / 2;
  Column made = {length, {}, 0};
  const size_t first = memory_.take(count * stride, 1);
  for (size_t i = 0; i < count; i++) made.offsets.push_back(first + i * stride);
  if (has_pointers()) std::reverse(made.offsets.begin(), made.offsets.end());
  return made;
}

void BatchImage::lay_in_rows() {
  const ModeMessage& first = messages_->front();
  const size_t read = inputs_.length, written = outputs_.length;
  inputs_ = lay_row(shape_.in_place ? std::max(read, written) : read, count());
  inputs_.length = read;
  if (has_output_) {
    outputs_ = shape_.in_place ? inputs_ : lay_row(written, count());
    outputs_.length = written;
  }
  if (!first.nonce.empty()) nonces_ = lay_row(first.nonce.size(), count());
  if (first.tag_length != 0) tags_ = lay_row(first.tag_length, count());
  if (shape_.key_each) keys_ = lay_row(first.key.size(), count());
  if (strings_ != 0) aads_ = lay_row(aads_.length, count() * strings_);
  if (shape_.layout != Layout::kShared) return;
  for (Column* each : {&keys_, &aads_}) {
    if (!each->offsets.empty()) each->offsets.assign(each->offsets.size(), each->offsets.front());
  }
}

/// A frame is nonce, additional data, ciphertext and tag; plaintext stands apart unless the call is in place.
void BatchImage::lay_in_frames() {
  const ModeMessage& first = messages_->front();
  const bool encrypts = direction_ == WARPAES_DIRECTION_ENCRYPT || !has_output_;
  const size_t read = inputs_.length, written = outputs_.length;
  const size_t text = shape_.in_place ? std::max(read, written) : encrypts && has_output_ ? written : read;
  const size_t aad = first.nonce.size(), ciphertext = aad + strings_ * aads_.length, tag = ciphertext + text,
               frame = tag + first.tag_length + 1 + shape_.gap;
  const size_t start = memory_.take(count() * frame);
  const auto column = [&](size_t length, size_t at) {
    Column made = {length, {}, 0};
    for (size_t m = 0; m < count(); m++) made.offsets.push_back(start + m * frame + at);
    return made;
  };
  if (!first.nonce.empty()) nonces_ = column(first.nonce.size(), 0);
  if (strings_ != 0) aads_ = column(aads_.length, aad);
  if (first.tag_length != 0) tags_ = column(first.tag_length, tag);
  const bool reads_frame = shape_.in_place || !encrypts || !has_output_;
  inputs_ = reads_frame ? column(read, ciphertext) : lay_row(read, count());
  if (has_output_) {
    outputs_ = shape_.in_place || encrypts ? column(written, ciphertext) : lay_row(written, count());
  }
  if (shape_.key_each) keys_ = lay_row(first.key.size(), count());
}

void BatchImage::take_arrays() {
  if (has_statuses_) statuses_ = memory_.take(count() * sizeof(int32_t));
  if (has_output_lengths_) output_lengths_ = memory_.take(count() * sizeof(uint64_t));
  if (!has_pointers()) return;
  lengths_ = memory_.take(count() * sizeof(uint64_t));
  if (strings_ != 0) aad_lengths_ = memory_.take(count() * strings_ * sizeof(uint64_t));
  for (Column* each : {&inputs_, &outputs_, &nonces_, &aads_, &tags_, &keys_}) {
    each->array = memory_.take(each->offsets.size() * sizeof(void*));
  }
}

warpaes_source BatchImage::source(uint8_t* base, const Column& column) {
  if (column.offsets.empty()) return {};
  if (!has_pointers()) {
    const size_t stride = column.offsets.size() > 1 ? column.offsets[1] - column.offsets[0] : column.length;
    return {base + column.offsets[0], stride, nullptr};
  }
  for (size_t i = 0; i < column.offsets.size(); i++) {
    put_length(before_, column.array + i * sizeof(void*),
               reinterpret_cast<uintptr_t>(base + column.offsets[i]));
  }
  return {nullptr, 0, reinterpret_cast<const void* const*>(base + column.array)};
}

warpaes_target BatchImage::target(uint8_t* base, const Column& column) {
  const warpaes_source made = source(base, column);
  return {const_cast<void*>(made.data), made.stride, const_cast<void* const*>(made.pointers)};
}

warpaes_batch BatchImage::place_at(uint8_t* base) {
  const ModeMessage& first = messages_->front();
  before_ = memory_.bytes();
  put_contents();
  warpaes_batch batch = {};
  batch.size = sizeof batch;
  batch.count = count();
  batch.length = inputs_.length;
  batch.input = source(base, inputs_);
  batch.output = target(base, outputs_);
  // With arrays the room is said, without them it is what the length needs.
  if (has_pointers() && has_output_) batch.output_capacity = outputs_.length;
  batch.nonces = source(base, nonces_);
  batch.nonce_length = first.nonce.size();
  batch.aad = source(base, aads_);
  batch.aad_length = strings_ != 0 ? aads_.length : 0;
  batch.aad_strings = strings_ > 1 ? strings_ : 0;
  batch.tags = target(base, tags_);
  batch.tag_length = first.tag_length;
  batch.keys = source(base, keys_);
  batch.key_length = keys_.length;
  if (has_statuses_) batch.statuses = reinterpret_cast<int32_t*>(base + statuses_);
  if (has_output_lengths_) batch.output_lengths = reinterpret_cast<uint64_t*>(base + output_lengths_);
  if (has_pointers()) {
    put_lengths(base, batch);
    put_wrong_entries(base);
  }
  return batch;
}

void BatchImage::put_lengths(uint8_t* base, warpaes_batch& batch) {
  for (size_t m = 0; m < count(); m++) {
    put_length(before_, lengths_ + m * sizeof(uint64_t), exchanges_[m].input.size());
    for (size_t s = 0; s < strings_; s++) {
      put_length(before_, aad_lengths_ + (m * strings_ + s) * sizeof(uint64_t),
                 (*messages_)[m].aad[s].size());
    }
  }
  batch.lengths = reinterpret_cast<const uint64_t*>(base + lengths_);
  if (strings_ != 0) batch.aad_lengths = reinterpret_cast<const uint64_t*>(base + aad_lengths_);
}

const BatchImage::Column& BatchImage::column_of(Wrong wrong) const {
  switch (wrong) {
    case Wrong::kNullOutput:
    case Wrong::kOverlap:
      return outputs_;
    case Wrong::kNullNonce:
      return nonces_;
    case Wrong::kNullAad:
      return aads_;
    case Wrong::kNullTag:
      return tags_;
    case Wrong::kNullKey:
      return keys_;
    default:
      return inputs_;
  }
}

bool BatchImage::can_be(Wrong wrong, size_t message) const {
  const ModeMessage& m = (*messages_)[message];
  switch (wrong) {
    case Wrong::kNothing:
      return true;
    case Wrong::kDamaged:
      return direction_ == WARPAES_DIRECTION_DECRYPT && m.row->can_refuse();
    case Wrong::kEqualKeys:
      return m.row->mode == WARPAES_MODE_XTS && shape_.key_each && shape_.layout != Layout::kShared;
    case Wrong::kNullInput:
      return has_pointers() && !exchanges_[message].input.empty();
    case Wrong::kNullOutput:
      return has_pointers() && !exchanges_[message].output.empty();
    case Wrong::kNullAad:
      return has_pointers() && strings_ == 1 && !m.aad.front().empty();
    case Wrong::kOverlap:
      return has_pointers() && has_output_ && !shape_.in_place && exchanges_[message].input.size() > 1;
    default:
      return has_pointers() && !column_of(wrong).offsets.empty();
  }
}

std::vector<Wrong> BatchImage::what_can_be_wrong(size_t from) const {
  constexpr size_t kKinds = static_cast<size_t>(Wrong::kOverlap);
  std::vector<Wrong> found(count());
  for (size_t m = 0; m < count(); m += 2) {
    const auto wrong = static_cast<Wrong>((m / 2 + from) % kKinds + 1);
    if (can_be(wrong, m)) found[m] = wrong;
  }
  return found;
}

void BatchImage::put_wrong_entries(uint8_t* base) {
  for (size_t m = 0; m < count(); m++) {
    const size_t at = m * sizeof(uint64_t);
    const Wrong wrong = wrong_[m];
    if (!is_left_alone(wrong) || wrong == Wrong::kEqualKeys) continue;
    if (wrong == Wrong::kTooLong) {
      put_length(before_, lengths_ + at, inputs_.length + 16);
    } else {
      const auto behind_input = reinterpret_cast<uintptr_t>(base + inputs_.offsets[m]) + 1;
      put_length(before_, column_of(wrong).array + at, wrong == Wrong::kOverlap ? behind_input : 0);
    }
  }
}

void BatchImage::put_contents() {
  for (size_t m = 0; m < count(); m++) {
    const ModeMessage& message = (*messages_)[m];
    put(before_, inputs_.offsets[m], exchanges_[m].input);
    if (!nonces_.offsets.empty()) put(before_, nonces_.offsets[m], message.nonce);
    if (!tags_.offsets.empty()) put(before_, tags_.offsets[m], exchanges_[m].tag);
    if (!keys_.offsets.empty()) {
      const bool equal = wrong_[m] == Wrong::kEqualKeys;
      put(before_, keys_.offsets[m], equal ? Bytes(message.key.size(), 1) : message.key);
    }
    for (size_t s = 0; s < strings_; s++) put(before_, aads_.offsets[m * strings_ + s], message.aad[s]);
  }
}

Bytes BatchImage::after() const {
  Bytes image = before_;
  for (size_t m = 0; m < count(); m++) {
    const Exchange& each = exchanges_[m];
    const bool is_done = !is_left_alone(wrong_[m]);
    if (is_done && has_output_) put(image, outputs_.offsets[m], each.output);
    if (is_done && !tags_.offsets.empty()) put(image, tags_.offsets[m], each.tag_after);
    if (has_output_lengths_) {
      put_length(image, output_lengths_ + m * sizeof(uint64_t), is_done ? each.output_length : 0);
    }
    if (has_statuses_) put_status(image, statuses_ + m * sizeof(int32_t), status_of(wrong_[m], each));
  }
  return image;
}

warpaes_status BatchImage::status() const {
  const bool all_are_right =
      std::all_of(wrong_.begin(), wrong_.end(), [](Wrong each) { return each == Wrong::kNothing; });
  return all_are_right ? WARPAES_OK : WARPAES_ERROR_BATCH;
}

}  // namespace warpaes::core::testing
