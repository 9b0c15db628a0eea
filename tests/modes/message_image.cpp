#include "message_image.hpp"

#include <algorithm>
#include <cstring>

namespace warpaes::core::testing {

void put(Bytes& image, size_t at, const Bytes& bytes) {
  std::copy(bytes.begin(), bytes.end(), image.begin() + static_cast<ptrdiff_t>(at));
}
void put_status(Bytes& image, size_t at, warpaes_status status) {
  std::memcpy(image.data() + at, &status, sizeof status);
}
void put_length(Bytes& image, size_t at, uint64_t length) {
  std::memcpy(image.data() + at, &length, sizeof length);
}

MessageImage::MessageImage(const ModeMessage& message, warpaes_direction direction,
                           const ImageOptions& options)
    : message_(&message),
      exchange_(exchange_of(message, direction)),
      has_output_(message.row->info.has_output != 0),
      has_length_(has_output_ && (!options.on_device || message.row->changes_length())),
      has_status_(options.on_device && direction == WARPAES_DIRECTION_DECRYPT && message.row->can_refuse()) {
  const size_t room = exchange_.output.size(), read = exchange_.input.size();
  input_ = memory_.take(options.in_place ? std::max(read, room) : read, options.misaligned);
  output_ = options.in_place ? input_ : memory_.take(room, options.misaligned);
  for (const Bytes& string : message.aad) aad_.push_back(memory_.take(string.size(), options.misaligned));
  tag_ = memory_.take(message.tag_length, options.misaligned);
  status_ = memory_.take(sizeof(int32_t));
  length_ = memory_.take(sizeof(uint64_t));
  before_ = before(exchange_);
}

Bytes MessageImage::before(const Exchange& exchange) const {
  Bytes image = memory_.bytes();
  put(image, input_, exchange.input);
  for (size_t s = 0; s < aad_.size(); s++) put(image, aad_[s], message_->aad[s]);
  put(image, tag_, exchange.tag);
  return image;
}

Bytes MessageImage::after(const Exchange& exchange) const {
  Bytes image = before(exchange);
  put(image, output_, exchange.output);
  put(image, tag_, exchange.tag_after);
  if (has_status_) put_status(image, status_, exchange.status);
  if (has_length_) put_length(image, length_, exchange.output_length);
  return image;
}

MessageCall MessageImage::arguments(uint8_t* base) const {
  MessageCall call = {};
  warpaes_message& made = call.message;
  made.size = sizeof made;
  made.input = base + input_;
  made.length = exchange_.input.size();
  if (has_output_) {
    made.output = base + output_;
    made.output_capacity = exchange_.output.size();
  }
  if (has_length_) made.output_length = reinterpret_cast<uint64_t*>(base + length_);
  if (!message_->nonce.empty()) {
    made.nonce = message_->nonce.data();
    made.nonce_length = message_->nonce.size();
  }
  if (aad_.size() == 1) {
    made.aad = base + aad_.front();
    made.aad_length = message_->aad.front().size();
  } else if (message_->row->mode == WARPAES_MODE_SIV) {
    call.strings.reserve(1);  // a list of no strings is an array that is there
    for (size_t s = 0; s < aad_.size(); s++) {
      call.strings.push_back({base + aad_[s], message_->aad[s].size()});
    }
    made.strings = call.strings.data();
    made.string_count = call.strings.size();
  }
  if (message_->tag_length != 0) {
    made.tag = base + tag_;
    made.tag_length = message_->tag_length;
  }
  made.data_unit = message_->data_unit;
  made.unused_bits = message_->unused_bits;
  if (has_status_) made.status = reinterpret_cast<int32_t*>(base + status_);
  return call;
}

}  // namespace warpaes::core::testing
