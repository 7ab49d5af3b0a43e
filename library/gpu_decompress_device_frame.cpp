#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "gsst/gpu.h"
#include "library/arguments.hpp"
#include "library/device_frame_plan.hpp"
#include "library/failure.hpp"
#include "library/frame_refusal.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"
#include "library/gpu_options.hpp"
#include "library/known_struct.hpp"

// The functions of gpu.h that decompress frames that are in device memory only.

/// What these functions are given.
struct gsst_gpu_device_frame_plan {
  gsst::library::DeviceFramePlan plan;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_frame_bounds> = 48;

namespace {

namespace library = gsst::library;
using library::GpuMemoryPart;

static_assert(gsst::frame::refused_frame_status == GSST_GPU_BLOCK_OF_REFUSED_FRAME);
static_assert(gsst::frame::refused_block_status == GSST_GPU_BLOCK_REFUSED);
static_assert(sizeof(gsst::frame::FrameResult) == sizeof(gsst_gpu_frame_result) &&
              offsetof(gsst::frame::FrameResult, problem) == offsetof(gsst_gpu_frame_result, problem));

library::DeviceFramePlan make_plan(const gsst_gpu_frame_bounds* given) {
  const auto bounds = library::known_struct("bounds", given);
  library::check_flag("skip_checksums", bounds.skip_checksums);
  const gsst::format::BlockFormat format = library::format_of_bounds(bounds.format);
  return {gsst::stage::Executor::gpu,
          {.format = format,
           .split_count = library::splits_of_bounds(format, bounds.splits),
           .frame_bytes = bounds.frame_bytes,
           .output_bytes = bounds.output_bytes,
           .block_bytes = bounds.block_bytes,
           .block_count = bounds.block_count},
          bounds.skip_checksums == 0};
}

constexpr std::uint64_t word_bytes = sizeof(std::uint32_t);
constexpr std::uint64_t beside_bytes = sizeof(std::uint64_t) + sizeof(gsst_gpu_frame_result);

gsst_gpu_decompress_sizes sizes_within(const library::DeviceFramePlan& plan) {
  const gsst::frame::FrameBounds& bounds = plan.bounds();
  return {.struct_bytes = 0,
          .reserved = 0,
          .frame_bytes = bounds.frame_bytes,
          .output_bytes = bounds.output_bytes,
          .scratch_bytes = plan.scratch_bytes(),
          .status_count = bounds.block_count,
          .device_bytes = bounds.frame_bytes + bounds.output_bytes + plan.scratch_bytes() +
                          bounds.block_count * word_bytes + beside_bytes};
}

std::vector<GpuMemoryPart> frame_memory_parts(const gsst_gpu_device_frame_memory& memory,
                                              const gsst_gpu_decompress_sizes& sizes) {
  return {
      {"frame", memory.frame, memory.frame_capacity, sizes.frame_bytes, 1, GSST_ERROR_INVALID_ARGUMENT},
      {"frame_bytes", memory.frame_bytes, sizeof(std::uint64_t), sizeof(std::uint64_t),
       alignof(std::uint64_t), GSST_ERROR_INVALID_ARGUMENT},
      {"output", memory.output, memory.output_capacity, sizes.output_bytes, 1, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"scratch", memory.scratch, memory.scratch_capacity, sizes.scratch_bytes, GSST_GPU_DECOMPRESS_ALIGNMENT,
       GSST_ERROR_SCRATCH_TOO_SMALL},
      {"status", memory.status, memory.status_capacity * word_bytes, sizes.status_count * word_bytes,
       word_bytes, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"result", memory.result, sizeof(gsst_gpu_frame_result), sizeof(gsst_gpu_frame_result),
       alignof(gsst_gpu_frame_result), GSST_ERROR_OUTPUT_TOO_SMALL}};
}

}  // namespace

gsst_error gsst_gpu_device_frame_plan_create(const gsst_gpu_frame_bounds* bounds,
                                             gsst_gpu_device_frame_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    library::check_not_null(bounds, "bounds");
    auto made = std::make_unique<gsst_gpu_device_frame_plan>(gsst_gpu_device_frame_plan{make_plan(bounds)});
    *plan = made.release();
  });
}

void gsst_gpu_device_frame_plan_destroy(gsst_gpu_device_frame_plan* plan) {
  const std::unique_ptr<gsst_gpu_device_frame_plan> owned(plan);
}

gsst_error gsst_gpu_device_frame_plan_sizes(const gsst_gpu_device_frame_plan* plan,
                                            gsst_gpu_decompress_sizes* sizes) {
  return library::report_errors(nullptr, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_within(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_device_frame_execute(const gsst_gpu_device_frame_plan* plan,
                                         const gsst_gpu_device_frame_memory* memory, cudaStream_t stream,
                                         gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    const std::vector<GpuMemoryPart> parts = frame_memory_parts(given, sizes_within(plan->plan));
    library::check_memory_to_decompress(parts, plan->plan.minimum_compute_capability());
    plan->plan.enqueue({.frame = static_cast<const std::uint8_t*>(given.frame),
                        .frame_bytes = given.frame_bytes,
                        .output = static_cast<std::uint8_t*>(given.output),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .status = given.status,
                        .result = reinterpret_cast<gsst::frame::FrameResult*>(given.result)},
                       stream);
  });
}

gsst_error gsst_gpu_check_frame_result(const gsst_gpu_frame_result* result, gsst_message* message) {
  return library::report_errors(message, [&] {
    library::check_not_null(result, "result");
    if (result->problem == 0) return;
    const auto problem = static_cast<gsst::frame::FrameProblem>(result->problem);
    const std::optional<std::uint64_t> block =
        result->problem_block == 0 ? std::nullopt : std::optional(result->problem_block - 1);
    throw library::ApiError(library::error_of(problem), library::describe(problem, block));
  });
}
