#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsst/gpu.h"
#include "library/arguments.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_memory.hpp"
#include "library/gpu_options.hpp"
#include "library/options.hpp"
#include "reference_cpu/train.hpp"
#include "reference_cpu/train_tiles.hpp"

// The functions of gpu.h that compress.

static_assert(GSST_GPU_COMPRESS_ALIGNMENT == gsst::stage::encode_alignment);

struct gsst_gpu_compress_plan {
  gsst::library::GpuCompressPlan plan;
  int device;
};

struct gsst_gpu_table {
  gsst::library::GpuTable table;
};

namespace {

namespace library = gsst::library;
using library::ApiError;
using library::check_not_null;
using library::GpuMemoryPart;
using library::report_errors;
using library::report_gpu_errors;

gsst_gpu_compress_sizes sizes_of(const library::GpuCompressPlan& plan) {
  return {.struct_bytes = 0,
          .reserved = 0,
          .input_bytes = plan.input_bytes(),
          .output_bytes = plan.output_bytes(),
          .scratch_bytes = plan.scratch_bytes(),
          .device_bytes =
              plan.input_bytes() + plan.output_bytes() + plan.scratch_bytes() + sizeof(std::uint64_t)};
}

GpuMemoryPart scratch_part(const void* scratch, std::uint64_t capacity,
                           const library::GpuCompressPlan& plan) {
  return {"scratch",
          scratch,
          capacity,
          plan.scratch_bytes(),
          GSST_GPU_COMPRESS_ALIGNMENT,
          GSST_ERROR_SCRATCH_TOO_SMALL};
}

GpuMemoryPart input_part(const void* input, std::uint64_t bytes, const library::GpuCompressPlan& plan) {
  return {"input", input, bytes, plan.input_bytes(), 1, GSST_ERROR_INVALID_ARGUMENT};
}

std::vector<GpuMemoryPart> memory_parts(const gsst_gpu_compress_memory& memory,
                                        const library::GpuCompressPlan& plan) {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  return {input_part(memory.input, memory.input_bytes, plan),
          {"output", memory.output, memory.output_capacity, plan.output_bytes(), GSST_GPU_COMPRESS_ALIGNMENT,
           GSST_ERROR_OUTPUT_TOO_SMALL},
          scratch_part(memory.scratch, memory.scratch_capacity, plan),
          {"frame_bytes", memory.frame_bytes, word, word, word, GSST_ERROR_OUTPUT_TOO_SMALL}};
}

// Gives the current device, which the plan is for.
int check_device(const gsst_gpu_compress_plan& plan) {
  const int device = library::current_device();
  if (device == plan.device) return device;
  throw ApiError(GSST_ERROR_WRONG_DEVICE, "the current device is " + std::to_string(device) +
                                              ", the plan is for device " + std::to_string(plan.device));
}

// What is copied from the host must still be there when a graph runs, and executions behind the call count on
// a table that only a graph that runs would make.
void check_not_capturing(cudaStream_t stream, const char* what) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  GSST_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
  if (status == cudaStreamCaptureStatusNone) return;
  throw ApiError(GSST_ERROR_INVALID_ARGUMENT,
                 "stream is being captured: " + std::string(what) + " the table before");
}

library::GpuTable train_table(std::span<const std::uint8_t> sample, const library::GpuTableOptions& options) {
  namespace reference = gsst::reference;
  if (!options.tile_code_bits) return reference::train_symbol_table(sample);
  // The encoder is greedy.
  return reference::train_tile_table(sample, *options.tile_code_bits, options.level, reference::Parse::greedy,
                                     options.threads);
}

}  // namespace

gsst_error gsst_gpu_table_train(const void* sample, size_t sample_bytes, gsst_gpu_table** table,
                                gsst_message* message) {
  return gsst_gpu_table_train_with(sample, sample_bytes, nullptr, table, message);
}

gsst_error gsst_gpu_table_train_with(const void* sample, size_t sample_bytes,
                                     const gsst_gpu_table_options* options, gsst_gpu_table** table,
                                     gsst_message* message) {
  if (table != nullptr) *table = nullptr;
  return report_errors(message, [&] {
    check_not_null(static_cast<const void*>(table), "table");
    const library::GpuTableOptions chosen = library::gpu_table_options(options);
    auto made = std::make_unique<gsst_gpu_table>(
        gsst_gpu_table{train_table(library::input_span(sample, sample_bytes, "sample"), chosen)});
    *table = made.release();
  });
}

void gsst_gpu_table_destroy(gsst_gpu_table* table) {
  const std::unique_ptr<gsst_gpu_table> owned(table);
}

gsst_error gsst_gpu_compress_plan_create(size_t input_bytes, const gsst_gpu_compress_options* options,
                                         gsst_gpu_compress_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return report_gpu_errors(message, [&] {
    check_not_null(static_cast<const void*>(plan), "plan");
    const library::GpuCompressOptions chosen = library::gpu_compress_options(options);
    const int device = library::current_device();
    library::check_compute_capability(device, library::compression_compute_capability(chosen));
    auto made = std::make_unique<gsst_gpu_compress_plan>(gsst_gpu_compress_plan{
        library::GpuCompressPlan(gsst::stage::Executor::gpu, input_bytes, chosen), device});
    *plan = made.release();
  });
}

void gsst_gpu_compress_plan_destroy(gsst_gpu_compress_plan* plan) {
  const std::unique_ptr<gsst_gpu_compress_plan> owned(plan);
}

gsst_error gsst_gpu_compress_plan_sizes(const gsst_gpu_compress_plan* plan, gsst_gpu_compress_sizes* sizes) {
  return report_errors(nullptr, [&] {
    check_not_null(plan, "plan");
    check_not_null(sizes, "sizes");
    library::store_struct("sizes", sizes_of(plan->plan), sizes);
  });
}

gsst_error gsst_gpu_compress_load_table(gsst_gpu_compress_plan* plan, const gsst_gpu_table* table,
                                        void* scratch, size_t scratch_capacity, cudaStream_t stream,
                                        gsst_message* message) {
  return report_gpu_errors(message, [&] {
    check_not_null(plan, "plan");
    check_not_null(table, "table");
    const std::vector<GpuMemoryPart> parts = {scratch_part(scratch, scratch_capacity, plan->plan)};
    library::check_memory_parts(parts);
    library::check_memory_of_device(parts, check_device(*plan));
    check_not_capturing(stream, "load");
    plan->plan.load_table(table->table, static_cast<std::uint8_t*>(scratch), stream);
  });
}

gsst_error gsst_gpu_compress_train_table(gsst_gpu_compress_plan* plan, const void* input, size_t input_bytes,
                                         void* scratch, size_t scratch_capacity, cudaStream_t stream,
                                         gsst_message* message) {
  return report_gpu_errors(message, [&] {
    check_not_null(plan, "plan");
    library::check_size("input_bytes", input_bytes, plan->plan.input_bytes());
    const std::vector<GpuMemoryPart> parts = {input_part(input, input_bytes, plan->plan),
                                              scratch_part(scratch, scratch_capacity, plan->plan)};
    library::check_memory_parts(parts);
    library::check_memory_of_device(parts, check_device(*plan));
    check_not_capturing(stream, "train");
    plan->plan.train_table(static_cast<const std::uint8_t*>(input), static_cast<std::uint8_t*>(scratch),
                           stream);
  });
}

gsst_error gsst_gpu_compress_execute(const gsst_gpu_compress_plan* plan,
                                     const gsst_gpu_compress_memory* memory, cudaStream_t stream,
                                     gsst_message* message) {
  return report_gpu_errors(message, [&] {
    const auto given = library::check_execution(plan, memory);
    library::check_size("input_bytes", given.input_bytes, plan->plan.input_bytes());
    const std::vector<GpuMemoryPart> parts = memory_parts(given, plan->plan);
    library::check_memory_parts(parts);
    library::check_memory_of_device(parts, check_device(*plan));
    plan->plan.enqueue({.input = static_cast<const std::uint8_t*>(given.input),
                        .output = static_cast<std::uint8_t*>(given.output),
                        .scratch = static_cast<std::uint8_t*>(given.scratch),
                        .frame_bytes = given.frame_bytes},
                       stream);
  });
}
