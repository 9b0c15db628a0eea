#include "standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace warpaes::cli {

void occupy_closed_standard_streams() {
  // Open in the direction in which nobody uses the stream, so that its use is an error and not silence.
  constexpr int kFlags[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // open(2) gives the lowest descriptor that is free, which is this one.
    (void)open("/dev/null", kFlags[stream]);
  }
}

void write_message(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t put = write(STDERR_FILENO, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text.remove_prefix(static_cast<size_t>(put));
  }
}

}  // namespace warpaes::cli
