#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gsst/gpu.h"
#include "library/arguments.hpp"
#include "library/gpu_decompress_handle.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_frame_outline.hpp"
#include "library/gpu_memory.hpp"
#include "library/gpu_options.hpp"
#include "library/options.hpp"

// The functions of gpu.h that decompress.

namespace {

namespace library = gsst::library;
using library::check_not_null;
using library::GpuMemoryPart;
using library::report_errors;

gsst_gpu_decompress_sizes sizes_of(const library::GpuDecompressPlan& plan) {
  const library::FrameSummary& summary = plan.summary();
  const std::uint64_t status_bytes = summary.block_count * sizeof(std::uint32_t);
  return {.struct_bytes = 0,
          .reserved = 0,
          .frame_bytes = summary.compressed_bytes,
          .output_bytes = summary.uncompressed_bytes,
          .scratch_bytes = plan.scratch_bytes(),
          .status_count = summary.block_count,
          .device_bytes =
              summary.compressed_bytes + summary.uncompressed_bytes + plan.scratch_bytes() + status_bytes};
}

std::vector<GpuMemoryPart> memory_parts(const gsst_gpu_decompress_memory& memory,
                                        const gsst_gpu_decompress_sizes& sizes) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  return {
      {"frame", memory.frame, memory.frame_bytes, sizes.frame_bytes, 1, GSST_ERROR_INVALID_ARGUMENT},
      {"output", memory.output, memory.output_capacity, sizes.output_bytes, 1, GSST_ERROR_OUTPUT_TOO_SMALL},
      {"scratch", memory.scratch, memory.scratch_capacity, sizes.scratch_bytes, GSST_GPU_DECOMPRESS_ALIGNMENT,
       GSST_ERROR_SCRATCH_TOO_SMALL},
      {"status", memory.status, memory.status_capacity * word, sizes.status_count * word, word,
       GSST_ERROR_OUTPUT_TOO_SMALL}};
}

}  // namespace

const char* gsst_gpu_block_status_text(uint32_t word) {
  switch (GSST_GPU_BLOCK_STATUS(word)) {
    case GSST_GPU_BLOCK_DECODED:
      return "decoded";
    case GSST_GPU_BLOCK_TOO_SHORT:
      return "the codes give fewer bytes than stated";
    case GSST_GPU_BLOCK_TOO_LONG:
      return "the codes give more bytes than stated";
    case GSST_GPU_BLOCK_ESCAPE_AT_END:
      return "the last code is an escape";
    case GSST_GPU_BLOCK_CODE_WITHOUT_SYMBOL:
      return "a code has no symbol";
    case GSST_GPU_BLOCK_ESCAPE_MISSING:
      return "an escape is missing";
    case GSST_GPU_BLOCK_OF_REFUSED_FRAME:
      return "the frame was refused";
    case GSST_GPU_BLOCK_REFUSED:
      return "the header was refused";
    case GSST_GPU_RANGE_OUTSIDE_FRAME:
      return "the range reaches out of the frame";
    case GSST_GPU_RANGE_OUTSIDE_OUTPUT:
      return "the range reaches out of the output";
    case GSST_GPU_BLOCK_WRONG_CHECKSUM:
      return "the checksum differs";
    default:
      return "unknown status";
  }
}

gsst_error gsst_gpu_check_status(const uint32_t* status, size_t count, gsst_message* message) {
  return report_errors(message, [&] {
    if (count == 0) return;
    check_not_null(status, "status");
    library::check_block_statuses({status, count});
  });
}

gsst_error gsst_gpu_decompress_plan_create(const void* frame, size_t frame_bytes,
                                           const gsst_gpu_decompress_options* options,
                                           gsst_gpu_decompress_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    auto made =
        std::make_unique<gsst_gpu_decompress_plan>(gsst_gpu_decompress_plan{library::GpuDecompressPlan(
            gsst::stage::Executor::gpu, library::input_span(frame, frame_bytes, "frame"),
            library::gpu_decompress_options(options))});
    *plan = made.release();
  });
}

gsst_error gsst_gpu_decompress_plan_create_on_device(const void* frame, size_t frame_bytes,
                                                     const gsst_gpu_decompress_options* options,
                                                     cudaStream_t stream, gsst_gpu_decompress_plan** plan,
                                                     gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_gpu_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    const library::GpuDecompressOptions chosen = library::gpu_decompress_options(options);
    const gsst::stage::Executor executor = gsst::stage::Executor::gpu;
    const int least = library::decoder_of(gsst::format::BlockFormat::tiles, executor)
                          .description.minimum_compute_capability;
    const library::FrameOutline outline = library::outline_of_device_frame(frame, frame_bytes, least, stream);
    auto made = std::make_unique<gsst_gpu_decompress_plan>(
        gsst_gpu_decompress_plan{library::GpuDecompressPlan(executor, outline.frame(), chosen)});
    *plan = made.release();
  });
}

void gsst_gpu_decompress_plan_destroy(gsst_gpu_decompress_plan* plan) {
  const std::unique_ptr<gsst_gpu_decompress_plan> owned(plan);
}

gsst_error gsst_gpu_decompress_plan_info(const gsst_gpu_decompress_plan* plan, gsst_frame_info* info) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(info, "info");
    library::store_struct("info", library::frame_info(plan->plan.summary()), info);
  });
}

gsst_error gsst_gpu_decompress_plan_sizes(const gsst_gpu_decompress_plan* plan,
                                          gsst_gpu_decompress_sizes* sizes) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_decompress_execute(const gsst_gpu_decompress_plan* plan,
                                       const gsst_gpu_decompress_memory* memory, cudaStream_t stream,
                                       gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    const gsst_gpu_decompress_sizes sizes = sizes_of(plan->plan);
    library::check_size("frame_bytes", given.frame_bytes, sizes.frame_bytes);
    const std::vector<GpuMemoryPart> parts = memory_parts(given, sizes);
    library::check_memory_to_decompress(parts, plan->plan.minimum_compute_capability());
    plan->plan.enqueue({.frame = static_cast<const std::uint8_t*>(given.frame),
                        .output = static_cast<std::uint8_t*>(given.output),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .status = given.status},
                       stream);
  });
}
