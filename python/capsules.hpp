#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "gsst/column.h"
#include "python/objects.hpp"

/* As the specification of the Arrow C stream interface requires: defined once, by the first header. */
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif

/// The capsules of the Arrow PyCapsule interface.
namespace gsst::python {

inline constexpr const char* schema_capsule = "arrow_schema";
inline constexpr const char* array_capsule = "arrow_array";
inline constexpr const char* device_array_capsule = "arrow_device_array";
inline constexpr const char* stream_capsule = "arrow_array_stream";

/// What the capsule `name` holds, which it goes on to own. Raises ValueError for another object.
template <typename Held>
Held* held_by(nanobind::handle capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nanobind::python_error();
  return static_cast<Held*>(pointer);
}

/// Releases what a capsule held and frees its memory; whoever took the contents has set their release
/// function to null.
inline void free_held(ArrowSchema* held) {
  const std::unique_ptr<ArrowSchema> owned(held);
  if (held->release != nullptr) held->release(held);
}
inline void free_held(ArrowArray* held) {
  const std::unique_ptr<ArrowArray> owned(held);
  if (held->release != nullptr) held->release(held);
}
inline void free_held(ArrowArrayStream* held) {
  const std::unique_ptr<ArrowArrayStream> owned(held);
  if (held->release != nullptr) held->release(held);
}
inline void free_held(ArrowDeviceArray* held) {
  const std::unique_ptr<ArrowDeviceArray> owned(held);
  if (held->array.release != nullptr) held->array.release(&held->array);
}

/// A capsule `name`, a string that stays, that owns `held`.
template <typename Held>
nanobind::object make_capsule(std::unique_ptr<Held> held, const char* name) {
  PyObject* const capsule = PyCapsule_New(held.get(), name, [](PyObject* freed) {
    free_held(static_cast<Held*>(PyCapsule_GetPointer(freed, PyCapsule_GetName(freed))));
  });
  if (capsule == nullptr) {
    free_held(held.release());
    throw nanobind::python_error();
  }
  (void)held.release();
  return nanobind::steal(capsule);
}

/// The array that a capsule of either kind holds. Raises gsst.Error for memory of another device than the
/// CPU.
inline ArrowArray* array_of(nanobind::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), device_array_capsule) == 0) {
    return held_by<ArrowArray>(capsule, array_capsule);
  }
  auto* const held = held_by<ArrowDeviceArray>(capsule, device_array_capsule);
  if (held->device_type != ARROW_DEVICE_CPU) {
    raise(GSST_ERROR_WRONG_MEMORY, "the array is in memory of a device of Arrow's type " +
                                       std::to_string(held->device_type) + ", not of the CPU");
  }
  return &held->array;
}

}  // namespace gsst::python
