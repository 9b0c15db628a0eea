#pragma once

#include "raw_job.hpp"

namespace warpaes::cli {

/// To be thrown where a message's tag is wrong.
Error error_of_wrong_tag(const RawMode& mode);
void require_genuine(const RawMode& mode, const Verdict& verdict);

/// A sealed message: what stands before and behind the ciphertext is its nonce, its tag, or nothing.
struct Sealed {
  std::span<const uint8_t> before;
  std::span<uint8_t> text;
  std::span<const uint8_t> behind;
};

/// Seals a message that is in memory, in place.
/// @return bytes of plaintext
uint64_t seal_message(const RawJob& job, const warpaes::Cipher& cipher, std::span<uint8_t> text,
                      ByteSink& to);

/// Opens one in place. If the tag is wrong, the text is zero, and nothing has been written.
/// @return bytes of plaintext
uint64_t open_message(const RawJob& job, const warpaes::Cipher& cipher, const Sealed& sealed, ByteSink& to);

/// For the modes that give nothing before they have seen all of the message, or cannot.
/// @param key the cipher's
/// @return bytes of plaintext
uint64_t run_whole(const RawJob& job, const warpaes::Context& context, const warpaes::Cipher& cipher,
                   std::span<const uint8_t> key, InputFile& from, ByteSink& to, const Progress& progress);

}  // namespace warpaes::cli
