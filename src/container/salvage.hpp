#pragma once

#include <vector>

#include "container/cobblestone.hpp"

namespace warpaes::core::cobblestone {

/// A run of plaintext bytes whose chunks failed authentication.
struct LostBytes {
  uint64_t offset, bytes;
};

struct Salvaged {
  uint64_t plaintext_bytes = 0;  // written, with zeros where something is lost
  std::vector<LostBytes> lost;   // in order, neighbours as one
  bool end_is_missing = false;   // the container ends without a last chunk
};

/// Decrypts all chunks that are sound, and writes zeros in the place of the others, so that what is left
/// stays where it was. Throws Rejected if the header is not that of the key, or there is none.
Salvaged salvage(Context& context, const InputKey& input_key, ByteSource& from, ByteSink& to,
                 const Progress& progress);

}  // namespace warpaes::core::cobblestone
