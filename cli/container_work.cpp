#include "container_work.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <algorithm>

#include "container_rejection.hpp"
#include "failure_report.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {
namespace {

/// Begins a container: what stands before it, and its header. @return bytes written
uint64_t write_header(ByteSink& to, const FileSecret& secret, const ContainerHeader& header) {
  std::vector<uint8_t> all = secret.header;
  all.insert(all.end(), header.begin(), header.end());
  to.write_at(0, all);
  return all.size();
}

/// Reads the header.
Container opened(const warpaes::Context& context, const FileWork& work) {
  ContainerHeader header;
  const size_t got = work.from.read(header);
  if (got < header.size()) require_container_length(got);
  const std::optional<Container> container =
      Container::open(context, work.secret.key, header, {.context = work.secret.context});
  if (!container) throw Rejected(WARPAES_ERROR_CONTAINER_KEY, 0, 0);
  return *container;
}

ContainerEngines::Choice choose_to_open(const FileWork& work) {
  const std::optional<uint64_t> bytes = work.from.size();
  return work.engines.choose(bytes ? std::optional(layout_of(*bytes).plaintext_bytes) : std::nullopt);
}

ChunkPass pass_of(const FileWork& work, const ContainerEngines::Choice& engine) {
  return {
      .engine = engine, .threads = work.threads, .from = work.from, .to = work.to, .progress = work.progress};
}

FileResult run(const ChunkPass& pass) {
  FileResult result{run_pass(pass), {}, pass.engine.seconds};
  result.engine = (pass.opening ? pass.opening : pass.sealing)->plan(result.plaintext_bytes).engine;
  return result;
}

/// So that a range is told to be one of a container that was cut or appended to.
void require_last_chunk(const FileWork& work, const Container& container, uint64_t length) {
  const uint64_t chunk = layout_of(length).chunks - 1;
  std::vector<uint8_t> sealed(length - chunk_offset(chunk)), plaintext(sealed.size() - kTagBytes);
  sealed.resize(work.from.read_at(chunk_offset(chunk), sealed));
  const ChunkVerdict verdict = container.decrypt(
      {.first = chunk, .input = sealed, .output = plaintext, .ends = true, .container_length = length});
  OPENSSL_cleanse(plaintext.data(), plaintext.size());
  if (!verdict) throw Rejected(verdict.status(), verdict.failed(), verdict.failed_offset());
}

}  // namespace

FileResult encrypt_file(const FileWork& work) {
  if (work.from.size()) (void)container_size(*work.from.size());  // refused before anything is written
  const ContainerEngines::Choice engine = work.engines.choose(work.from.size());
  ContainerHeader header;
  const Container container = Container::create(engine.context, work.secret.key, header,
                                                {.context = work.secret.context, .check = work.check});
  ChunkPass pass = pass_of(work, engine);
  pass.written = write_header(*work.to, work.secret, header);
  pass.sealing = &container;
  return run(pass);
}

FileResult decrypt_file(const FileWork& work) {
  const ContainerEngines::Choice engine = choose_to_open(work);
  const Container container = opened(engine.context, work);
  if (work.from.size()) require_container_length(*work.from.size());
  ChunkPass pass = pass_of(work, engine);
  pass.opening = &container;
  return run(pass);
}

FileResult decrypt_range(const FileWork& work) {
  if (!work.from.has_random_access()) {
    throw Refusal(ExitCode::error, shown(work.from.name()) + " is read from its beginning only",
                  "--range needs the name of a file");
  }
  const uint64_t length = *work.from.size();
  const ContainerEngines::Choice engine = work.engines.choose(work.range->bytes);
  const Container container = opened(engine.context, work);
  require_container_length(length);
  require_last_chunk(work, container, length);
  const uint64_t plaintext = layout_of(length).plaintext_bytes, offset = work.range->offset;
  if (offset > plaintext) {
    throw Refusal(ExitCode::error, fmt::format("{}: the range begins at byte {}, and the plaintext has {}",
                                               shown(work.from.name()), offset, told_bytes(plaintext)));
  }
  ChunkPass pass = pass_of(work, engine);
  pass.opening = &container;
  pass.range = {offset, std::min(work.range->bytes, plaintext - offset)};
  if (pass.range->bytes == 0) return {{}, container.plan(0).engine, engine.seconds};
  return run(pass);
}

FileResult salvage_file(const FileWork& work) {
  const ContainerEngines::Choice engine = choose_to_open(work);
  const Container container = opened(engine.context, work);
  ChunkPass pass = pass_of(work, engine);
  pass.opening = &container;
  pass.salvages = true;
  return run(pass);
}

FileResult rekey_file(const FileWork& work) {
  const ContainerEngines::Choice engine = choose_to_open(work);
  const Container old = opened(engine.context, work);
  if (work.from.size()) require_container_length(*work.from.size());
  ContainerHeader header;
  const Container renewed =
      Container::create(engine.context, work.new_secret->key, header, {.context = work.new_secret->context});
  ChunkPass pass = pass_of(work, engine);
  pass.written = write_header(*work.to, *work.new_secret, header);
  pass.opening = &old;
  pass.sealing = &renewed;
  return run(pass);
}

}  // namespace warpaes::cli
