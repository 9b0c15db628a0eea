// Mistakes that the C++ wrapper must not let a compiler accept. Each test of CMakeLists.txt asks for one of
// them by its macro, and looks for the compiler's message; without any, the file has to compile.
#include <vector>

#include "warpaes/warpaes.hpp"

#ifndef OLD_STANDARD

using Bytes = std::vector<unsigned char>;

void use(warpaes::Cipher& cipher, warpaes::Operation& operation, const Bytes& input, Bytes& output) {
  const Bytes nonce(12), tag(16);
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
#elif defined(DIRECTION_FOR_MODE)
  cipher = warpaes::Cipher(warpaes::Context(), warpaes::Direction::encrypt, input);
#endif
}

#endif
