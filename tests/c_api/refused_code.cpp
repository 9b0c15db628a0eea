// Mistakes that the C++ wrapper must not let a compiler accept. Each test of CMakeLists.txt asks for one of
// them by its macro, and looks for the compiler's message; without any, the file has to compile.
#include <vector>

#include "warpaes/warpaes.hpp"

#ifndef OLD_STANDARD

using Bytes = std::vector<unsigned char>;

// Lengths are added: those of both headers of a file with a passphrase.
static_assert(WARPAES_PASSPHRASE_HEADER_LENGTH + WARPAES_CONTAINER_HEADER_LENGTH == 104);

void use(warpaes::Cipher& cipher, warpaes::Operation& operation, const warpaes::Container& container,
         const Bytes& input, Bytes& output) {
  const Bytes nonce(12), tag(16);
  (void)container.read(172, [](uint64_t, warpaes::Output) {}, 0, output);
  if (!cipher.decrypt({.input = input, .output = output, .nonce = nonce, .tag = tag})) return;
  if (!operation.finish(output)) return;
#if defined(VERDICT_IGNORED)
  cipher.decrypt({.input = input, .output = output, .nonce = nonce, .tag = tag});
#elif defined(FINISH_IGNORED)
  operation.finish(output);
#elif defined(OUTPUT_IN_A_TEMPORARY)
  cipher.encrypt({.input = input, .output = Bytes(100), .nonce = nonce});
#elif defined(OUTPUT_IN_CONSTANT_MEMORY)
  cipher.encrypt({.input = input, .output = output, .nonce = nonce, .tag = tag});
#elif defined(TAG_OF_A_LITERAL)
  (void)cipher.decrypt({.input = input, .output = output, .nonce = nonce, .tag = "0123456789abcdef"});
#elif defined(READ_WITH_A_RESULT)
  (void)container.read(172, [](uint64_t, warpaes::Output) { return -1; }, 0, output);
#elif defined(DIRECTION_FOR_MODE)
  cipher = warpaes::Cipher(warpaes::Context(), warpaes::Direction::encrypt, input);
#endif
}

#endif
