// At an output's name there is the whole right file or nothing new: the data goes to a file without a
// name in the same folder, which gets its name only when it is complete and on disk.
#pragma once

#include <sys/stat.h>

#include <atomic>
#include <optional>

#include "byte_sink.hpp"
#include "direct_io.hpp"
#include "failure_report.hpp"
#include "file_descriptor.hpp"
#include "file_place.hpp"
#include "shown_name.hpp"

namespace warpaes::cli {

/// What to do where there can be no such output.
struct OutputHints {
  std::string exists = "-o names another file";  // and may not be replaced
  std::string elsewhere = "-o names another file";
  bool has_stream = false;  // does -o - write to standard output?
};

class OutputFile : public ByteSink {
 public:
  /// Refuses at once what could not succeed later: a name that exists (without `replace`), a folder of
  /// that name, a folder that cannot be written to.
  OutputFile(FilePlace place, bool replace, OutputHints hints = {});
  /// Removes what has not been published.
  ~OutputFile() override;

  /// How long the output becomes. The first write() sets that much space aside, so that a full disk is known
  /// before most of the work is done, and throws ENOSPC.
  void expect(uint64_t bytes) { expected_bytes_ = bytes; }

  /// It is written past the page cache. Throws if its file system cannot do that.
  void bypass_cache() { direct_.emplace(fd_.get(), shown(place_.path()), expected_bytes_); }

  /// It takes the place of this file, and of none that has come there since, or is no longer as it was.
  void replace_only(const struct stat& old) { replaced_ = old; }

  /// It is published without sync().
  void leave_to_system() { syncs_ = false; }

  void write(std::span<const uint8_t> bytes) override;
  bool takes_any_order() const override { return true; }
  void write_at(uint64_t offset, std::span<const uint8_t> bytes) override;
  /// All of it has been written. Needed if the page cache is bypassed, or expect() was used.
  void complete();
  bool leaves_no_trace() const override { return !named_; }

  /// Brings the data to disk and gives it its name. Only the owner may read and write it, unless set_mode()
  /// has said something else.
  void publish();
  void publish(mode_t mode) {
    set_mode(mode);
    publish();
  }
  /// As a key's file: throws if others could use it.
  void publish_key();
  /// If the file system lets nobody do that, a warning tells who has more rights than these.
  void set_mode(mode_t mode) const;
  /// Owner, group and permissions of another file, and no access list, for one that takes its place. If this
  /// process may not give the file to that group, nobody gets a right to it that both the group and all
  /// others did not have.
  /// @return are owner and group the same?
  bool resemble(const struct stat& other) const;

  // What publish() does, one by one, for files that are brought to disk together.
  void sync() const;
  /// Brings all of its file system to disk.
  void sync_file_system() const;
  /// Does that bring this file to disk?
  bool is_synced_with_file_system() const;
  /// Throws if some of what was brought to disk by sync_file_system() could not be written there.
  void require_written() const;
  /// In place of all that: throws if a server that has the file could not take all of it.
  void hand_over() const;
  /// What becomes of the file that had the name before.
  enum class Replaced { gone, kept };
  /// Throws if that would replace another output of this run, by whatever name it has there.
  /// @param replaced kept: under the temporary name, so that move_back() can put it in its place again
  void move_into_place(Replaced replaced = Replaced::gone);
  /// Undoes move_into_place(Replaced::kept), as far as the file system can.
  void move_back();
  /// Removes the temporary name, of what is not published or of the file that was kept.
  void remove_temporary_name();
  /// A new name survives a power cut only when its folder is on disk.
  void sync_folder() const;
  std::string folder() const;
  /// The number of the file system that it is on.
  dev_t device() const;

 private:
  void require_replaceable(const struct stat& existing) const;
  void create();
  mode_t permissions() const;
  std::string setting_aside(uint64_t bytes) const;
  void require_room(uint64_t bytes) const;
  void set_aside(uint64_t bytes);
  void begin_to_sync(uint64_t offset, uint64_t bytes) const;
  Refusal refuse_existing() const;
  void require_none_of_this_run() const;
  /// Throws if the file was changed since it was read.
  void take_name_of_replaced();
  void take_name(Replaced replaced);
  bool take_name_and_keep_other();
  bool exchange_names() const;
  bool move_to_free_name() const;
  bool is_temporary() const;
  bool link_to(const FilePlace& name) const;
  void link_temporary_name();
  void rename_to_path() const;

  enum class WayBack { none, remove, exchange };

  void create_named();

  FilePlace place_, temporary_;
  bool replace_;
  WayBack way_back_ = WayBack::none;  // of move_into_place()
  OutputHints hints_;
  std::optional<struct stat> replaced_;
  std::atomic<uint64_t> expected_bytes_ = 0, set_aside_ = 0;
  uint64_t written_ = 0;  // by write()
  bool syncs_ = true;
  bool named_ = false;  // temporary_ exists
  FileDescriptor fd_;
  std::optional<DirectWriter> direct_;
};

/// Gives files that need each other their names, one directly after the other, when all of them are on disk.
/// If that fails for one, the others lose theirs again, and what they would replace stays.
void publish_together(std::span<OutputFile* const> files);

/// 0666 less the umask: what a new file gets.
mode_t default_file_mode();

}  // namespace warpaes::cli
