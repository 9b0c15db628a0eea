// Files that have a temporary name until they are whole: what of them is left when the interpreter has ended
// is removed then. Python itself does not call __del__() of all objects at its end, and functions of its
// module atexit come too early: others of them may still close such a file, as logging does, and give it its
// name.
#include <unistd.h>

#include <map>
#include <string>

#include "buffer.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// With the process that has made the file, as a fork has a copy of the names. Guarded by the GIL.
using Names = std::map<std::string, pid_t>;

Names& names() {
  static Names* const made = new Names;  // threads that sleep until the process has ended may hold it
  return *made;
}

std::string text_of(const Buffer& name) {
  return {reinterpret_cast<const char*>(name.data()), name.length()};
}

void remember_temporary(nb::handle name) { names()[text_of(Buffer::reading(name, "name"))] = getpid(); }

void forget_temporary(nb::handle name) { names().erase(text_of(Buffer::reading(name, "name"))); }

/// Python has ended: no code of it runs any more, and no thread of it comes back.
void remove_what_is_left() {
  for (const auto& [name, process] : names()) {
    if (process == getpid()) unlink(name.c_str());
  }
  names().clear();
}

}  // namespace

void add_leftovers(nb::module_& module) {
  module.def("remember_temporary", remember_temporary, nb::arg("name"));
  module.def("forget_temporary", forget_temporary, nb::arg("name"));
  // Python has room for 32 such functions. If others have taken all of it, files are left as after a crash.
  static_cast<void>(Py_AtExit(remove_what_is_left));
}

}  // namespace warpaes::python
