#include "bulk_memory.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "warpaes/memory.hpp"

namespace warpaes::bench {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPiece =
    size_t{1} << 20;  // small enough for a core's cache, and for the int in which EVP counts

using Work = std::function<void(size_t begin, size_t end)>;

/// Divides 0…bytes into one part for each CPU thread, at page boundaries.
void in_parallel(size_t bytes, const Work& work) {
  if (bytes == 0) return;  // there may be no memory at all, and memset and memcpy take no null pointers
  const size_t threads = std::max(1u, std::thread::hardware_concurrency());
  const size_t part = std::max(kPiece, (bytes / threads + kPage) / kPage * kPage);
  std::vector<std::jthread> workers;
  for (size_t begin = part; begin < bytes; begin += part) {
    workers.emplace_back(work, begin, std::min(begin + part, bytes));
  }
  work(0, std::min(part, bytes));
}

/// @return false if libcrypto failed
bool write_key_stream(uint8_t* to, size_t bytes) {
  static constexpr uint8_t zeros[kPage] = {};
  uint8_t key[32] = {};
  const uint8_t counter[16] = {};  // the counter may begin at 0, as the key is used for this stream only
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher(EVP_CIPHER_CTX_new(),
                                                                               EVP_CIPHER_CTX_free);
  bool good = cipher != nullptr && RAND_bytes(key, sizeof key) == 1 &&
              EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_ctr(), nullptr, key, counter) == 1;
  OPENSSL_cleanse(key, sizeof key);
  for (size_t done = 0; good && done < bytes;) {
    const size_t piece = std::min(sizeof zeros, bytes - done);
    int written = 0;
    good = EVP_EncryptUpdate(cipher.get(), to + done, &written, zeros, static_cast<int>(piece)) == 1;
    done += piece;
  }
  return good;
}

}  // namespace

PageableBuffer::PageableBuffer(size_t bytes)
    : data_(static_cast<uint8_t*>(std::aligned_alloc(kPage, (bytes + kPage) / kPage * kPage))), size_(bytes) {
  if (data_ == nullptr) throw std::bad_alloc();
}

void PageableBuffer::Free::operator()(uint8_t* memory) const { std::free(memory); }

void fill_random(std::span<uint8_t> memory) {
  std::atomic<bool> good = true;
  in_parallel(memory.size(), [&](size_t begin, size_t end) {
    if (!write_key_stream(memory.data() + begin, end - begin)) good = false;
  });
  if (!good) throw Error(WARPAES_ERROR_INTERNAL, "libcrypto makes no random data");
}

void fill(std::span<uint8_t> memory, uint8_t value) {
  in_parallel(memory.size(),
              [&](size_t begin, size_t end) { std::memset(memory.data() + begin, value, end - begin); });
}

void copy(std::span<uint8_t> to, const uint8_t* from) {
  in_parallel(to.size(),
              [&](size_t begin, size_t end) { std::memcpy(to.data() + begin, from + begin, end - begin); });
}

std::optional<size_t> first_difference(std::span<const uint8_t> left, const uint8_t* right) {
  std::atomic<size_t> first = left.size();
  in_parallel(left.size(), [&](size_t begin, size_t end) {
    for (; begin < end; begin += kPiece) {
      const size_t piece = std::min(kPiece, end - begin);
      if (std::memcmp(left.data() + begin, right + begin, piece) == 0) continue;
      const auto* from = left.data() + begin;
      const size_t found =
          begin + static_cast<size_t>(std::mismatch(from, from + piece, right + begin).first - from);
      size_t known = first;
      while (found < known && !first.compare_exchange_weak(known, found)) {
      }
      return;
    }
  });
  if (first == left.size()) return std::nullopt;
  return first;
}

}  // namespace warpaes::bench
