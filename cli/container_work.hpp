// What the container's commands do with one file, once it is known what it is encrypted under and where the
// output goes.
#pragma once

#include <optional>
#include <string>

#include "chunk_pieces.hpp"
#include "container_keys.hpp"

namespace warpaes::cli {

struct FileWork {
  ContainerEngines& engines;
  const FileSecret& secret;
  InputFile& from;
  ByteSink* to;      // null: nowhere
  unsigned threads;  // for this file
  Progress progress;
  ContainerCheck check = ContainerCheck::sample;
  std::optional<ByteRange> range = {};
  const FileSecret* new_secret = nullptr;  // of rekey
};

struct FileResult : PassResult {
  std::string engine;
  double setup_seconds = 0;  // before the work: of the engine's start
};

FileResult encrypt_file(const FileWork& work);
FileResult decrypt_file(const FileWork& work);
FileResult decrypt_range(const FileWork& work);
FileResult salvage_file(const FileWork& work);
FileResult rekey_file(const FileWork& work);

}  // namespace warpaes::cli
