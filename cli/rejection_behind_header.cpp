#include "rejection_behind_header.hpp"

#include <fmt/format.h>

namespace warpaes::cli {

Complaint complaint_behind_header(const Rejected& rejected, const std::string& name, size_t header_bytes) {
  Complaint complaint = complaint_of_current_exception(name);
  if (header_bytes == 0) return complaint;
  if (complaint.offset) *complaint.offset += header_bytes;
  if (rejected.status() == WARPAES_ERROR_CONTAINER_KEY) {
    complaint.message = name + ": wrong passphrase, or wrong --context";
    complaint.hint =
        "it takes the passphrase and the --context that it was encrypted with; if these are the ones, the "
        "first 104 bytes of the file are damaged";
    return complaint;
  }
  complaint.message +=
      fmt::format("; bytes are counted behind the {} of the passphrase's header", header_bytes);
  if (rejected.status() == WARPAES_ERROR_TRAILING_DATA) complaint.hint = hint_at_cut(*complaint.offset);
  return complaint;
}

}  // namespace warpaes::cli
