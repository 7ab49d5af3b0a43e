#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gsst/gpu_column.h"
#include "library/arguments.hpp"
#include "library/device_column.hpp"
#include "library/failure.hpp"
#include "library/gpu_device.hpp"
#include "library/gpu_options.hpp"

// The functions of gpu_column.h.

/// What the functions that compress are given.
struct gsst_gpu_column_compress_plan {
  gsst::library::DeviceColumnCompressPlan plan;
  int device;
};

namespace {

namespace library = gsst::library;
using library::ApiError;

// The current device with a stream of it. Throws cuda::CudaError.
class GpuColumnDevice : public library::ColumnDevice {
public:
  explicit GpuColumnDevice(cudaStream_t stream) : device_(library::current_device()), stream_(stream) {}

  ArrowDeviceType type() const override { return ARROW_DEVICE_CUDA; }
  std::int64_t id() const override { return device_; }

  void check_memory_of(const ArrowDeviceArray& array) const override {
    const bool is_managed = array.device_type == ARROW_DEVICE_CUDA_MANAGED;
    if (!is_managed && (array.device_type != ARROW_DEVICE_CUDA || array.device_id != device_)) {
      throw ApiError(GSST_ERROR_WRONG_MEMORY,
                     "array: is in memory of device " + std::to_string(array.device_id) +
                         " of Arrow's type " + std::to_string(array.device_type) +
                         ", the current one is CUDA device " + std::to_string(device_));
    }
    for (const void* const buffer : std::span(array.array.buffers, 3)) {
      if (buffer != nullptr && array.array.length != 0) {
        library::check_device_memory(buffer, "array: a buffer", device_);
      }
    }
  }

  std::uint8_t* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    GSST_CUDA_CHECK(cudaMalloc(&memory, bytes));
    return static_cast<std::uint8_t*>(memory);
  }
  Free free_function() const override {
    return [](void* memory) noexcept { cudaFree(memory); };
  }

  void wait_for_event(void* event) override {
    GSST_CUDA_CHECK(cudaStreamWaitEvent(stream_, *static_cast<cudaEvent_t*>(event), 0));
  }
  void copy_from_host(std::uint8_t* to, std::span<const std::uint8_t> from) override {
    copy_bytes(to, from.data(), from.size(), cudaMemcpyHostToDevice);
  }
  void copy_to_host(std::span<std::uint8_t> to, const std::uint8_t* from) override {
    copy_bytes(to.data(), from, to.size(), cudaMemcpyDeviceToHost);
  }
  void copy(std::uint8_t* to, std::span<const std::uint8_t> from) override {
    copy_bytes(to, from.data(), from.size(), cudaMemcpyDeviceToDevice);
  }

  library::GpuCompressPlan plan_compression(std::uint64_t input_bytes,
                                            const library::GpuCompressOptions& options) override {
    library::check_compute_capability(device_, library::compression_compute_capability(options));
    return {gsst::stage::Executor::gpu, input_bytes, options};
  }
  void compress(const library::GpuCompressPlan& plan, const library::GpuCompressMemory& memory) override {
    plan.enqueue(memory, stream_);
  }
  library::GpuDecompressPlan plan_decompression(std::span<const std::uint8_t> frame,
                                                const library::GpuDecompressOptions& options) const override {
    return {gsst::stage::Executor::gpu, frame, options};
  }
  void decompress(const library::GpuDecompressPlan& plan,
                  const library::GpuDecompressMemory& memory) override {
    library::check_compute_capability(device_, plan.minimum_compute_capability());
    plan.enqueue(memory, stream_);
  }
  void wait() override { GSST_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

private:
  void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (bytes != 0) GSST_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream_));
  }

  int device_;
  cudaStream_t stream_;
};

library::GpuCompressOptions column_options(const gsst_gpu_compress_options* options) {
  library::GpuCompressOptions chosen = library::gpu_compress_options(options);
  if (chosen.tables == library::GpuTables::loaded) {
    throw std::invalid_argument("options: the tables of a column are trained");
  }
  // These functions wait anyway.
  chosen.tables = library::GpuTables::trained_anywhere;
  return chosen;
}

}  // namespace

gsst_error gsst_gpu_column_compress_plan_create(const ArrowSchema* schema, const ArrowDeviceArray* array,
                                                const gsst_gpu_compress_options* options, cudaStream_t stream,
                                                gsst_gpu_column_compress_plan** plan, gsst_message* message) {
  if (plan != nullptr) *plan = nullptr;
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(static_cast<const void*>(plan), "plan");
    library::check_not_null(schema, "schema");
    library::check_not_null(array, "array");
    const library::GpuCompressOptions chosen = column_options(options);
    GpuColumnDevice device(stream);
    auto made = std::make_unique<gsst_gpu_column_compress_plan>(gsst_gpu_column_compress_plan{
        library::DeviceColumnCompressPlan(*schema, *array, chosen, device), static_cast<int>(device.id())});
    *plan = made.release();
  });
}

void gsst_gpu_column_compress_plan_destroy(gsst_gpu_column_compress_plan* plan) {
  const std::unique_ptr<gsst_gpu_column_compress_plan> owned(plan);
}

size_t gsst_gpu_column_compress_plan_output_bytes(const gsst_gpu_column_compress_plan* plan) {
  return plan == nullptr ? 0 : plan->plan.output_bytes();
}

gsst_error gsst_gpu_column_compress_execute(const gsst_gpu_column_compress_plan* plan, void* output,
                                            size_t output_capacity, size_t* output_bytes, cudaStream_t stream,
                                            gsst_message* message) {
  if (output_bytes != nullptr) *output_bytes = 0;
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(plan, "plan");
    library::check_not_null(output_bytes, "output_bytes");
    const auto to = library::output_span(output, output_capacity, plan->plan.output_bytes());
    GpuColumnDevice device(stream);
    if (device.id() != plan->device) {
      throw ApiError(GSST_ERROR_WRONG_DEVICE, "the plan is for device " + std::to_string(plan->device) +
                                                  ", the current one is " + std::to_string(device.id()));
    }
    *output_bytes = plan->plan.execute(to, device);
  });
}

gsst_error gsst_gpu_column_decompress(const void* column, size_t column_bytes,
                                      const gsst_gpu_decompress_options* options, cudaStream_t stream,
                                      ArrowSchema* schema, ArrowDeviceArray* array, gsst_message* message) {
  return library::report_gpu_errors(message, [&] {
    library::check_not_null(schema, "schema");
    library::check_not_null(array, "array");
    const library::GpuDecompressOptions chosen = library::gpu_decompress_options(options);
    const std::span<const std::uint8_t> bytes = library::input_span(column, column_bytes, "column");
    GpuColumnDevice device(stream);
    library::decompress_to_device(bytes, chosen, device, *schema, *array);
  });
}
