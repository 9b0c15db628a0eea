// Encrypts a file of any length in parts: stream_file KEY INPUT OUTPUT. The output is a sealed message
// (nonce, ciphertext, tag), which Cipher::open() decrypts as a whole. KEY is a file of 16, 24 or 32 bytes, as
// `warpaes keygen --raw -o KEY` makes one.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "warpaes/warpaes.hpp"

int main(int count, char** arguments) try {
  if (count != 4) throw std::runtime_error("usage: stream_file KEY INPUT OUTPUT");
  if (std::filesystem::exists(arguments[3])) throw std::runtime_error("OUTPUT exists already");
  std::ifstream key_file(arguments[1], std::ios::binary), input(arguments[2], std::ios::binary);
  const std::vector<char> key(std::istreambuf_iterator<char>(key_file), {});
  if (!key_file || !input) throw std::runtime_error("a file cannot be opened");

  std::vector<char> nonce(12), part(1 << 20);
  warpaes::random(nonce);
  const warpaes::Cipher gcm(warpaes::Context(), warpaes::Mode::gcm, key);  // refuses a key of wrong length
  warpaes::Operation encryption(gcm, {.nonce = nonce});
  std::ofstream output(arguments[3], std::ios::binary);
  output.write(nonce.data(), 12);
  while (input) {
    input.read(part.data(), static_cast<std::streamsize>(part.size()));
    const std::span read(part.data(), static_cast<size_t>(input.gcount()));
    const uint64_t written = encryption.update(read, read);  // in place
    output.write(part.data(), static_cast<std::streamsize>(written));
  }
  if (input.bad()) throw std::runtime_error("the input cannot be read");
  output.write(part.data(), static_cast<std::streamsize>(encryption.finish(part).length()));
  output.close();
  if (!output) throw std::runtime_error("the output cannot be written");
} catch (const std::exception& error) {
  std::fprintf(stderr, "stream_file: %s\n", error.what());
  return 1;
}
