#include "python/objects.hpp"

#include <cstdint>

namespace gsst::python {

void raise(gsst_error error, const std::string& message) {
  const nb::object type = nb::module_::import_("gsst._error").attr("Error");
  const nb::object raised = type(static_cast<int>(error), message);
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

nb::bytes new_bytes(std::size_t size) {
  PyObject* const made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::bytes>(made);
}

std::span<std::byte> bytes_of(const nb::bytes& bytes) {
  return {reinterpret_cast<std::byte*>(PyBytes_AS_STRING(bytes.ptr())), bytes.size()};
}

nb::bytes shorten(nb::bytes bytes, std::size_t size) {
  PyObject* owned = bytes.release().ptr();
  if (_PyBytes_Resize(&owned, static_cast<Py_ssize_t>(size)) != 0) throw nb::python_error();
  return nb::steal<nb::bytes>(owned);
}

}  // namespace gsst::python
