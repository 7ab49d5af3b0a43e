#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gsst/gpu.hpp"
#include "gsst/gpu_column.h"

/// @file
/// Columns of strings on a GPU in C++20, over the C functions of gpu_column.h: what is said there holds here
/// too. Spans are of host memory.

namespace gsst::gpu {

/// An Arrow array in device memory with its schema. Releases both, unless another owner has taken them:
/// an importer of an array sets its release function to null.
class OwnedDeviceArray {
public:
  /// Holds nothing.
  OwnedDeviceArray() = default;
  /// Takes over what `other` holds, which holds nothing then.
  OwnedDeviceArray(OwnedDeviceArray&& other) noexcept
      : schema_(std::exchange(other.schema_, {})), array_(std::exchange(other.array_, {})) {}
  /// Exchanges what the two hold.
  OwnedDeviceArray& operator=(OwnedDeviceArray&& other) noexcept {
    std::swap(schema_, other.schema_);
    std::swap(array_, other.array_);
    return *this;
  }
  OwnedDeviceArray(const OwnedDeviceArray&) = delete;
  OwnedDeviceArray& operator=(const OwnedDeviceArray&) = delete;
  ~OwnedDeviceArray() {
    if (array_.array.release != nullptr) array_.array.release(&array_.array);
    if (schema_.release != nullptr) schema_.release(&schema_);
  }

  /// The array's type, to be read or taken.
  ArrowSchema& schema() { return schema_; }
  /// The array, to be read or taken.
  ArrowDeviceArray& array() { return array_; }

private:
  ArrowSchema schema_{};
  ArrowDeviceArray array_{};
};

/// Compresses an array in memory of the current device to a column. The tables are trained, those of 10 and
/// 12 bits too. Errors: gsst_gpu_column_compress_plan_create(), gsst_gpu_column_compress_execute().
inline Result<std::vector<std::byte>> compress_column(const ArrowSchema& schema,
                                                      const ArrowDeviceArray& array, cudaStream_t stream,
                                                      const CompressOptions& options = {}) {
  struct DestroyColumnPlan {
    void operator()(gsst_gpu_column_compress_plan* plan) const {
      gsst_gpu_column_compress_plan_destroy(plan);
    }
  };
  const gsst_gpu_compress_options c_options = detail::c_options(options);
  gsst_gpu_column_compress_plan* created = nullptr;
  gsst_message message;
  gsst_error error =
      gsst_gpu_column_compress_plan_create(&schema, &array, &c_options, stream, &created, &message);
  const std::unique_ptr<gsst_gpu_column_compress_plan, DestroyColumnPlan> plan(created);
  if (error != GSST_OK) return detail::failure(error, message);
  std::vector<std::byte> column(gsst_gpu_column_compress_plan_output_bytes(plan.get()));
  std::size_t bytes = 0;
  error =
      gsst_gpu_column_compress_execute(plan.get(), column.data(), column.size(), &bytes, stream, &message);
  if (error != GSST_OK) return detail::failure(error, message);
  column.resize(bytes);
  return column;
}

/// Decompresses `column`, the whole column and nothing more, to a new array in memory of the current device.
/// Errors: gsst_gpu_column_decompress().
inline Result<OwnedDeviceArray> decompress_column(std::span<const std::byte> column, cudaStream_t stream,
                                                  const DecompressOptions& options = {}) {
  const gsst_gpu_decompress_options c_options{.struct_bytes = sizeof(gsst_gpu_decompress_options),
                                              .format = static_cast<std::uint32_t>(options.format),
                                              .skip_checksums = options.skip_checksums ? 1U : 0U,
                                              .reserved = 0};
  OwnedDeviceArray made;
  gsst_message message;
  const gsst_error error = gsst_gpu_column_decompress(column.data(), column.size(), &c_options, stream,
                                                      &made.schema(), &made.array(), &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return Result<OwnedDeviceArray>(std::move(made));
}

}  // namespace gsst::gpu
