#include "access_list.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>

#include "file_descriptor.hpp"

namespace warpaes::cli {
namespace {

constexpr const char* kAttribute = "system.posix_acl_access";

mode_t only_owner(bool has_list, mode_t mode) { return has_list ? mode & ~(S_IRWXG | S_IRWXO) : mode; }

}  // namespace

mode_t mode_without_list(int fd, mode_t mode) {
  return only_owner(fgetxattr(fd, kAttribute, nullptr, 0) > 0, mode);
}

mode_t mode_without_list(const std::string& path, mode_t mode) {
  return only_owner(getxattr(path.c_str(), kAttribute, nullptr, 0) > 0, mode);
}

void remove_list(int fd, const std::string& name) {
  if (fgetxattr(fd, kAttribute, nullptr, 0) <= 0 || fremovexattr(fd, kAttribute) == 0) return;
  throw_errno("removing the access list of " + name);
}

}  // namespace warpaes::cli
