#include "claimed_descriptors.hpp"

#include <fmt/format.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "failure_report.hpp"
#include "file_version.hpp"
#include "input_file.hpp"

namespace warpaes::cli {
namespace {

struct Claim {
  int fd;
  bool inherited;  // and not opened here
  struct stat status;
  std::string source, what;
};

/// One that has a name may be written to by another program once the first one has ended.
bool is_nameless_pipe(int fd) { return is_on_file_system(fd, {PIPEFS_MAGIC}); }

/// Do both read from one place, so that what one has read is lost to the other? Files that were opened twice
/// do not, and pipes that were do.
bool share(const Claim& a, const Claim& b) {
  const bool is_pipe = S_ISFIFO(a.status.st_mode) || S_ISSOCK(a.status.st_mode);
  if (!same_file(a.status, b.status)) return false;
  if (!a.inherited && !b.inherited) return is_nameless_pipe(b.fd);
  if (is_pipe || a.fd == b.fd) return true;
  // 0 if one is a duplicate of the other. Where the system does not tell, they count as different.
  return syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a.fd, b.fd) == 0;
}

std::string source_of(int fd) {
  return fd == STDIN_FILENO ? "standard input" : fmt::format("file descriptor {}", fd);
}

void claim(Claim claimed) {
  static std::mutex mutex;
  static std::vector<Claim> claims;
  // Who reads from it says what is wrong with a descriptor that is none.
  if (fstat(claimed.fd, &claimed.status) != 0) return;
  const std::scoped_lock lock(mutex);
  const auto other =
      std::ranges::find_if(claims, [&](const Claim& earlier) { return share(earlier, claimed); });
  if (other == claims.end()) return claims.push_back(std::move(claimed));
  const std::string sources =
      other->source == claimed.source
          ? claimed.source
          : fmt::format("{} and {} are the same open file, which", other->source, claimed.source);
  throw Refusal(ExitCode::usage,
                other->what == claimed.what
                    ? fmt::format("{} can give {} only once", sources, claimed.what)
                    : fmt::format("{} cannot give both {} and {}", sources, other->what, claimed.what),
                "one of them has to come from a file, or from another descriptor");
}

}  // namespace

void claim_descriptor(int fd, const std::string& what) { claim({fd, true, {}, source_of(fd), what}); }

void claim_opened(int fd, const std::string& name, const std::string& what) {
  claim({fd, false, {}, name, what});
}

void claim_path(const std::string& path, const std::string& what) {
  if (is_standard_stream(path)) claim_descriptor(STDIN_FILENO, what);
}

}  // namespace warpaes::cli
