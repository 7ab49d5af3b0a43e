#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gsst/gsst.hpp"

/// Python's objects as the library sees them.
namespace gsst::python {

namespace nb = nanobind;

/// The bytes of an object, which can neither be freed nor resized while this holds them.
class Buffer {
public:
  /// `flags`: PyBUF_SIMPLE or PyBUF_WRITABLE.
  Buffer(nb::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { PyBuffer_Release(&view_); }

  std::size_t size() const { return static_cast<std::size_t>(view_.len); }
  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(view_.buf), size()}; }
  std::span<std::byte> writable() const { return {static_cast<std::byte*>(view_.buf), size()}; }

private:
  Py_buffer view_{};
};

/// The bytes of an object to read: of its buffer, or of what its `__dlpack__` gives if it has no buffer.
class Input {
public:
  /// Raises gsst.Error for memory of another device than the CPU and for a tensor that is not contiguous.
  explicit Input(nb::handle object);

  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }

private:
  std::optional<Buffer> buffer_;
  nb::ndarray<nb::ro> tensor_;
  std::span<const std::byte> bytes_;
};

/// Makes gsst.Error what Python raises once it is returned to.
void set_error(gsst_error error, const std::string& message);

/// Raises gsst.Error.
[[noreturn]] void raise(gsst_error error, const std::string& message);

/// The value of `result`. Raises gsst.Error if there is none.
template <typename Value>
Value value_or_raise(Result<Value> result) {
  if (!result) raise(static_cast<gsst_error>(result.failure().error), result.failure().message);
  return std::move(result).value();
}

/// Whether the elements of `tensor` lie one behind another.
bool is_contiguous(const nb::ndarray<nb::ro>& tensor);

/// The type of the device that an object with `__dlpack_device__()` is on, as DLPack numbers it, and its
/// number.
std::pair<int, int> device_of(nb::handle tensor);

/// A new bytes object, to be written before anybody else sees it.
nb::bytes new_bytes(std::size_t size);

/// Its bytes, for who made it.
std::span<std::byte> bytes_of(const nb::bytes& bytes);

/// The first `size` bytes of an object that nobody else has seen.
nb::bytes shorten(nb::bytes bytes, std::size_t size);

}  // namespace gsst::python
