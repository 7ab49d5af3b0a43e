#include "python/objects.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>

namespace gsst::python {

std::pair<int, int> device_of(nb::handle tensor) {
  const auto device = nb::cast<nb::tuple>(tensor.attr("__dlpack_device__")());
  return {nb::cast<int>(nb::int_(device[0])), nb::cast<int>(nb::int_(device[1]))};
}

bool is_contiguous(const nb::ndarray<nb::ro>& tensor) {
  if (tensor.size() == 0) return true;
  std::int64_t stride = 1;
  for (std::size_t axis = tensor.ndim(); axis-- > 0;) {
    if (tensor.shape(axis) != 1 && tensor.stride(axis) != stride) return false;
    stride *= static_cast<std::int64_t>(tensor.shape(axis));
  }
  return true;
}

Input::Input(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) != 0 || !nb::hasattr(object, "__dlpack__")) {
    bytes_ = buffer_.emplace(object, PyBUF_SIMPLE).bytes();
    return;
  }
  if (const int type = device_of(object).first; type != nb::device::cpu::value) {
    raise(GSST_ERROR_WRONG_MEMORY,
          "the data is in memory of a device of DLPack's type " + std::to_string(type) + ", not of the CPU");
  }
  tensor_ = nb::cast<nb::ndarray<nb::ro>>(object);
  if (!is_contiguous(tensor_)) raise(GSST_ERROR_INVALID_ARGUMENT, "the data is not contiguous");
  bytes_ = {static_cast<const std::byte*>(tensor_.data()), tensor_.nbytes()};
}

void set_error(gsst_error error, const std::string& message) {
  const nb::object type = nb::module_::import_("gsst._error").attr("Error");
  const nb::object raised = type(static_cast<int>(error), message);
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void raise(gsst_error error, const std::string& message) {
  set_error(error, message);
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
