#include "raw_two_passes.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <vector>

#include "raw_pass.hpp"
#include "raw_whole.hpp"
#include "shown_name.hpp"
#include "two_pass_modes.hpp"
#include "warpaes/kdf.hpp"

namespace warpaes::cli {
namespace {

bool takes_two_passes(const RawMode& mode) {
  return mode.mode == Mode::ccm || mode.mode == Mode::gcm_siv || mode.is_siv();
}

/// What an input begins with, kept in memory until it is known whether that is all.
class Beginning {
 public:
  /// Reads kKeptInMemory bytes of the text, or all of it.
  Beginning(const warpaes::Context& context, TextSource& text) {
    // Files of /proc expect none, and some give what they hold to the first read only.
    constexpr uint64_t kLeast = 64 << 10, kOfPipes = 1 << 20;
    const uint64_t expected = std::max(text.expected().value_or(kOfPipes) + 1, kLeast);
    for (uint64_t room = expected; is_all_; room = 2 * room) {
      grow(context, std::min(room, kKeptInMemory));
      const uint64_t wanted = memory_.size() - size_;
      const uint64_t got = text.read(size_, {memory_.data() + size_, wanted});
      size_ += got;
      if (got < wanted) return;
      is_all_ = memory_.size() < kKeptInMemory;
    }
  }

  bool is_all() const { return is_all_; }
  std::span<uint8_t> bytes() { return {memory_.data(), size_}; }

 private:
  void grow(const warpaes::Context& context, uint64_t room) {
    warpaes::HostBuffer larger(context, room);
    std::copy_n(memory_.data(), size_, larger.data());
    memory_ = std::move(larger);
  }

  warpaes::HostBuffer memory_;
  uint64_t size_ = 0;
  bool is_all_ = true;
};

/// The text, of which the beginning has been read.
class ContinuedText : public TextSource {
 public:
  ContinuedText(std::span<const uint8_t> beginning, TextSource& rest) : beginning_(beginning), rest_(rest) {}
  std::optional<uint64_t> bytes_in_place() const override { return std::nullopt; }
  std::optional<uint64_t> expected() const override { return rest_.expected(); }
  uint64_t read(uint64_t offset, std::span<uint8_t> into) override {
    const uint64_t known =
        std::min<uint64_t>(beginning_.size() - std::min(offset, beginning_.size()), into.size());
    std::copy_n(beginning_.data() + std::min(offset, beginning_.size()), known, into.begin());
    if (known == into.size()) return known;
    return known + rest_.read(offset + known, into.subspan(known));
  }

 private:
  const std::span<const uint8_t> beginning_;
  TextSource& rest_;
};

/// Of a forgery, it would be what the forger wants to know.
struct WipedTag {
  TwoPassTag tag;
  ~WipedTag() { OPENSSL_cleanse(tag.data(), tag.size()); }
};

/// One message, longer than what is kept in memory.
class LongMessage {
 public:
  LongMessage(const RawJob& job, const std::string& name, const warpaes::Context& context, TwoPassMode& mode,
              ByteSink& to)
      : job_(job), name_(name), context_(context), mode_(mode), to_(to), spool_(context) {}

  /// @param nonce that was made here, or nothing
  /// @param stays can the text be read once more in place of being kept?
  uint64_t seal(TextSource& text, std::span<const uint8_t> nonce, bool stays, const Progress& progress) {
    const bool hashes = mode_.hashes_at_once();
    if (const std::optional<uint64_t> bytes = text.bytes_in_place(); bytes && !hashes) {
      mode_.expect(*bytes);
      return write_sealed(text, kHash | kCrypt, nonce, {}, progress);
    }
    SpoolingText kept(text, spool_);
    TextSource& first_time = stays ? text : kept;
    const uint64_t bytes = pass_over(first_time, hashes ? kHash : 0, nullptr, 0, progress).read;
    TwoPassTag tag = {};
    if (hashes)
      tag = mode_.tag();
    else
      mode_.expect(bytes);
    SpooledText spooled(spool_);
    TextSource& again = stays ? text : spooled;
    return write_sealed(again, hashes ? kCrypt : kHash | kCrypt, nonce, tag, {});
  }

  /// The text is the input's, or begins with what has been read of that.
  uint64_t open(InputText& input, TextSource& text, std::span<const uint8_t> tag, const Progress& progress) {
    const bool is_in_place = input.bytes_in_place().has_value();
    const bool has_tag = !tag.empty() || is_in_place, has_length = mode_.hashes_at_once() || is_in_place;
    const auto right = [&] { return tag.empty() ? input.tag() : tag; };
    if (has_tag && has_length && to_.leaves_no_trace()) return open_at_once(text, right(), &to_, progress);
    SpoolingText first_time(text, spool_);
    SpooledText again(spool_);
    if (has_tag && has_length) {
      open_at_once(first_time, right(), nullptr, progress);
    } else {
      const uint64_t read = pass_over(first_time, 0, nullptr, 0, progress).read;
      require_length(job_, name_, job_.bytes_beside() + read + input.tag().size() - input.tag_length());
      if (to_.leaves_no_trace()) return open_at_once(again, right(), &to_, {});
      open_at_once(again, right(), nullptr, {});
    }
    mode_.rewind(right());
    return pass_over(again, kCrypt, &to_, 0).written;
  }

 private:
  static constexpr unsigned kHash = 1, kCrypt = 2;  // what a pass does

  /// The pass that encrypts.
  /// @param does if it hashes, the tag is what comes of that
  /// @return bytes of plaintext
  uint64_t write_sealed(TextSource& text, unsigned does, std::span<const uint8_t> nonce, TwoPassTag tag,
                        const Progress& progress) {
    mode_.rewind(tag);
    const std::span<const uint8_t> of_message = std::span(tag).first(job_.tag_length);
    const std::span<const uint8_t> before = job_.mode.is_siv() ? of_message : nonce;
    to_.write_at(0, before);
    const PassEnd end = pass_over(text, does, &to_, before.size(), progress);
    if (does & kHash) tag = mode_.tag();
    if (job_.mode.is_siv()) return end.read;
    if (job_.write_tag)
      job_.write_tag(of_message);
    else
      to_.write_at(end.written, of_message);
    return end.read;
  }

  PassEnd pass_over(TextSource& text, unsigned does, ByteSink* to, uint64_t written,
                    const Progress& progress = {}) {
    const auto update = [&](Input from, Output into) {
      const uint64_t bytes = from.size();
      if (does & kHash) mode_.hash(bytes_of(job_.encrypts() ? from : Input(into.data(), bytes)));
      return does & kCrypt ? bytes : 0;
    };
    Pass pass{job_, name_, context_, update, text, to, written, progress};
    if (does & kCrypt) {
      pass.crypt = [this](uint64_t offset, Input from, Output into) { mode_.crypt(offset, from, into); };
    }
    return run_pass(pass);
  }

  static std::span<const uint8_t> bytes_of(Input memory) {
    return {static_cast<const uint8_t*>(memory.data()), memory.size()};
  }

  /// Decrypts, and throws if the tag is another one.
  uint64_t open_at_once(TextSource& text, std::span<const uint8_t> tag, ByteSink* to,
                        const Progress& progress) {
    if (!mode_.hashes_at_once()) mode_.expect(text.expected().value());
    mode_.rewind(tag);
    const PassEnd end = pass_over(text, kHash | kCrypt, to, 0, progress);
    const WipedTag right{mode_.tag()};
    if (CRYPTO_memcmp(right.tag.data(), tag.data(), tag.size()) != 0) throw error_of_wrong_tag(job_.mode);
    return end.written;
  }

  const RawJob& job_;
  const std::string& name_;
  const warpaes::Context& context_;
  TwoPassMode& mode_;
  ByteSink& to_;
  Spool spool_;
};

/// Can a long message's text be read from its file twice, in place of being kept? It has to be the same both
/// times, or the tag would be of other bytes than the ciphertext, and nobody could decrypt that: so it must
/// be known who writes to the file, and there is no output if somebody has (InputFile::require_unchanged).
/// That is for an output that can be taken back, and before anything is read.
bool is_there_twice(const RawJob& job, InputFile& from, const ByteSink& to) {
  if (!job.encrypts() || !to.leaves_no_trace() || !from.has_random_access()) return false;
  if (*from.size() <= kKeptInMemory || from.watch() != Writers::none) return false;
  require_length(job, shown(from.name()), *from.size());
  return *from.size() > kKeptInMemory;
}

/// What stands before the text: the nonce, or SIV's tag. When encrypting, a nonce to be written there.
std::vector<uint8_t> bytes_before(const RawJob& job, const std::string& name, InputFile& from) {
  const size_t bytes = job.bytes_before();
  if (job.encrypts()) {
    std::vector<uint8_t> made(job.mode.is_siv() ? 0 : bytes);
    warpaes::random(made);
    return made;
  }
  const std::span<const uint8_t> first = from.peek(bytes);
  if (first.size() < bytes) require_length(job, name, first.size());
  return {first.begin(), first.end()};
}

}  // namespace

std::optional<uint64_t> run_in_two_passes(const RawJob& job, const warpaes::Context& context,
                                          const warpaes::Cipher& cipher, std::span<const uint8_t> key,
                                          InputFile& from, ByteSink& to, const Progress& progress) {
  if (!takes_two_passes(job.mode)) return std::nullopt;
  const std::string name = shown(from.name());
  const bool stays = is_there_twice(job, from, to);
  const std::vector<uint8_t> before = bytes_before(job, name, from);
  const bool has_given_nonce = job.mode.is_siv() || before.empty();
  const auto mode = two_pass_mode(job, context, key, has_given_nonce ? job.iv : before);
  if (!job.encrypts()) from.skip(before.size());
  InputText text(from, job.encrypts() ? 0 : job.bytes_behind());
  LongMessage message(job, name, context, *mode, to);
  const auto run = [&](TextSource& all) {
    if (job.encrypts()) return message.seal(all, before, stays, progress);
    return message.open(text, all, job.mode.is_siv() ? std::span(before) : std::span(job.tag), progress);
  };
  if (text.bytes_in_place().value_or(0) > kKeptInMemory) {
    const uint64_t bytes = run(text);
    if (stays) from.require_unchanged();
    return bytes;
  }
  Beginning beginning(context, text);
  if (!beginning.is_all()) {
    ContinuedText all(beginning.bytes(), text);
    return run(all);
  }
  const uint64_t beside_read = before.size() * !job.encrypts() + text.tag().size();
  require_length(job, name, beginning.bytes().size() + beside_read);
  if (job.encrypts()) return seal_message(job, cipher, beginning.bytes(), to);
  return open_message(job, cipher, {before, beginning.bytes(), text.tag()}, to);
}

}  // namespace warpaes::cli
