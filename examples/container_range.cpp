// A range of a file that `warpaes encrypt` made, without decrypting the rest:
//   container_range KEY FILE.wa OFFSET LENGTH > PLAINTEXT
// KEY is a file of the key's 32 bytes, as `warpaes keygen --raw -o KEY` makes one.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "warpaes/warpaes.hpp"

int main(int count, char** arguments) try {
  if (count != 5) throw std::runtime_error("usage: container_range KEY FILE.wa OFFSET LENGTH");
  std::ifstream key_file(arguments[1], std::ios::binary),
      file(arguments[2], std::ios::binary | std::ios::ate);
  const std::vector<char> key(std::istreambuf_iterator<char>(key_file), {});
  const auto file_length = static_cast<uint64_t>(file.tellg());
  if (!key_file || !file) throw std::runtime_error("a file cannot be opened");
  file.exceptions(std::ios::failbit | std::ios::badbit);
  const auto read_at = [&file](uint64_t offset, warpaes::Output into) {
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(static_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
  };

  warpaes::ContainerHeader header;
  read_at(0, header);
  const auto container = warpaes::Container::open(warpaes::Context(), key, header);
  if (!container) throw std::runtime_error("wrong key");
  std::vector<char> plaintext(std::stoul(arguments[4]));
  const uint64_t got = container->read(file_length, read_at, std::stoull(arguments[3]), plaintext);
  const bool written = std::fwrite(plaintext.data(), 1, got, stdout) == got && std::fflush(stdout) == 0;
  if (!written) throw std::runtime_error("cannot write");
} catch (const std::exception& error) {
  std::fprintf(stderr, "container_range: %s\n", error.what());
  return 1;
}
