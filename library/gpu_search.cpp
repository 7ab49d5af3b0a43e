#include "gsst/gpu_search.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/stage/scratch_layout.hpp"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_frame_outline.hpp"
#include "library/gpu_memory.hpp"
#include "library/gpu_search_plan.hpp"
#include "library/known_struct.hpp"
#include "library/options.hpp"
#include "stages/search/shared/search_on_device.hpp"

// The functions of gpu_search.h.

/// What these functions are given.
struct gsst_gpu_search_plan {
  gsst::library::GpuSearchPlan plan;
  int device;
  /// What it was prepared with; null before that.
  const void* prepared;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_search_options> = 16;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_search_sizes> = 64;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_search_memory> = 104;

namespace {

namespace library = gsst::library;
using gsst::stage::Executor;
using library::ApiError;
using library::GpuMemoryPart;
using library::GpuSearchPlan;

static_assert(GSST_GPU_SEARCH_ALIGNMENT == gsst::stage::scratch_alignment);
static_assert(GSST_GPU_SEARCH_MAX_PATTERN_BYTES == gsst::search::kernels::most_pattern_bytes);

std::uint64_t position_capacity_of(const gsst_gpu_search_options* options) {
  if (options == nullptr) return 0;
  const auto known = library::known_struct("options", options);
  library::check_zero("options: reserved", known.reserved);
  return known.position_capacity;
}

std::vector<std::string> substrings_of(std::span<const gsst_pattern> patterns) {
  std::vector<std::string> substrings;
  substrings.reserve(patterns.size());
  for (const gsst_pattern& pattern : patterns) {
    const std::string name = "pattern " + std::to_string(substrings.size()) + ": ";
    library::check_zero((name + "reserved").c_str(), pattern.reserved);
    if (pattern.kind != GSST_PATTERN_SUBSTRING) {
      throw std::invalid_argument(name + "kind is " + std::to_string(pattern.kind) +
                                  ", a GPU searches for substrings only");
    }
    const auto bytes = library::input_span(pattern.bytes, pattern.size, (name + "bytes").c_str());
    substrings.emplace_back(bytes.begin(), bytes.end());
  }
  return substrings;
}

constexpr std::uint64_t search_word_bytes = sizeof(std::uint32_t);
constexpr std::uint64_t search_number_bytes = sizeof(std::uint64_t);

gsst_gpu_search_sizes sizes_of_search(const GpuSearchPlan& plan) {
  const std::uint64_t frame_bytes = plan.summary().compressed_bytes;
  return {.struct_bytes = 0,
          .reserved = 0,
          .frame_bytes = frame_bytes,
          .count_count = plan.pattern_count(),
          .position_count = plan.position_count(),
          .state_bytes = plan.state_bytes(),
          .scratch_bytes = plan.scratch_bytes(),
          .status_count = plan.status_count(),
          .device_bytes = frame_bytes + plan.state_bytes() + plan.scratch_bytes() +
                          (plan.pattern_count() + plan.position_count()) * search_number_bytes +
                          plan.status_count() * search_word_bytes};
}

GpuMemoryPart searched_frame_part(const void* frame, const gsst_gpu_search_sizes& sizes) {
  return {"frame", frame, sizes.frame_bytes, sizes.frame_bytes, 1, GSST_ERROR_INVALID_ARGUMENT};
}

GpuMemoryPart search_state_part(const void* state, std::uint64_t capacity,
                                const gsst_gpu_search_sizes& sizes) {
  return {
      "state", state, capacity, sizes.state_bytes, GSST_GPU_SEARCH_ALIGNMENT, GSST_ERROR_SCRATCH_TOO_SMALL};
}

std::vector<GpuMemoryPart> search_memory_parts(const gsst_gpu_search_memory& memory,
                                               const gsst_gpu_search_sizes& sizes) {
  return {searched_frame_part(memory.frame, sizes),
          {"counts", memory.counts, memory.count_capacity * search_number_bytes,
           sizes.count_count * search_number_bytes, search_number_bytes, GSST_ERROR_OUTPUT_TOO_SMALL},
          {"positions", memory.positions, memory.position_capacity * search_number_bytes,
           sizes.position_count * search_number_bytes, search_number_bytes, GSST_ERROR_OUTPUT_TOO_SMALL},
          search_state_part(memory.state, memory.state_capacity, sizes),
          {"scratch", memory.scratch, memory.scratch_capacity, sizes.scratch_bytes, GSST_GPU_SEARCH_ALIGNMENT,
           GSST_ERROR_SCRATCH_TOO_SMALL},
          {"status", memory.status, memory.status_capacity * search_word_bytes,
           sizes.status_count * search_word_bytes, search_word_bytes, GSST_ERROR_OUTPUT_TOO_SMALL}};
}

// Launches are sized for the plan's device.
void check_searched_memory(const gsst_gpu_search_plan& plan, const std::vector<GpuMemoryPart>& parts) {
  library::check_memory_parts(parts);
  const int device = library::current_device();
  if (device != plan.device) {
    throw ApiError(GSST_ERROR_WRONG_DEVICE, "the current device is " + std::to_string(device) +
                                                ", the plan is for device " + std::to_string(plan.device));
  }
  library::check_memory_of_device(parts, device);
}

}  // namespace

gsst_error gsst_gpu_search_plan_create(const void* frame, size_t frame_bytes, const gsst_pattern* patterns,
                                       size_t pattern_count, const gsst_gpu_search_options* options,
                                       cudaStream_t stream, gsst_gpu_search_plan** plan,
                                       gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    if (pattern_count != 0) library::check_not_null(patterns, "patterns");
    const std::uint64_t position_capacity = position_capacity_of(options);
    const std::vector<std::string> substrings = substrings_of(std::span(patterns, pattern_count));
    const library::FrameOutline outline = library::outline_of_device_frame(
        frame, frame_bytes, GpuSearchPlan::minimum_compute_capability(Executor::gpu), stream);
    auto made = std::make_unique<gsst_gpu_search_plan>(gsst_gpu_search_plan{
        .plan = GpuSearchPlan(Executor::gpu, outline.frame(), substrings, position_capacity),
        .device = library::current_device(),
        .prepared = nullptr});
    *plan = made.release();
  });
}

void gsst_gpu_search_plan_destroy(gsst_gpu_search_plan* plan) {
  const std::unique_ptr<gsst_gpu_search_plan> owned(plan);
}

gsst_error gsst_gpu_search_plan_sizes(const gsst_gpu_search_plan* plan, gsst_gpu_search_sizes* sizes) {
  return library::report_errors(nullptr, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of_search(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_search_prepare(gsst_gpu_search_plan* plan, const void* frame, size_t frame_bytes,
                                   void* state, size_t state_capacity, cudaStream_t stream,
                                   gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(plan, "plan");
    const gsst_gpu_search_sizes sizes = sizes_of_search(plan->plan);
    library::check_size("frame_bytes", frame_bytes, sizes.frame_bytes);
    check_searched_memory(
        *plan, {searched_frame_part(frame, sizes), search_state_part(state, state_capacity, sizes)});
    library::check_not_captured(stream, "prepare the plan");
    plan->prepared = nullptr;
    plan->plan.prepare(static_cast<const std::uint8_t*>(frame), static_cast<std::uint8_t*>(state), stream);
    // An execution on another stream need not wait for this one.
    GSST_CUDA_CHECK(cudaStreamSynchronize(stream));
    plan->prepared = state;
  });
}

gsst_error gsst_gpu_search_execute(const gsst_gpu_search_plan* plan, const gsst_gpu_search_memory* memory,
                                   cudaStream_t stream, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    const gsst_gpu_search_sizes sizes = sizes_of_search(plan->plan);
    library::check_size("frame_bytes", given.frame_bytes, sizes.frame_bytes);
    check_searched_memory(*plan, search_memory_parts(given, sizes));
    // Kernels trust it.
    if (sizes.state_bytes != 0 && plan->prepared != given.state) {
      throw std::invalid_argument("state: the plan was not prepared with it");
    }
    plan->plan.enqueue({.frame = static_cast<const std::uint8_t*>(given.frame),
                        .counts = given.counts,
                        .positions = given.positions,
                        .state = static_cast<std::uint8_t*>(given.state),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .status = given.status},
                       stream);
  });
}

gsst_error gsst_gpu_search_check(const gsst_gpu_search_plan* plan, const uint64_t* counts, size_t count_count,
                                 const uint32_t* status, size_t status_count, gsst_message* message) {
  return library::report_errors(message, [&] {
    library::check_not_null(plan, "plan");
    library::check_size("count_count", count_count, plan->plan.pattern_count());
    library::check_size("status_count", status_count, plan->plan.status_count());
    if (count_count != 0) library::check_not_null(counts, "counts");
    if (status_count != 0) library::check_not_null(status, "status");
    plan->plan.check({counts, count_count}, {status, status_count});
  });
}
