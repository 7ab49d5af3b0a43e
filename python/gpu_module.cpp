#include <nanobind/nanobind.h>

#include <exception>

#include "python/gpu_columns.hpp"
#include "python/gpu_frames.hpp"
#include "python/gpu_memory.hpp"
#include "python/objects.hpp"

// The module gsst._gpu, of packages that are built with CUDA: include/gsst/gpu.h on tensors and Arrow arrays
// in memory of a GPU. What users call is in gsst/gpu.py; arguments here are the numbers of gsst.h, 0 being
// the default.
NB_MODULE(_gpu, module) {
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const gsst::python::GpuFailure& failure) {
      gsst::python::set_error(failure.error(), failure.what());
    }
  });
  gsst::python::add_gpu_frames(module);
  gsst::python::add_gpu_columns(module);
}
