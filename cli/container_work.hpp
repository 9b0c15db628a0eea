// What the container's commands do with one file, once it is known what it is encrypted under and where the
// output goes.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "container/cobblestone.hpp"
#include "container/salvage.hpp"
#include "container_keys.hpp"
#include "engine_options.hpp"
#include "input_file.hpp"
#include "pipeline/context.hpp"

namespace warpaes::core::cli {

/// The contexts of a run; each is made when the first file needs it.
class Engines {
 public:
  explicit Engines(const EngineOptions& options) : options_(options) {}

  /// With all threads, for files that are read from their beginning to their end.
  Context& whole();
  /// With one thread, for callers that are themselves one of several.
  Context& single();
  /// CPU threads that were asked for, or that this process may use.
  unsigned threads();
  double setup_seconds() const { return setup_seconds_; }

 private:
  Context& made(std::unique_ptr<Context>& context, bool one_thread);

  const EngineOptions& options_;
  std::mutex mutex_;
  std::unique_ptr<Context> whole_, single_;
  double setup_seconds_ = 0;
};

struct ByteRange {
  uint64_t offset = 0, bytes = 0;
};

struct FileWork {
  Engines& engines;
  const FileSecret& secret;
  InputFile& from;
  ByteSink* to;      // null: nowhere
  unsigned threads;  // for this file
  cobblestone::Progress progress;
  cobblestone::OutputCheck check = cobblestone::OutputCheck::sample;
  std::optional<ByteRange> range = {};
  const FileSecret* new_secret = nullptr;  // of rekey
};

struct FileResult {
  uint64_t plaintext_bytes = 0;
  std::string engine;
  std::vector<cobblestone::LostBytes> lost = {};  // of salvage
  bool end_is_missing = false;
};

FileResult encrypt_file(const FileWork& work);
FileResult decrypt_file(const FileWork& work);
FileResult decrypt_range(const FileWork& work);
FileResult salvage_file(const FileWork& work);
FileResult rekey_file(const FileWork& work);

}  // namespace warpaes::core::cli
