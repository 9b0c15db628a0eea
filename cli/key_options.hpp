// Where the key comes from: a file, a file descriptor or the environment; never the command line, which
// every user of the machine can read.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace warpaes::cli {

/// 16 or 32 bytes of key; wiped when it goes.
class SecretKey {
 public:
  SecretKey() = default;
  ~SecretKey();
  SecretKey(SecretKey&& other) noexcept;
  SecretKey& operator=(SecretKey&&) = delete;

  std::span<const uint8_t> bytes() const { return {bytes_.data(), size_}; }

 private:
  friend SecretKey parse_key(std::span<const char> text, const std::string& name);
  std::array<uint8_t, 32> bytes_ = {};
  size_t size_ = 0;
};

/// 64 or 32 hexadecimal digits and perhaps a line end, or else 32 or 16 raw bytes. The forms cannot be
/// confused: that 32 random bytes are all hexadecimal digits has a chance of (22/256)^32 < 10^-34.
SecretKey parse_key(std::span<const char> text, const std::string& name);

class KeyOptions {
 public:
  void add_to(CLI::App& command);

  /// Was any source of a key named?
  bool given() const;
  /// Throws if there is none, or more than one, or it holds no key.
  SecretKey read() const;

 private:
  std::string file_;
  int descriptor_ = -1;
  bool insecure_ = false;
};

}  // namespace warpaes::cli
