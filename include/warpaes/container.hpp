// Encrypted files for C++20: container.h, which has the format and what each call promises. A part of
// warpaes.hpp.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/container.hpp needs C++20 (-std=c++20). The C interface is warpaes/warpaes.h."
#else

#include <array>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>

#include "warpaes/container.h"
#include "warpaes/context.hpp"

namespace warpaes {
inline namespace v0 {

/// How many of the encrypted chunks are computed once more on the CPU and compared.
enum class ContainerCheck : warpaes_container_check {
  sample = WARPAES_CONTAINER_CHECK_SAMPLE,
  none = WARPAES_CONTAINER_CHECK_NONE,
  full = WARPAES_CONTAINER_CHECK_FULL,
};

/// What a container has besides its key.
struct ContainerOptions {
  Input context = {};  ///< authenticated and not stored: the container opens with the same string only
  Input salt = {};     ///< for tests: 24 bytes in place of random ones
  ContainerCheck check = ContainerCheck::sample;  ///< of what is encrypted
};

/// The first bytes of a container.
using ContainerHeader = std::array<uint8_t, WARPAES_CONTAINER_HEADER_LENGTH>;

/// Consecutive chunks of a container.
struct Chunks {
  uint64_t first = 0;  ///< number of the first one
  Input input = {};    ///< whole chunks and, with `ends`, the container's shorter last one
  Output output =
      {};             ///< room for their other form, apart from the input; of decryption: none, to check only
  bool ends = false;  ///< the last of these chunks is the container's last
  std::span<int32_t> statuses = {};  ///< of decryption: none, or one for each chunk
  uint64_t container_length = 0;     ///< of decryption, for the message about what was appended; 0: unknown
  bool on_device = false;            ///< the plaintext is device memory of the context's first device
  Stream stream = nullptr;           ///< with on_device: the call begins when the work on it is done
};

/// How a container is read.
struct ContainerReading {
  bool parallel = false;    ///< several threads may call the caller's function at once
  bool on_device = false;   ///< the plaintext goes to device memory of the context's first device
  Stream stream = nullptr;  ///< with on_device: the call begins when the work on it is done
};

/// What opening chunks found. If it is not right, the plaintext of the wrong chunks is zero and that of all
/// others is genuine; but if it is TRUNCATED, none has been opened, and the output is as it was. The compiler
/// warns if nobody looks at it.
class [[nodiscard]] ChunkVerdict {
 public:
  /// @param failed,offset of the first wrong chunk, if the status is not WARPAES_OK
  ChunkVerdict(Status status, uint64_t length, uint64_t failed, uint64_t offset)
      : status_(status), length_(length), failed_(failed), offset_(offset) {}

  /// Are all chunks right?
  explicit operator bool() const noexcept { return status_ == WARPAES_OK; }
  /// WARPAES_OK, WARPAES_ERROR_AUTHENTICATION, WARPAES_ERROR_TRAILING_DATA or WARPAES_ERROR_TRUNCATED
  Status status() const noexcept { return status_; }
  /// The length of the output, wrong chunks included.
  uint64_t length() const noexcept { return length_; }
  /// The number of the first wrong chunk; UINT64_MAX if all are right.
  uint64_t failed() const noexcept { return failed_; }
  /// At which byte of the container that begins which is wrong; UINT64_MAX if all is right.
  uint64_t failed_offset() const noexcept { return offset_; }

 private:
  Status status_;
  uint64_t length_, failed_, offset_;
};

/// The keys of one container. Copies stand for the same container, and several threads may use it.
class Container {
 public:
  /// Begins a container.
  /// @param header written: its first bytes
  static Container create(const Context& context, Input key, ContainerHeader& header,
                          const ContainerOptions& options = {}) {
    const warpaes_container_options plain = plain_options(options);
    warpaes_container* made = nullptr;
    detail::require(warpaes_container_create(context.get(), key.data(), static_cast<size_t>(key.size()),
                                             &plain, header.data(), &made));
    return {made, context};
  }

  /// Opens one that exists. @return none if it was made with another key or context string
  static std::optional<Container> open(const Context& context, Input key, const ContainerHeader& header,
                                       const ContainerOptions& options = {}) {
    const warpaes_container_options plain = plain_options(options);
    warpaes_container* made = nullptr;
    const Status status = warpaes_container_open(context.get(), key.data(), static_cast<size_t>(key.size()),
                                                 &plain, header.data(), &made);
    if (status == WARPAES_ERROR_CONTAINER_KEY) return std::nullopt;
    detail::require(status);
    return Container(made, context);
  }

  /// How many chunks are best given to encrypt() and decrypt() at once, and which engine they go to.
  /// @param length of the whole plaintext, if it is known
  warpaes_container_plan plan(std::optional<uint64_t> length = std::nullopt) const {
    warpaes_container_plan found = {};
    found.size = sizeof found;
    detail::require(warpaes_container_plan_for(get(), length.value_or(UINT64_MAX), &found));
    return found;
  }

  /// @return the length of the sealed chunks
  uint64_t encrypt(const Chunks& chunks) const {
    uint64_t length = 0;
    warpaes_chunks plain = plain_chunks(chunks);
    plain.output_length = &length;
    detail::require(warpaes_container_encrypt(get(), &plain));
    return length;
  }

  /// Throws only for what is not about the data: the verdict has that.
  ChunkVerdict decrypt(const Chunks& chunks) const {
    uint64_t length = 0, failed = 0, offset = 0;
    warpaes_chunks plain = plain_chunks(chunks);
    plain.output_length = &length;
    plain.statuses = statuses_for(chunks);
    plain.failed = &failed;
    plain.failed_offset = &offset;
    const Status status = warpaes_container_decrypt(get(), &plain);
    if (!about_the_data(status)) detail::require(status);
    return {status, length, failed, offset};
  }

  /// Reads plaintext from any place of a container of `length` bytes.
  /// @param read (uint64_t offset, Output into): fills all of `into` and returns nothing; what it throws
  ///        passes through
  /// @return bytes read, fewer than asked for only at the end; throws an Error if they are not genuine
  template <class Read>
  uint64_t read(uint64_t length, Read&& read, uint64_t offset, Output into,
                const ContainerReading& how = {}) const {
    static_assert(std::is_void_v<decltype(read(offset, into))>,
                  "what cannot be read is thrown, not returned");
    Reading<Read> reading{read};
    warpaes_container_source source = {};
    source.size = sizeof source;
    source.length = length;
    source.user = &reading;
    source.read = Reading<Read>::call;
    source.parallel = how.parallel ? 1 : 0;
    source.on_device = how.on_device ? 1 : 0;
    source.stream = how.stream;
    uint64_t got = 0;
    const Status status = warpaes_container_read(get(), &source, offset, into.data(), into.size(), &got);
    if (reading.thrown) std::rethrow_exception(reading.thrown);
    detail::require(status);
    return got;
  }

  /// For calls of the C interface.
  warpaes_container* get() const { return handle_.get(); }

 private:
  struct Destroy {
    std::shared_ptr<warpaes_context> context;
    void operator()(warpaes_container* container) const { warpaes_container_destroy(container); }
  };

  /// Carries an exception of the caller's function past the C interface, which must not see one.
  template <class Read>
  struct Reading {
    Read& read;
    std::mutex mutex = {};
    std::exception_ptr thrown = {};  // the last one, if several threads read

    static int32_t call(void* user, uint64_t offset, void* into, uint64_t length) {
      Reading& self = *static_cast<Reading*>(user);
      try {
        self.read(offset, Output(into, length));
        return 0;
      } catch (...) {
        const std::scoped_lock lock(self.mutex);
        self.thrown = std::current_exception();
        return 1;
      }
    }
  };

  Container(warpaes_container* made, const Context& context) : handle_(made, Destroy{context.handle()}) {}

  static bool about_the_data(Status status) {
    return status == WARPAES_ERROR_AUTHENTICATION || status == WARPAES_ERROR_TRAILING_DATA ||
           status == WARPAES_ERROR_TRUNCATED;
  }
  static warpaes_container_options plain_options(const ContainerOptions& options) {
    warpaes_container_options plain = {};
    plain.size = sizeof plain;
    plain.context = options.context;
    plain.salt = options.salt;
    plain.check = static_cast<warpaes_container_check>(options.check);
    return plain;
  }
  static warpaes_chunks plain_chunks(const Chunks& chunks) {
    warpaes_chunks plain = {};
    plain.size = sizeof plain;
    plain.first = chunks.first;
    plain.input = chunks.input.data();
    plain.length = chunks.input.size();
    plain.output = chunks.output.data();
    plain.output_capacity = chunks.output.size();
    plain.ends = chunks.ends ? 1 : 0;
    plain.container_length = chunks.container_length;
    plain.on_device = chunks.on_device ? 1 : 0;
    plain.stream = chunks.stream;
    return plain;
  }

  /// Null for none, else checked to be long enough.
  static int32_t* statuses_for(const Chunks& chunks) {
    if (chunks.statuses.empty()) return nullptr;
    const uint64_t whole = chunks.input.size() / WARPAES_CONTAINER_SEALED_CHUNK_LENGTH;
    if (chunks.statuses.size() >= whole + (chunks.ends ? 1 : 0)) return chunks.statuses.data();
    throw Error(WARPAES_ERROR_BUFFER_SIZE, "statuses: there are fewer than chunks");
  }

  std::shared_ptr<warpaes_container> handle_;
};

/// What a file begins with whose container's key is made of a passphrase. It is the container's context
/// string, followed by one of the caller, if there is one.
using PassphraseHeader = std::array<uint8_t, WARPAES_PASSPHRASE_HEADER_LENGTH>;

/// What makes a container's key of a passphrase.
enum class PassphraseFunction : warpaes_kdf_algorithm {
  scrypt = WARPAES_KDF_SCRYPT,
  argon2id = WARPAES_KDF_ARGON2ID,
};

/// Of a new file, with a fresh salt.
inline PassphraseHeader passphrase_header(PassphraseFunction function = PassphraseFunction::scrypt) {
  PassphraseHeader header;
  detail::require(
      warpaes_passphrase_header_create(static_cast<warpaes_kdf_algorithm>(function), header.data()));
  return header;
}

/// The function that the beginning of a file names; none if it begins with something else. Throws an Error
/// for costs that no file of WarpAES has.
inline std::optional<PassphraseFunction> passphrase_function(Input beginning) {
  warpaes_kdf_algorithm algorithm = 0;
  detail::require(
      warpaes_passphrase_header_read(beginning.data(), static_cast<size_t>(beginning.size()), &algorithm));
  if (algorithm == 0) return std::nullopt;
  return static_cast<PassphraseFunction>(algorithm);
}

/// Makes a container's key, of 32 bytes.
inline void passphrase_key(const PassphraseHeader& header, Input passphrase, Output key) {
  if (key.size() != 32) throw Error(WARPAES_ERROR_KEY_LENGTH, "a passphrase makes a key of 32 bytes");
  detail::require(warpaes_passphrase_key(header.data(), passphrase.data(),
                                         static_cast<size_t>(passphrase.size()), key.data()));
}

/// The length of the container of `length` bytes of plaintext.
inline uint64_t container_size(uint64_t length) {
  uint64_t size = 0;
  detail::require(warpaes_container_size(WARPAES_DIRECTION_ENCRYPT, length, &size));
  return size;
}

/// The length of the plaintext in a container of `length` bytes; none if its end is missing.
inline std::optional<uint64_t> plaintext_size(uint64_t length) {
  uint64_t size = 0;
  const Status status = warpaes_container_size(WARPAES_DIRECTION_DECRYPT, length, &size);
  if (status == WARPAES_ERROR_TRUNCATED) return std::nullopt;
  detail::require(status);
  return size;
}

}  // namespace v0
}  // namespace warpaes

#endif
