// How the names of encrypted files end.
#pragma once

#include <string_view>

namespace warpaes::cli {

/// What `encrypt` adds to a name.
constexpr const char* kSuffix = ".wa";

/// Does a name end like that of an encrypted file? In letters of either case: file systems and programs that
/// know no small ones make FILE.WA of FILE.wa.
bool is_container_name(std::string_view path);

}  // namespace warpaes::cli
