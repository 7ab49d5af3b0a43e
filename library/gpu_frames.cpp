#include "gsst/gpu_frames.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "library/arguments.hpp"
#include "library/failure.hpp"
#include "library/frames_plan.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"
#include "library/gpu_options.hpp"
#include "library/known_struct.hpp"

// The functions of gpu_frames.h.

/// What these functions are given.
struct gsst_gpu_frames_plan {
  gsst::library::FramesPlan plan;
};

template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_frames_bounds> = 80;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_frames_sizes> = 56;
template <>
inline constexpr std::size_t gsst::library::first_struct_bytes<gsst_gpu_frames_memory> = 104;

namespace {

namespace library = gsst::library;
using gsst::frames::FramePlace;
using gsst::frames::FramesBounds;
using library::GpuMemoryPart;

static_assert(sizeof(gsst_frame_place) == sizeof(FramePlace) &&
              offsetof(gsst_frame_place, output_offset) == offsetof(FramePlace, output_offset) &&
              offsetof(gsst_frame_place, frame_bytes) == offsetof(FramePlace, frame_bytes) &&
              offsetof(gsst_frame_place, output_capacity) == offsetof(FramePlace, output_capacity));
static_assert(GSST_GPU_FRAMES_TILES_ALIGNMENT == gsst::format::tiles_alignment);

gsst::format::ChecksumKind checksum_of_frames(std::uint32_t number) {
  switch (number) {
    case GSST_CHECKSUM_XXH64:
      return gsst::format::ChecksumKind::xxh64;
    case GSST_CHECKSUM_DEFAULT:
    case GSST_CHECKSUM_XXH64_TREE:
      return gsst::format::ChecksumKind::xxh64_tree;
    default:
      throw std::invalid_argument("bounds: checksum is " + std::to_string(number) +
                                  ", which is no gsst_checksum");
  }
}

// The bits of the shapes that tiles may have.
std::uint32_t tile_shapes_of(const gsst_gpu_frames_bounds& bounds, gsst::format::BlockFormat format) {
  const bool names_one = bounds.code_bits != 0 || bounds.codes_per_lane != 0;
  if (format != gsst::format::BlockFormat::tiles) {
    if (names_one) throw std::invalid_argument("bounds: code_bits and codes_per_lane are of tiles");
    return 0;
  }
  std::uint32_t shapes = 0;
  for (const std::uint32_t code_bits : {8U, 10U, 12U}) {
    if (bounds.code_bits != 0 && bounds.code_bits != code_bits) continue;
    for (const std::uint32_t codes_per_lane : {16U, 24U, 32U}) {
      if (bounds.codes_per_lane != 0 && bounds.codes_per_lane != codes_per_lane) continue;
      shapes |= gsst::format::tile_shape_bit({.code_bits = code_bits, .codes_per_lane = codes_per_lane});
    }
  }
  if (shapes == 0) {
    throw std::invalid_argument("bounds: code_bits is " + std::to_string(bounds.code_bits) +
                                ", codes_per_lane " + std::to_string(bounds.codes_per_lane) +
                                ": tiles have 8, 10 or 12 and 16, 24 or 32");
  }
  return shapes;
}

library::FramesPlan plan_of_frames(const gsst_gpu_frames_bounds* given) {
  const auto bounds = library::known_struct("bounds", given);
  library::check_flag("skip_checksums", bounds.skip_checksums);
  library::check_zero("bounds: reserved", bounds.reserved);
  const gsst::format::BlockFormat format = library::format_of_bounds(bounds.format);
  return {gsst::stage::Executor::gpu,
          {.frame_count = bounds.frame_count,
           .format = format,
           .split_count = library::splits_of_bounds(format, bounds.splits),
           .checksum_kind = checksum_of_frames(bounds.checksum),
           .tile_shapes = tile_shapes_of(bounds, format),
           .frame_bytes = bounds.frame_bytes,
           .output_bytes = bounds.output_bytes,
           .block_count = bounds.blocks_per_frame,
           .input_bytes = bounds.input_bytes,
           .all_output_bytes = bounds.total_output_bytes},
          bounds.skip_checksums == 0};
}

constexpr std::uint64_t status_word_bytes = sizeof(std::uint32_t);

gsst_gpu_frames_sizes sizes_of_frames(const library::FramesPlan& plan) {
  const FramesBounds& bounds = plan.bounds();
  const std::uint64_t blocks = bounds.all_blocks();
  return {.struct_bytes = 0,
          .reserved = 0,
          .input_bytes = bounds.input_bytes,
          .output_bytes = bounds.all_output_bytes,
          .scratch_bytes = plan.scratch_bytes(),
          .frame_count = bounds.frame_count,
          .status_count = blocks,
          .device_bytes = bounds.input_bytes + bounds.all_output_bytes + plan.scratch_bytes() +
                          bounds.frame_count * (sizeof(gsst_frame_place) + sizeof(gsst_gpu_frame_result)) +
                          blocks * status_word_bytes};
}

std::vector<GpuMemoryPart> parts_for_frames(const gsst_gpu_frames_memory& memory,
                                            const gsst_gpu_frames_sizes& sizes) {
  return {
      {"input", memory.input, memory.input_capacity, sizes.input_bytes, 1, GSST_ERROR_INVALID_ARGUMENT},
      {"frames", memory.frames, memory.frame_capacity * sizeof(gsst_frame_place),
       sizes.frame_count * sizeof(gsst_frame_place), alignof(gsst_frame_place), GSST_ERROR_INVALID_ARGUMENT},
      {"output", memory.output, memory.output_capacity, sizes.output_bytes, 1, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"scratch", memory.scratch, memory.scratch_capacity, sizes.scratch_bytes, GSST_GPU_DECOMPRESS_ALIGNMENT,
       GSST_ERROR_SCRATCH_TOO_SMALL},
      {"status", memory.status, memory.status_capacity * status_word_bytes,
       sizes.status_count * status_word_bytes, status_word_bytes, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"results", memory.results, memory.result_capacity * sizeof(gsst_gpu_frame_result),
       sizes.frame_count * sizeof(gsst_gpu_frame_result), alignof(gsst_gpu_frame_result),
       GSST_ERROR_OUTPUT_TOO_SMALL}};
}

// Throws for the first of a frame's blocks that was not decompressed.
void check_blocks_of_frame(std::span<const std::uint32_t> status, const std::string& name) {
  try {
    library::check_block_statuses(status);
  } catch (const library::ApiError& error) {
    throw library::ApiError(error.error(), name + error.what());
  } catch (const gsst::format::FormatError& error) {
    const bool is_checksum = error.field().ends_with("checksum");
    throw library::ApiError(is_checksum ? GSST_ERROR_WRONG_CHECKSUM : GSST_ERROR_DAMAGED,
                            name + error.what());
  }
}

}  // namespace

gsst_error gsst_gpu_frames_plan_create(const gsst_gpu_frames_bounds* bounds, gsst_gpu_frames_plan** plan,
                                       gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    library::check_not_null(bounds, "bounds");
    auto made = std::make_unique<gsst_gpu_frames_plan>(gsst_gpu_frames_plan{plan_of_frames(bounds)});
    *plan = made.release();
  });
}

void gsst_gpu_frames_plan_destroy(gsst_gpu_frames_plan* plan) {
  const std::unique_ptr<gsst_gpu_frames_plan> owned(plan);
}

gsst_error gsst_gpu_frames_plan_sizes(const gsst_gpu_frames_plan* plan, gsst_gpu_frames_sizes* sizes) {
  return library::report_errors(nullptr, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of_frames(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_frames_execute(const gsst_gpu_frames_plan* plan, const gsst_gpu_frames_memory* memory,
                                   cudaStream_t stream, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    const std::vector<GpuMemoryPart> parts = parts_for_frames(given, sizes_of_frames(plan->plan));
    library::check_memory_to_decompress(parts, plan->plan.minimum_compute_capability());
    plan->plan.enqueue({.input = static_cast<const std::uint8_t*>(given.input),
                        .places = reinterpret_cast<const FramePlace*>(given.frames),
                        .output = static_cast<std::uint8_t*>(given.output),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .status = given.status,
                        .results = reinterpret_cast<gsst::frame::FrameResult*>(given.results)},
                       stream);
  });
}

gsst_error gsst_gpu_check_frames(const gsst_gpu_frame_result* results, size_t frame_count,
                                 const uint32_t* status, size_t blocks_per_frame, gsst_message* message) {
  return library::report_errors(message, [&] {
    if (frame_count != 0) library::check_not_null(results, "results");
    if (frame_count != 0 && blocks_per_frame != 0) library::check_not_null(status, "status");
    for (std::size_t frame = 0; frame < frame_count; ++frame) {
      const std::string name = "frame " + std::to_string(frame) + ": ";
      const gsst_gpu_frame_result& result = results[frame];
      if (result.problem != 0) {
        const auto problem = static_cast<gsst::frame::FrameProblem>(result.problem);
        const std::optional<std::uint64_t> block =
            result.problem_block == 0 ? std::nullopt : std::optional(result.problem_block - 1);
        throw library::ApiError(library::error_of_frame(problem),
                                name + library::describe_frame(problem, block));
      }
      if (blocks_per_frame == 0) continue;
      check_blocks_of_frame(std::span(status, frame_count * blocks_per_frame)
                                .subspan(frame * blocks_per_frame, blocks_per_frame),
                            name);
    }
  });
}
