// How the names of encrypted files end, and which names lead to no file.
#pragma once

#include <string>
#include <string_view>

namespace warpaes::cli {

/// What `encrypt` adds to a name.
constexpr const char* kSuffix = ".wa";

/// Does a name end like that of an encrypted file? In letters of either case: file systems and programs that
/// know no small ones make FILE.WA of FILE.wa.
bool is_container_name(std::string_view path);

/// Refuses the name that the system has for what is open, as /dev/stdin or the /dev/fd/63 of bash's
/// <(command): no file can be made beside it.
void require_name_of_file(const std::string& path);

/// The name of a file that takes another one's place: where a symbolic link leads to, and not in place of the
/// link. Refuses links behind which no name is, but a pipe, or a file that has lost its name.
std::string name_in_place(const std::string& path);

}  // namespace warpaes::cli
