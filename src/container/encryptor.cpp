#include "container/encryptor.hpp"

#include <algorithm>

namespace warpaes::core::cobblestone {

Encryptor::Encryptor(Context& context, const InputKey& input_key, ByteSink& to,
                     std::optional<uint64_t> expected_chunks)
    : file_key_(context, input_key, random_salt()), cipher_(file_key_, expected_chunks), to_(to) {
  to_.write(file_key_.salt());
  to_.write(file_key_.commitment());
}

void Encryptor::write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::span<uint8_t> room = cipher_.plaintext().subspan(held_);
    const size_t taken = std::min(room.size(), bytes.size());
    std::ranges::copy(bytes.first(taken), room.begin());
    held_ += taken;
    bytes = bytes.subspan(taken);
    if (held_ == cipher_.plaintext().size()) seal(/*last=*/false);
  }
}

void Encryptor::finish() { seal(/*last=*/true); }

void Encryptor::seal(bool last) {
  to_.write(cipher_.sealed().first(cipher_.seal(chunk_, held_, last)));
  chunk_ += held_ / kChunkBytes;
  held_ = 0;
}

}  // namespace warpaes::core::cobblestone
