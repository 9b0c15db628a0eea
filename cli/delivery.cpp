#include "delivery.hpp"

#include <fmt/format.h>

#include <array>

#include "failure_report.hpp"
#include "file_report.hpp"
#include "file_version.hpp"
#include "output_file.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"

namespace warpaes::cli {
namespace {

bool same_regular_file(const struct stat& a, const struct stat& b) {
  return S_ISREG(a.st_mode) && same_file(a, b);
}

OutputFile* made_beside(const Delivery& delivery) {
  return delivery.beside != nullptr && *delivery.beside ? &**delivery.beside : nullptr;
}

std::unique_ptr<OutputFile> new_output(const Delivery& delivery) {
  return std::make_unique<OutputFile>(delivery.output, delivery.force || delivery.replaces_input,
                                      OutputHints{.exists = "--force replaces it; " + delivery.elsewhere,
                                                  .elsewhere = delivery.elsewhere,
                                                  .has_stream = delivery.has_stream});
}

/// A terminal would obey some bytes of a ciphertext.
void require_output_for_all_bytes(const Delivery& delivery) {
  if (delivery.to_terminal || delivery.force || !isatty(STDOUT_FILENO)) return;
  throw Refusal(ExitCode::error, "ciphertext is not written to a terminal",
                "-o FILE, or send it to a file or a pipe; --force writes it all the same");
}

}  // namespace

void check_output(const Delivery& delivery, const InputFile& input) {
  struct stat status = {};
  if (!delivery.output.status(status)) return;
  if (same_regular_file(input.status(), status) && !delivery.replaces_input) {
    throw Refusal(ExitCode::error, shown(delivery.output.path()) + " is both input and output",
                  delivery.elsewhere);
  }
  for (const SparedFile& file : delivery.spared) {
    if (same_regular_file(file.status, status)) {
      throw Refusal(
          ExitCode::error,
          fmt::format("{} holds {}, and would be replaced", shown(delivery.output.path()), file.holds),
          delivery.elsewhere);
    }
  }
}

void try_output(const Delivery& delivery, const InputFile& input) {
  if (is_standard_stream(delivery.output.path())) return require_output_for_all_bytes(delivery);
  check_output(delivery, input);
  const std::unique_ptr<OutputFile> trial = new_output(delivery);
}

std::unique_ptr<OutputFile> make_file(const Delivery& delivery, const InputFile& input,
                                      const std::function<void(ByteSink&)>& work) {
  check_output(delivery, input);
  std::unique_ptr<OutputFile> output = new_output(delivery);
  if (delivery.bytes) output->expect(*delivery.bytes);
  if (!delivery.sync) output->leave_to_system();
  if (delivery.direct) output->bypass_cache();
  work(*output);
  output->complete();
  if (delivery.replaces_input) {
    output->replace_only(input.status());
    if (const uint64_t names = input.status().st_nlink; names > 1) {
      print_warning(fmt::format("{} has {} names: under the others, the old file stays",
                                shown(delivery.output.path()), names));
    }
    if (!output->resemble(input.model())) {
      print_warning(shown(delivery.output.path()) +
                    " gets another owner or group, since only a privileged user may set the old one");
    }
    return output;
  }
  const bool like_input = S_ISREG(input.status().st_mode) && !input.is_standard_input();
  output->set_mode(like_input ? input.model().st_mode & default_file_mode() : default_file_mode());
  return output;
}

void to_standard_output(const Delivery& delivery, const InputFile& input,
                        const std::function<void(ByteSink&)>& work) {
  require_output_for_all_bytes(delivery);
  struct stat status = {};
  if (delivery.direct && fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode)) {
    throw Refusal(ExitCode::usage, "standard output is a file, which --direct would have to open itself",
                  "-o FILE");
  }
  StandardOutput output;
  try {
    work(output);
  } catch (...) {
    Complaint complaint = complaint_of_current_exception(shown(input.name()));
    if (output.written() != 0) {
      complaint.message +=
          fmt::format("; the {} bytes on standard output are only the beginning", output.written());
    }
    throw Refusal(complaint);
  }
}

double deliver(const Delivery& delivery, const InputFile& input, const std::function<void(ByteSink&)>& work) {
  if (is_standard_stream(delivery.output.path())) {
    to_standard_output(delivery, input, work);
    if (OutputFile* const beside = made_beside(delivery)) beside->publish();
    return 0;
  }
  const std::unique_ptr<OutputFile> output = make_file(delivery, input, work);
  const Stopwatch disk;
  if (OutputFile* const beside = made_beside(delivery)) {
    publish_together(std::array{beside, output.get()});
  } else {
    output->publish();
  }
  return disk.seconds();
}

}  // namespace warpaes::cli
