#pragma once

#include <string>

#include "container_rejection.hpp"
#include "failure_report.hpp"

namespace warpaes::cli {

/// Makes a complaint of the Rejected that is being handled, for a file in which the header of a passphrase
/// stands before the container: places in the container are not those in the file.
/// @param name of the file, which goes before the message
/// @param header_bytes 0: there is no such header
Complaint complaint_behind_header(const Rejected& rejected, const std::string& name, size_t header_bytes);

}  // namespace warpaes::cli
