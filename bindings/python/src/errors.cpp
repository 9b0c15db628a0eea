#include "errors.hpp"

namespace nb = nanobind;

namespace warpaes::python {

void raise(warpaes_status status) {
  const nb::object make = nb::module_::import_("warpaes._errors").attr("exception_of");
  const nb::object exception = make(status, warpaes_status_name(status), warpaes_last_error());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

}  // namespace warpaes::python
